import assert from "node:assert/strict";
import { test } from "node:test";
import { orderOf } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";
import { asker, byPerson, openPage, plain } from "./page.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
const LIMITS = { elements: 100_000, bytes: 1_000_000 };
const TEMPLATE = orderOf({ name: "template" });
const ORIGINAL = orderOf({ name: "original" });

/** @param {Document} document */
const marks = (document) =>
  [...document.querySelectorAll("[data-sitestencil]")].map((element) => `${element.id}: ${element.getAttribute("data-sitestencil")}`);

const HTML = "<!doctype html><body id=body><header id=header>Site</header><main id=main>News<nav id=nav>Menu</nav></main>";
const ANSWER = { template: [[0, 4], [5, 6]], content_texts: [] };

test("a page is first unknown, then shows its template, then itself, and remembers the answer", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  assert.equal(ask("describe").view, "none");
  assert.equal(JSON.parse(ask("snapshot", LIMITS).json).tags.length, 6);
  ask("answer", ANSWER);
  ask("show", TEMPLATE);
  assert.equal(ask("describe").view, "template");
  assert.deepEqual(marks(page.document), ["main: hide", "nav: show"]);
  ask("show", ORIGINAL);
  assert.equal(ask("describe").view, "original");
  ask("show", TEMPLATE);
  assert.deepEqual(marks(page.document), ["main: hide", "nav: show"]);
});

test("a mode that hides the template marks the page the other way round, and the way back is the same", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  const before = page.document.documentElement.outerHTML;
  ask("snapshot", LIMITS);
  ask("answer", ANSWER);
  ask("show", TEMPLATE);
  ask("show", { ...TEMPLATE, hides: "template" });
  // Here no rule acts on the marks, so that each hidden element gets one.
  assert.deepEqual(marks(page.document), [": hide", "body: hide", "header: hide", "main: show", "nav: hide"]);
  ask("show", ORIGINAL);
  assert.equal(page.document.documentElement.outerHTML, before);
});

test("scores stay with the answer, and scores of other elements are refused", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot", LIMITS);
  assert.throws(() => ask("answer", { ...ANSWER, scores: ["AAA="] }), /scores of 2 elements, of 6/);
  ask("answer", { ...ANSWER, scores: [Buffer.from([0, 1, 2, 3, 4, 5]).toString("base64")] });
  assert.equal(ask("describe").view, "original");
});

test("closed gaps take marks of their own, and where a text goes its line goes too", () => {
  const page = openPage("<body id=body><main id=main>News</main><h1 id=h>Jane</h1>");
  const ask = asker(page);
  const before = page.document.documentElement.outerHTML;
  ask("snapshot", LIMITS);
  ask("answer", { template: [[0, 3], [4, 5]], content_texts: [[1, 2]] }, {});
  ask("show", orderOf({ name: "template", closeGaps: true }));
  assert.deepEqual(marks(page.document), ["main: gone", "h: flat"]);
  ask("show", TEMPLATE);
  assert.deepEqual(marks(page.document), ["main: hide", "h: unline"]);
  ask("show", ORIGINAL);
  assert.equal(page.document.documentElement.outerHTML, before);
});

test("what was scrolled when the gaps were closed is scrolled as before on the page again", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  const main = /** @type {Element} */ (page.document.getElementById("main"));
  /** @type {any[]} */
  const scrolled = [];
  page.sitestencil.dom.scrollTo = (...where) => void scrolled.push(where);
  main.scrollTop = 77;
  ask("snapshot", LIMITS);
  ask("answer", ANSWER, {});
  ask("show", orderOf({ name: "template", closeGaps: true }));
  main.scrollTop = 0;
  ask("show", orderOf({ name: "content", closeGaps: true }));
  ask("show", ORIGINAL);
  assert.deepEqual(scrolled, [[main, 0, 77]]);
});

test("the page keeps what is known of its answer, and says it when it comes back", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot", LIMITS);
  ask("answer", ANSWER, { confidence: 0.9 });
  ask("show", orderOf({ name: "content" }));
  assert.deepEqual(ask("describe"), { webPage: true, view: "content", about: { confidence: 0.9 } });
  const event = new page.window.Event("pageshow");
  Object.defineProperty(event, "persisted", { value: true });
  byPerson(page.window, event);
  assert.deepEqual(plain(page.messages), [{ type: "returned" }]);
});

