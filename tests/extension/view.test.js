import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, plain } from "./page.js";

/** Asks the page as the background does. @param {ReturnType<typeof openPage>} page */
function asker({ sitestencil }) {
  return (/** @type {string} */ name, /** @type {any[]} */ ...parameters) => {
    const answer = plain(sitestencil.main.run(name, parameters));
    if (!answer.ok) throw new Error(answer.message);
    return answer.value;
  };
}

/** @param {Document} document */
const marks = (document) =>
  [...document.querySelectorAll("[data-sitestencil]")].map((element) => `${element.id}: ${element.getAttribute("data-sitestencil")}`);

const HTML = "<!doctype html><body id=body><header id=header>Site</header><main id=main>News<nav id=nav>Menu</nav></main>";
const ANSWER = { template: [[0, 4], [5, 6]], content_texts: [] };

test("a page is first unknown, then shows its template, then itself, and remembers the answer", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  assert.equal(ask("describe").view, "none");
  assert.equal(ask("snapshot").tags.length, 6);
  ask("answer", ANSWER);
  ask("show");
  assert.equal(ask("describe").view, "template");
  assert.deepEqual(marks(page.document), ["main: hide", "nav: show"]);
  ask("restore");
  assert.equal(ask("describe").view, "original");
  ask("show");
  assert.deepEqual(marks(page.document), ["main: hide", "nav: show"]);
});

test("content text in a template element is highlighted, which changes no node, until the page is restored", () => {
  const page = openPage("<body><p id=p>By <b>line</b> Jane</p>");
  const ask = asker(page);
  ask("snapshot");
  ask("answer", { template: [[0, 5]], content_texts: [[2, 3]] });
  ask("show");
  const texts = [...page.window.CSS.highlights.get("sitestencil-content")].map(String);
  assert.deepEqual(texts, [" Jane"]);
  assert.deepEqual(marks(page.document), []);
  ask("restore");
  assert.equal(page.window.CSS.highlights.size, 0);
});

test("where a link's whole text is content, the line below it goes too, and a text field's text", () => {
  const page = openPage("<body><a id=a href=x style='text-decoration: underline'>Jane</a><textarea id=f>Jane</textarea>");
  page.document.getElementById("a")?.style.setProperty("text-decoration-line", "underline");
  const ask = asker(page);
  ask("snapshot");
  ask("answer", { template: [[0, 5]], content_texts: [[0, 2]] });
  ask("show");
  assert.deepEqual(marks(page.document), ["a: unline", "f: clear"]);
});

test("restoring leaves the page as it was, panel and all", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  const before = page.document.documentElement.outerHTML;
  ask("snapshot");
  ask("answer", ANSWER);
  ask("show");
  assert.notEqual(page.document.documentElement.outerHTML, before);
  ask("restore");
  assert.equal(page.document.documentElement.outerHTML, before);
});

test("the focus goes back where hiding took it from", () => {
  const page = openPage(HTML.replace("News", "<input id=field>"));
  const ask = asker(page);
  const field = /** @type {HTMLElement} */ (page.document.getElementById("field"));
  field.focus();
  ask("snapshot");
  ask("answer", { template: [[0, 4], [6, 7]], content_texts: [] });
  ask("show");
  field.blur();
  ask("restore");
  assert.equal(page.document.activeElement, field);
});

test("the page holds a port open while it is worked on, and says so when it is done", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot");
  assert.equal(page.ports[0].open, true);
  ask("answer", ANSWER);
  assert.deepEqual([page.ports[0].open, page.ports[0].said], [false, ["done"]]);
});

test("a page that is left while it is worked on closes its port without a word", () => {
  const page = openPage(HTML);
  asker(page)("snapshot");
  page.window.dispatchEvent(new page.window.Event("pagehide"));
  assert.deepEqual([page.ports[0].open, page.ports[0].said], [false, []]);
});

test("a page that moves on within its document is restored and forgotten", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  const before = page.document.documentElement.outerHTML;
  ask("snapshot");
  ask("answer", ANSWER);
  ask("show");
  page.window.history.pushState(null, "", "/other");
  assert.equal(ask("describe").view, "none");
  assert.equal(page.document.documentElement.outerHTML, before);
  assert.deepEqual(plain(page.messages), [{ type: "moved" }]);
});

test("a jump to an anchor is no other page", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot");
  ask("answer", ANSWER);
  page.window.location.hash = "#main";
  assert.equal(ask("describe").view, "original");
});

test("an answer that does not fit the snapshot is an error with a sentence, and marks nothing", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot");
  assert.throws(() => ask("answer", { template: [[0, 99]], content_texts: [] }), /names nodes 0 to 99 of 6/);
  assert.throws(() => ask("show"), /Nothing is known/);
  assert.deepEqual(marks(page.document), []);
});

test("an element that the page has taken out meanwhile is left alone", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  const main = /** @type {Element} */ (page.document.getElementById("main"));
  ask("snapshot");
  main.remove();
  ask("answer", ANSWER);
  ask("show");
  assert.equal(main.hasAttribute("data-sitestencil"), false);
});

test("a document whose forms are called like its own properties is shown, restored and saved all the same", () => {
  const names = ["contentType", "documentElement", "defaultView", "activeElement", "createElement", "createRange", "title", "URL", "doctype", "baseURI"];
  const page = openPage(`<!doctype html><body><p class=c>News</p>By Jane${names.map((name) => `<form name=${name}></form>`).join("")}`);
  const ask = asker(page);
  const root = /** @type {Element} */ (page.document.querySelector("html"));
  const before = root.outerHTML;
  assert.equal(ask("describe").webPage, true);
  assert.equal(ask("snapshot").url, "https://example.org/news/a.html");
  ask("answer", { template: [[0, 3], [4, 4 + names.length]], content_texts: [[1, 2]] });
  ask("show");
  assert.equal(page.document.querySelector("p")?.getAttribute("data-sitestencil"), "hide");
  ask("restore");
  assert.equal(root.outerHTML, before);
});
