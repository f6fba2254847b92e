import assert from "node:assert/strict";
import { test } from "node:test";
import { orderOf } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";
import { asker, openPage, plain } from "./page.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
const LIMITS = { elements: 100_000, bytes: 1_000_000 };
const TEMPLATE = orderOf({ name: "template" });

/** @param {Document} document */
const marks = (document) =>
  [...document.querySelectorAll("[data-sitestencil]")].map((element) => `${element.id}: ${element.getAttribute("data-sitestencil")}`);

const HTML = "<!doctype html><body id=body><header id=header>Site</header><main id=main>News<nav id=nav>Menu</nav></main>";
const ANSWER = { template: [[0, 4], [5, 6]], content_texts: [] };

test("what the host is sent is counted with the escapes that its quotes get, and each character with its bytes", () => {
  const page = openPage("<body>");
  const { snapshot } = page.sitestencil;
  for (const text of ["x".repeat(2000), '"'.repeat(2000), "\u00e9\u{1f600}".repeat(2000)]) {
    page.document.body.textContent = text;
    const columns = snapshot.take(page.document).snapshot;
    const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(columns))) - 2;
    assert.deepEqual(Object.keys(snapshot.pack(columns, bytes)), ["json"]);
    assert.deepEqual(plain(snapshot.pack(columns, bytes - 1)), { bytes });
  }
});

test("scripts that are brought in take the snapshot of a page of which nothing is known, and of no other", () => {
  const page = openPage(HTML);
  const arrive = () => plain(page.sitestencil.main.arrive()).value;
  assert.equal(JSON.parse(arrive().snapshot.json).tags.length, 6);
  assert.equal(JSON.parse(arrive().snapshot.json).tags.length, 6);
  assert.deepEqual(page.ports.map(({ open }) => open), [false, true]);
  asker(page)("answer", ANSWER);
  assert.deepEqual(arrive(), { webPage: true, view: "original", word: "sitestencil" });
});

/** What is left of an extension's interface when it was updated or removed. @param {ReturnType<typeof openPage>} page */
function goes(page) {
  page.window.browser.runtime = { sendMessage: () => { throw new Error("Extension context invalidated."); } };
}

for (const [way, end] of /** @type {Array<[string, (page: ReturnType<typeof openPage>) => void]>} */ ([
  ["looks", ({ beats }) => beats.forEach((beat) => beat())],
  ["has a message", ({ sitestencil, window }) => sitestencil.panel.moves.dispatchEvent(new window.CustomEvent("move"))],
])) {
  test(`a script whose extension has gone brings the page back, and takes the panel along, when it ${way}`, async () => {
    const page = openPage(HTML);
    const ask = asker(page);
    const before = page.document.documentElement.outerHTML;
    for (const state of /** @type {const} */ (["working", "template", "content", "inspect", "doubtful"])) {
      ask("snapshot", LIMITS);
      if (state === "working") ask("say", TEMPLATE.panel);
      else ask("show", orderOf({ name: state }), { answer: ANSWER, about: {} });
      assert.notEqual(page.document.documentElement.outerHTML, before);
      const { runtime } = page.window.browser;
      goes(page);
      end(page);
      await new Promise((resolve) => setTimeout(resolve));
      assert.equal(page.document.documentElement.outerHTML, before, state);
      assert.equal(ask("describe").view, "none");
      page.window.browser.runtime = runtime;
    }
  });
}

test("a page written anew while its answer is computed gets no answer, and says so", () => {
  const page = openPage(HTML);
  asker(page)("snapshot", LIMITS);
  page.document.documentElement.replaceWith(page.document.createElement("html"));
  const reply = page.sitestencil.main.run("answer", /** @type {any} */ ([ANSWER, {}]));
  assert.equal(/** @type {any} */ (reply).isRewritten, true);
});

test("work ends quietly on a port that the other end has closed", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot", LIMITS);
  page.ports[0].postMessage = () => { throw new Error("Attempting to use a disconnected port object"); };
  ask("stop");
  ask("snapshot", LIMITS);
  assert.equal(page.ports.length, 2);
});

test("an early answer shows, the next one replaces it, and without one the page is brought back and forgotten", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  const before = page.document.documentElement.outerHTML;
  ask("snapshot", LIMITS);
  ask("answer", { template: [[0, 4]], content_texts: [], early: true });
  ask("show", TEMPLATE);
  // Here no rule acts on the marks, so that each hidden element gets one.
  assert.deepEqual(marks(page.document), ["main: hide", "nav: hide"]);
  ask("answer", { ...ANSWER, early: true });
  ask("show", TEMPLATE);
  assert.deepEqual(marks(page.document), ["main: hide", "nav: show"]);
  assert.equal(page.ports[0].open, true);
  ask("stop");
  assert.equal(page.document.documentElement.outerHTML, before);
  assert.equal(ask("describe").view, "none");
  assert.throws(() => ask("answer", ANSWER), /no snapshot/);
});

test("an exception while the page is marked brings it back, is told, and the next view shows", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  const { marks: own } = page.sitestencil;
  const { put } = own;
  const before = page.document.documentElement.outerHTML;
  ask("snapshot", LIMITS);
  ask("answer", ANSWER);
  for (const commands of [["show"], ["show", "show"], ["show", "grown"]]) {
    for (const name of commands.slice(0, -1)) ask(name, TEMPLATE);
    let left = 1;
    own.put = (...mark) => {
      if (!left--) throw new Error("No such node.");
      put(...mark);
    };
    assert.throws(() => ask(commands.at(-1), ...(commands.at(-1) === "show" ? [orderOf({ name: "content", closeGaps: true })] : [])), /No such node/);
    own.put = put;
    assert.equal(page.document.documentElement.outerHTML, before, commands.join());
    assert.equal(ask("describe").view, "original");
  }
  ask("show", TEMPLATE);
  assert.deepEqual(marks(page.document), ["main: hide", "nav: show"]);
});