test("content text in a template element is highlighted, which changes no node, until the page is restored", () => {
  const page = openPage("<body><p id=p>By <b>line</b> Jane</p>");
  const ask = asker(page);
  ask("snapshot", LIMITS);
  ask("answer", { template: [[0, 5]], content_texts: [[2, 3]] });
  ask("show", TEMPLATE);
  const texts = [...page.window.CSS.highlights.get("sitestencil-content")].map(String);
  assert.deepEqual(texts, [" Jane"]);
  assert.deepEqual(marks(page.document), []);
  ask("show", ORIGINAL);
  assert.equal(page.window.CSS.highlights.size, 0);
});

test("where a link's whole text is content, the line below it goes too, and a text field's text", () => {
  const page = openPage("<body><a id=a href=x style='text-decoration: underline'>Jane</a><textarea id=f>Jane</textarea>");
  page.document.getElementById("a")?.style.setProperty("text-decoration-line", "underline");
  const ask = asker(page);
  ask("snapshot", LIMITS);
  ask("answer", { template: [[0, 5]], content_texts: [[0, 2]] });
  ask("show", TEMPLATE);
  assert.deepEqual(marks(page.document), ["a: unline", "f: clear"]);
});

test("restoring leaves the page as it was, panel and all", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  const before = page.document.documentElement.outerHTML;
  ask("snapshot", LIMITS);
  ask("answer", ANSWER);
  ask("show", TEMPLATE);
  assert.notEqual(page.document.documentElement.outerHTML, before);
  ask("show", ORIGINAL);
  assert.equal(page.document.documentElement.outerHTML, before);
});

test("the focus goes back where hiding took it from", () => {
  const page = openPage(HTML.replace("News", "<input id=field>"));
  const ask = asker(page);
  const field = /** @type {HTMLElement} */ (page.document.getElementById("field"));
  field.focus();
  ask("snapshot", LIMITS);
  ask("answer", { template: [[0, 4], [6, 7]], content_texts: [] });
  ask("show", TEMPLATE);
  field.blur();
  ask("show", ORIGINAL);
  assert.equal(page.document.activeElement, field);
});

test("the page holds a port open while it is worked on, and says so when it is done", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot", LIMITS);
  assert.equal(page.ports[0].open, true);
  ask("answer", ANSWER);
  assert.deepEqual([page.ports[0].open, page.ports[0].said], [false, ["done"]]);
});

test("a page that is left while it is worked on closes its port without a word", () => {
  const page = openPage(HTML);
  asker(page)("snapshot", LIMITS);
  byPerson(page.window, new page.window.Event("pagehide"));
  assert.deepEqual([page.ports[0].open, page.ports[0].said], [false, []]);
});

test("a page that moves on within its document while it shows as it is is forgotten", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  const before = page.document.documentElement.outerHTML;
  ask("snapshot", LIMITS);
  ask("answer", ANSWER);
  page.window.history.pushState(null, "", "/other");
  assert.equal(ask("describe").view, "none");
  assert.equal(page.document.documentElement.outerHTML, before);
  assert.deepEqual(plain(page.messages), [{ type: "moved" }]);
});

test("a jump to an anchor is no other page", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot", LIMITS);
  ask("answer", ANSWER);
  page.window.location.hash = "#main";
  assert.equal(ask("describe").view, "original");
});

test("an answer that does not fit the snapshot is an error with a sentence, and marks nothing", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot", LIMITS);
  assert.throws(() => ask("answer", { template: [[0, 99]], content_texts: [] }), /names nodes 0 to 99 of 6/);
  assert.throws(() => ask("show", TEMPLATE), /Nothing is known/);
  assert.deepEqual(marks(page.document), []);
});

test("an element that the page has taken out meanwhile is left alone", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  const main = /** @type {Element} */ (page.document.getElementById("main"));
  ask("snapshot", LIMITS);
  main.remove();
  ask("answer", ANSWER);
  ask("show", TEMPLATE);
  assert.equal(main.hasAttribute("data-sitestencil"), false);
});

