/** What the extension's pages share: the handshake, the keys as they really are, and a report. */

/** @typedef {import("../background/host.js").Hello} Hello */
/** @typedef {{ok: true, hello: Hello} | {ok: false, kind: string, message: string, detail: string}} Greeting */

/**
 * @param {string} id
 * @returns {any} the page's element with this id
 */
export function element(id) {
  return document.getElementById(id);
}

/**
 * Shakes hands with the host and says in the page's status how it went.
 * @returns {Promise<Greeting>}
 */
export async function greet() {
  const status = element("status");
  status.textContent = "Asking the program…";
  status.dataset.outcome = "";
  /** @type {Greeting} */
  const greeting = await browser.runtime.sendMessage({ type: "hello" });
  status.dataset.outcome = greeting.ok ? "good" : "bad";
  status.textContent = greeting.ok
    ? `The program answers: sitestencil ${greeting.hello.version}. Everything is ready.`
    : `${greeting.message}${greeting.detail ? ` (The browser says: ${greeting.detail})` : ""}`;
  return greeting;
}

/** Puts the real shortcuts into the page: browsers let people change them, and drop what is taken. */
export async function showKeys() {
  const commands = await browser.commands.getAll();
  for (const [id, name] of [
    ["toggle-key", "_execute_action"],
    ["save-key", "save-template"],
  ]) {
    const shortcut = commands.find((command) => command.name === name)?.shortcut;
    if (!shortcut) continue;
    const key = document.createElement("kbd");
    key.textContent = shortcut;
    const place = element(id);
    place.replaceChildren(place.dataset.before ?? "", key);
  }
}

/** Makes a button copy a report. @param {HTMLButtonElement} button */
export function copiesReport(button) {
  button.addEventListener("click", async () => {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(await report());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Could not copy";
    }
    setTimeout(() => (button.textContent = label), 2_000);
  });
}

/** @returns {Promise<string>} */
async function report() {
  const { hello, error, summary } = await browser.storage.session.get(["hello", "error", "summary"]);
  const facts = {
    extension: browser.runtime.getManifest().version,
    browser: navigator.userAgent,
    system: await browser.runtime.getPlatformInfo(),
    detector: (await browser.storage.local.get("detector")).detector ?? null,
    keys: (await browser.commands.getAll()).map(({ name, shortcut }) => `${name}: ${shortcut || "none"}`),
    hello: hello ?? null,
    error: error ?? null,
    last: summary ? { ...summary, url: undefined, candidates: undefined } : null,
  };
  return JSON.stringify(facts, null, 2);
}
