/** Shared by the extension's pages: texts, the handshake, the real shortcuts, and a report. */

import { choice, kept } from "../background/memory.js";
import { textOf } from "../texts.js";

// A character that no text has.
const MARK = "\ue000";

/**
 * @template {Element} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind} the page's element with this id
 * @throws {TypeError} there is none, or another kind of element
 */
export function element(id, kind) {
  const named = document.getElementById(id);
  if (!(named instanceof kind)) throw new TypeError(`The page has no ${kind.name} with the id ${id}.`);
  return named;
}

/** Fills every element that has the attribute `data-text`, in the browser's language. */
export function fillTexts() {
  document.documentElement.lang = textOf(["language"]);
  document.documentElement.dir = textOf(["direction"]);
  for (const named of document.querySelectorAll("[data-text]")) fillText(/** @type {HTMLElement} */ (named));
}

/** Puts its text into an element. The element's children fill the text's placeholders. @type {(named: HTMLElement) => void} */
function fillText(named) {
  const inner = [...named.children];
  const marks = inner.map((_, index) => `${MARK}${index}${MARK}`);
  const parts = textOf([/** @type {TextName} */ (named.dataset.text), ...marks]).split(MARK);
  named.replaceChildren(...parts.map((part, index) => (index % 2 ? inner[Number(part)] : part)));
}

/** Shakes hands with the host, and shows the outcome in the page's status. @type {() => Promise<Greeting>} */
export async function greet() {
  const status = element("status", HTMLElement);
  status.textContent = textOf(["status_asking"]);
  status.dataset.outcome = "";
  const again = element("again", HTMLButtonElement);
  again.disabled = true;
  const greeting = await ask({ type: "hello" }).finally(() => (again.disabled = false));
  status.dataset.outcome = greeting.ok ? "good" : "bad";
  if (greeting.ok) status.textContent = textOf(["status_ready", greeting.hello.version]);
  else status.textContent = textOf(greeting.detail ? ["status_failed", greeting.problem, greeting.detail] : greeting.problem);
  return greeting;
}

/**
 * @template {keyof ExtensionPageRequests} Name
 * @param {Parameters<ExtensionPageRequests[Name]>[0] & {type: Name}} message
 * @returns {Promise<ReturnType<ExtensionPageRequests[Name]>>} the background's answer
 */
export function ask(message) {
  return browser.runtime.sendMessage(message);
}

/** Puts the real shortcuts into the page: people can change them, and browsers drop shortcuts in use. */
export async function showKeys() {
  const commands = await browser.commands.getAll();
  for (const holder of document.querySelectorAll("[data-command]")) {
    const { dataset } = /** @type {HTMLElement} */ (holder);
    const shortcut = commands.find(({ name }) => name === dataset.command)?.shortcut;
    if (!shortcut) continue;
    const key = document.createElement("kbd");
    key.textContent = shortcut;
    dataset.text = "key_of_command";
    holder.replaceChildren(key);
    fillText(/** @type {HTMLElement} */ (holder));
  }
}

/** Shows the command for this system: Windows' PowerShell joins commands by another sign. @param {HTMLElement} holder */
export async function showCommand(holder) {
  const { os } = await browser.runtime.getPlatformInfo();
  if (os === "win") holder.textContent = String(holder.textContent).replace(" &&", ";");
}

/** Makes a button copy a report. @param {HTMLButtonElement} button */
export function copiesReport(button) {
  button.addEventListener("click", async () => {
    const copied = await navigator.clipboard.writeText(await report()).then(() => true, () => false);
    button.textContent = textOf([copied ? "report_copied" : "report_not_copied"]);
    setTimeout(() => (button.textContent = textOf(["report_copy"])), 2_000);
  });
}

/** @returns {Promise<string>} */
async function report() {
  const [hello, error, summary, detector] = await Promise.all([kept("hello"), kept("error"), kept("summary"), choice("detector")]);
  const facts = {
    extension: browser.runtime.getManifest().version,
    browser: navigator.userAgent,
    system: await browser.runtime.getPlatformInfo(),
    detector: detector ?? null,
    keys: (await browser.commands.getAll()).map(({ name, shortcut }) => `${name}: ${shortcut || "none"}`),
    hello: hello ?? null,
    error: error ?? null,
    last: summary ? { ...summary, url: undefined, candidates: undefined } : null,
  };
  return JSON.stringify(facts, null, 2);
}
