import assert from "node:assert/strict";
import { test } from "node:test";
import { endOf } from "../../extension/sites.js";
import { HELLO, NO_PROGRESS, SNAPSHOT, SUMMARY, connect } from "./host.js";
import { openPage } from "./page.js";
import { RESULT, TAB, browserWith } from "./tab.js";

const LINKS = ["https://example.org/b", "https://example.org/c?page=2"];
const DOUBTFUL = { ...RESULT, summary: { ...RESULT.summary, doubt: "not_the_served_page", session_links: LINKS } };

/**
 * A browser whose first answer is in doubt, as behind a login.
 * @param {{incognito?: boolean, choices?: Record<string, unknown>}} [options]
 */
function behindLogin(options = {}) {
  /** @type {any[]} */
  const loads = [];
  const made = browserWith({ extract: async (_, { loader }) => (loads.push(loader?.load), loader ? RESULT : DOUBTFUL), ...options });
  return { ...made, loads };
}

test("before the first use on a site the pages are listed, and nothing is loaded before the person allows it", async () => {
  const { tabs, seen, state, loads } = behindLogin();
  await tabs.click(TAB);
  assert.equal(state().name, "doubtful");
  assert.ok(seen.orders.at(-1).panel.buttons.some((/** @type {any} */ { name }) => name === "session"));
  await tabs.compareBy(TAB, "session", false);
  assert.equal(loads.length, 1);
  assert.deepEqual(seen.panels.at(-1).choices, [{ value: LINKS[0], label: "/b" }, { value: LINKS[1], label: "/c?page=2" }]);
  assert.equal(state().name, "doubtful");
  await tabs.compareBy(TAB, "session", true);
  assert.equal(typeof loads[1], "function");
  assert.equal(state().name, "template");
});

test("the person is asked once for each site, but every time in a private window", async () => {
  for (const incognito of [false, true]) {
    const { tabs, loads } = behindLogin({ incognito });
    await tabs.click(TAB);
    await tabs.compareBy(TAB, "session", true);
    const kept = /** @type {any} */ (await globalThis.browser.storage.local.get("sessionSites")).sessionSites;
    assert.deepEqual(kept, incognito ? undefined : ["example.org"]);
    assert.equal(loads.length, 2);
  }
  const { tabs, loads } = behindLogin({ choices: { sessionSites: ["example.org"] } });
  await tabs.click(TAB);
  await tabs.compareBy(TAB, "session", false);
  assert.equal(loads.length, 2);
});

test("a page that was compared in the session is compared anew in it, and another one without", async () => {
  const { tabs, loads, state } = behindLogin();
  await tabs.click(TAB);
  await tabs.compareBy(TAB, "session", true);
  await tabs.compareBy(TAB);
  assert.deepEqual(loads.map((load) => typeof load), ["undefined", "function", "function"]);
  assert.deepEqual([state().name, state().loadedBy], ["template", "session"]);
  assert.equal((await loads[2]("https://example.org/logout")).error, "The person was not asked about this page.");
  const plain = browserWith();
  await plain.tabs.click(TAB);
  await plain.tabs.compareBy(TAB);
  assert.deepEqual([plain.seen.answers.length, plain.state().loadedBy], [2, undefined]);
});

test("only the checked pages are loaded, and whoever leaves one out is asked again", async () => {
  const { tabs, loads, chosen } = behindLogin();
  await tabs.click(TAB);
  await tabs.compareBy(TAB, "session", true, [LINKS[1], "https://example.org/logout"]);
  const refused = { error: "The person was not asked about this page." };
  assert.deepEqual(await loads[1](LINKS[0]), refused);
  assert.deepEqual(await loads[1]("https://example.org/logout"), refused);
  assert.notDeepEqual(await loads[1](LINKS[1]), refused);
  assert.equal(chosen.sessionSites, undefined);
});

test("where links may act, the person is asked each time", async () => {
  const doubtful = { ...DOUBTFUL, summary: { ...DOUBTFUL.summary, doubt: "links_may_act" } };
  const { tabs, seen, chosen } = browserWith({ extract: async () => doubtful, choices: { sessionSites: ["example.org"] } });
  await tabs.click(TAB);
  assert.deepEqual(seen.orders.at(-1).panel.buttons.map((/** @type {any} */ { label }) => label), ["Compare with pages that look like this one", "Show anyway", "Cancel"]);
  await tabs.compareBy(TAB, "session");
  assert.match(seen.panels.at(-1).sentence, /^These links look most like this page/);
  await tabs.compareBy(TAB, "session", true);
  assert.equal(chosen.sessionSites, undefined);
  assert.equal(seen.panels.at(-1).choices.length, LINKS.length);
});

test("an address is shown by its end, which tells more", () => {
  assert.equal(endOf("https://example.org/b%C3%BCcher?page=2#top"), "/b\u00fccher?page=2");
  assert.equal(endOf("https://example.org/a%E2%80%AE%E2%81%A6%07%1Bb"), "/ab");
  const end = endOf(`https://example.org/${"very/".repeat(30)}long.html`);
  assert.ok(end.length === 120 && end.startsWith("\u2026") && end.endsWith("/long.html"), end);
});