test("a document whose forms are called like its own properties is shown, restored and saved all the same", () => {
  const names = ["contentType", "documentElement", "defaultView", "activeElement", "createElement", "createRange", "title", "URL", "doctype", "baseURI"];
  const page = openPage(`<!doctype html><body><p class=c>News</p>By Jane${names.map((name) => `<form name=${name}></form>`).join("")}`);
  const ask = asker(page);
  const root = /** @type {Element} */ (page.document.querySelector("html"));
  const before = root.outerHTML;
  assert.equal(ask("describe").webPage, true);
  assert.equal(JSON.parse(ask("snapshot", LIMITS).json).url, "https://example.org/news/a.html");
  ask("answer", { template: [[0, 3], [4, 4 + names.length]], content_texts: [[1, 2]] });
  ask("show", TEMPLATE);
  assert.equal(page.document.querySelector("p")?.getAttribute("data-sitestencil"), "hide");
  ask("show", ORIGINAL);
  assert.equal(root.outerHTML, before);
});

test("a page that is too large is not sent, but its number is, and nothing is held of it", () => {
  const page = openPage(`<body title="${"x".repeat(500)}">${"<i></i>".repeat(20)}`);
  const ask = asker(page);
  assert.deepEqual(ask("snapshot", { elements: 22, bytes: 10_000 }), { elements: 23 });
  assert.deepEqual(Object.keys(ask("snapshot", { elements: 23, bytes: 400 })), ["bytes"]);
  assert.deepEqual(Object.keys(ask("snapshot", { elements: 23, bytes: 600 })), ["bytes"]);
  assert.deepEqual(Object.keys(ask("snapshot", { elements: 23, bytes: 10_000 })), ["json", "ms", "status"]);
  assert.equal(page.ports.length, 1);
});

test("the rule against fading is used only where something may fade", () => {
  const fades = (/** @type {string} */ html) => {
    const page = openPage(html);
    return page.sitestencil.files.mayFade(page.sitestencil.tree.treeOf(page.document));
  };
  assert.equal(fades("<style>p { color: red }</style><p style='color: blue'>"), false);
  assert.equal(fades("<style>@media all { p::before { transition: all 1s } }</style><p>"), true);
  assert.equal(fades("<p style='transition: all 1s'>"), true);
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test("marks that the page takes off or puts on are set right once, and then it is said and left", async () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot", LIMITS);
  ask("answer", ANSWER);
  ask("show", TEMPLATE);
  const main = /** @type {Element} */ (page.document.getElementById("main"));
  main.removeAttribute("data-sitestencil");
  page.document.body.setAttribute("data-sitestencil", "show");
  await settled();
  assert.deepEqual(marks(page.document), ["main: hide", "nav: show"]);
  assert.deepEqual(page.messages, []);
  for (let times = 0; times < 3; times++) {
    main.setAttribute("data-sitestencil", "show");
    await settled();
  }
  assert.deepEqual(plain(page.messages), [{ type: "undone", mode: "template" }]);
  ask("show", ORIGINAL);
  assert.deepEqual(marks(page.document), []);
  await settled();
  assert.equal(page.messages.length, 1);
});

test("a page whose background goes while it is worked on says so to the next one", async () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot", LIMITS);
  const before = page.document.documentElement.outerHTML;
  ask("answer", { ...ANSWER, early: true });
  ask("show", TEMPLATE);
  page.ports[0].drop();
  assert.equal(page.document.documentElement.outerHTML, before);
  assert.throws(() => ask("answer", ANSWER), /no snapshot/);
  await new Promise((resolve) => setTimeout(() => resolve(assert.deepEqual(plain(page.messages), [{ type: "interrupted" }])), 800));
});

test("a page that is worked on again asks no more for a background", async () => {
  const page = openPage(HTML);
  const ask = asker(page);
  let asked = 0;
  page.window.browser.runtime.sendMessage = async () => void asked++;
  ask("snapshot", LIMITS);
  page.ports[0].drop();
  ask("snapshot", LIMITS);
  await new Promise((resolve) => setTimeout(resolve, 800));
  assert.equal(asked, 0);
});

test("a page asks again until the next background answers", async () => {
  const page = openPage(HTML);
  const answers = [() => Promise.reject(new Error("Receiving end does not exist.")), () => Promise.resolve(), () => Promise.resolve(true)];
  let asked = 0;
  page.window.browser.runtime.sendMessage = () => answers[asked++]();
  asker(page)("snapshot", LIMITS);
  page.ports[0].drop();
  await new Promise((resolve) => setTimeout(resolve, 2500));
  assert.equal(asked, 3);
});