test("what was not listed is not loaded, whatever the host asks for", async () => {
  const { tabs, loads } = behindLogin({ choices: { sessionSites: ["example.org"] } });
  await tabs.click(TAB);
  await tabs.compareBy(TAB, "session", false);
  assert.deepEqual(await loads[1]("https://example.org/logout"), { error: "The person was not asked about this page." });
});

test("where a stranger gets the same pages, the session is not offered", async () => {
  const { tabs, seen, loads } = browserWithDoubt("alone");
  await tabs.click(TAB);
  assert.ok(!seen.orders.at(-1).panel.buttons.some((/** @type {any} */ { name }) => name === "session"));
  await tabs.compareBy(TAB, "session", true);
  assert.equal(loads.length, 1);
});

/** @param {string} doubt */
function browserWithDoubt(doubt) {
  /** @type {any[]} */
  const loads = [];
  const made = browserWith({ extract: async (_, { loader }) => (loads.push(loader?.load), { ...RESULT, summary: { ...RESULT.summary, doubt, session_links: null } }) });
  return { ...made, loads };
}

/**
 * A page whose server answers as the test has it.
 * @param {(url: string, options: any) => Response | Promise<Response>} answer
 */
function pageWith(answer) {
  const page = openPage("<p>Page</p>");
  page.window.fetch = async (/** @type {string} */ url, /** @type {any} */ options) => answer(url, options);
  return page.sitestencil.session;
}

/** @type {(body: string | Uint8Array, type: string, url: string) => Response} */
function response(body, type, url) {
  const made = new Response(/** @type {any} */ (body), { headers: { "content-type": type } });
  Object.defineProperty(made, "url", { value: url });
  return made;
}

test("a page is read with the session's cookies and by no other method, and its bytes come as they are", async () => {
  /** @type {any} */
  let asked;
  const session = pageWith((url, options) => ((asked = options), response(new Uint8Array([60, 98, 62, 228]), "text/html; charset=ISO-8859-1", `${url}/`)));
  const page = await session.load("https://example.org/b");
  assert.deepEqual({ ...page }, { url: "https://example.org/b/", status: 200, charset: "ISO-8859-1", content: btoa("<b>\xe4") });
  assert.equal(asked.credentials, "same-origin");
  assert.equal(asked.method ?? "GET", "GET");
  assert.equal(asked.body, undefined);
});

test("what is of another server, leads to one, is not HTML, is too large or is refused comes as a sentence", async () => {
  const large = new Uint8Array(5_000_001);
  /** @type {Array<[string, (url: string) => Response, RegExp]>} */
  const cases = [
    ["https://other.example/b", (url) => response("", "text/html", url), /another server/],
    ["http://example.org/b", (url) => response("", "text/html", url), /another server/],
    ["https://example.org/b", () => response("", "text/html", "https://other.example/"), /leads to another/],
    ["https://example.org/b", (url) => response("{}", "application/json", url), /not HTML/],
    ["https://example.org/b", (url) => response(large, "text/html", url), /too large/],
    ["https://example.org/b", () => { throw new TypeError("blocked by CSP"); }, /did not load it: TypeError: blocked by CSP/],
    ["nothing", (url) => response("", "text/html", url), /did not load it/],
  ];
  for (const [url, answer, error] of cases) assert.match((await pageWith(answer).load(url)).error ?? "", error);
});

test("a page that the host asks for is loaded in the session, and answered by the host's own number", async () => {
  /** @type {any[]} */
  const answered = [];
  const { host, ports } = connect((message, port) => {
    const { type, id } = message;
    if (type === "hello") port.answer({ ...HELLO, id });
    if (type === "extract") port.answer({ type: "load", id, request: 3, url: "https://example.org/b", way: "session" });
    if (type === "page") {
      answered.push(message);
      port.answer({ type: "result", id, part: 1, parts: 1, template: [], content_texts: [], summary: SUMMARY });
    }
  });
  const load = async (/** @type {string} */ url) => ({ url, status: 200, content: "PGI+" });
  await host.extract(SNAPSHOT, { ...NO_PROGRESS, loader: { way: "session", links: LINKS, load } });
  assert.deepEqual([ports[0].heard[1].pages, ports[0].heard[1].links], ["session", LINKS]);
  assert.deepEqual(answered, [{ type: "page", id: 2, request: 3, url: "https://example.org/b", status: 200, content: "PGI+" }]);
});

test("without leave, the host is not asked to load in the session, and what it asks for is not loaded", async () => {
  const { host, ports } = connect((message, port) => {
    const { type, id } = message;
    if (type === "hello") port.answer({ ...HELLO, id });
    if (type !== "extract") return;
    port.answer({ type: "load", id, request: 1, url: "https://example.org/b", way: "session" });
    port.answer({ type: "result", id, part: 1, parts: 1, template: [], content_texts: [], summary: SUMMARY });
  });
  await host.extract(SNAPSHOT, NO_PROGRESS);
  assert.deepEqual(ports[0].heard.map((/** @type {any} */ { type }) => type), ["hello", "extract"]);
  assert.equal(ports[0].heard[1].pages, "http");
});
