import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, plain } from "./page.js";

/** @param {ReturnType<typeof openPage>} page */
const snapshotOf = ({ sitestencil, document }) => plain(sitestencil.snapshot.take(document).snapshot);

test("elements stand in document order, each after its parent", () => {
  const page = openPage("<!doctype html><title>T</title><body><div><p>One</p></div><a href=/b>Next</a>");
  const { names, tags, parents } = snapshotOf(page);
  assert.deepEqual(tags.map((/** @type {number} */ tag) => names[tag]), ["html", "head", "title", "body", "div", "p", "a"]);
  assert.deepEqual(parents, [-1, 0, 1, 0, 3, 4, 3]);
});

test("it has the server's status of the page, until a script changes the address", () => {
  const page = openPage("<body>");
  assert.equal(snapshotOf(page).status, 203);
  page.window.history.pushState(null, "", "#part");
  assert.equal(snapshotOf(page).status, 203);
  page.window.history.pushState(null, "", "/other");
  assert.equal(snapshotOf(page).status, 0);
});

test("elements are numbered as querySelectorAll numbers them where there is no frame and no shadow root", () => {
  const page = openPage("<body><ul><li>a<li>b<b>c</b></ul><svg><g><path/></g></svg><template><i>no</i></template><table><tr><td>x");
  const { elements } = page.sitestencil.tree.treeOf(page.document);
  assert.deepEqual([...elements], [...page.document.querySelectorAll("*")]);
});

test("texts say which element holds them and which stands before, and white space is left out", () => {
  const page = openPage("<body><p>one <b>two</b> three<br> \n </p>four");
  const { texts } = snapshotOf(page);
  assert.deepEqual(texts, [[3, -1, "one "], [4, -1, "two"], [3, 4, " three"], [2, 3, "four"]]);
});

test("the text of scripts, styles and noscript is left out", () => {
  const page = openPage("<body><style>p{}</style><noscript>no</noscript><p>yes");
  page.document.body.append(Object.assign(page.document.createElement("script"), { type: "text/plain", text: "no" }));
  assert.deepEqual(snapshotOf(page).texts.map((/** @type {any[]} */ text) => text[2]), ["yes"]);
});

test("of JSON-LD it has what says whether the page is free", () => {
  const scripts = ['{"isAccessibleForFree": false}', '{"name": "Jo"}', `{"isAccessibleForFree": true, "x": "${"x".repeat(100_000)}"}`];
  const page = openPage(scripts.map((text) => `<script type="application/LD+json">${text}</script>`).join(""));
  assert.deepEqual(snapshotOf(page).json_ld, [scripts[0]]);
});

test("long attribute values are sent empty, but for id, class and link addresses", () => {
  const page = openPage("<body>");
  const long = "x".repeat(2049);
  for (const name of ["id", "class", "href", "data-long"]) page.document.body.setAttribute(name, long);
  page.document.body.setAttribute("title", "x".repeat(2048));
  const [, , flat] = snapshotOf(page).attributes;
  assert.deepEqual(flat, ["id", long, "class", long, "href", long, "data-long", "", "title", "x".repeat(2048)]);
});

test("an open shadow root is a template element, the first child of its host, with its tree below it", () => {
  const page = openPage("<body><x-card>light</x-card><p>after");
  const host = /** @type {Element} */ (page.document.querySelector("x-card"));
  host.attachShadow({ mode: "open" }).append("shadow text", page.document.createElement("slot"));
  const { names, tags, parents, attributes, texts } = snapshotOf(page);
  assert.deepEqual(tags.map((/** @type {number} */ tag) => names[tag]), ["html", "head", "body", "x-card", "template", "slot", "p"]);
  assert.deepEqual(parents, [-1, 0, 0, 2, 3, 4, 2]);
  assert.deepEqual(attributes[4], ["shadowrootmode", "open"]);
  assert.deepEqual(texts, [[4, -1, "shadow text"], [3, 4, "light"], [6, -1, "after"]]);
});

test("a closed shadow root is left out", () => {
  const page = openPage("<body><x-card>light</x-card>");
  page.document.querySelector("x-card")?.attachShadow({ mode: "closed" }).append("secret");
  assert.doesNotMatch(JSON.stringify(snapshotOf(page)), /secret|template/);
});

test("the document of a same-origin frame is an html element below the frame", () => {
  const page = openPage("<body><iframe></iframe><p>after");
  const frame = /** @type {HTMLIFrameElement} */ (page.document.querySelector("iframe"));
  /** @type {Document} */ (frame.contentDocument).body.append("in the frame");
  const { names, tags, parents, texts } = snapshotOf(page);
  assert.deepEqual(tags.map((/** @type {number} */ tag) => names[tag]), ["html", "head", "body", "iframe", "html", "head", "body", "p"]);
  assert.deepEqual(parents, [-1, 0, 0, 2, 3, 4, 4, 2]);
  assert.deepEqual(texts[0], [6, -1, "in the frame"]);
});

test("a form whose fields are called like properties of nodes is read all the same", () => {
  const fields = ["attributes", "parentNode", "firstChild", "nextSibling", "localName", "nodeType", "getAttribute", "shadowRoot", "childNodes"];
  const page = openPage(`<body><form id=f class=c>${fields.map((name) => `<input name=${name}>`).join("")}</form><p>after`);
  const { names, tags, attributes, parents } = snapshotOf(page);
  assert.equal(tags.length, 5 + fields.length);
  assert.equal(names[tags[3]], "form");
  assert.deepEqual(attributes[3], ["id", "f", "class", "c"]);
  assert.deepEqual(parents.slice(4), [...fields.map(() => 3), 2]);
});

test("a page that scripts nested deeper than parsers do is read", () => {
  const page = openPage("<body>");
  let inner = page.document.body;
  for (let depth = 0; depth < 700; depth++) inner = inner.appendChild(page.document.createElement("div"));
  assert.equal(page.sitestencil.tree.treeOf(page.document).elements.length, 703);
});

test("half of a surrogate pair is replaced, as no JSON in UTF-8 can hold it", () => {
  const page = openPage("<body><p>");
  const p = /** @type {Element} */ (page.document.querySelector("p"));
  p.append("a\ud83d");
  p.setAttribute("title", "\ude00b");
  const { texts, attributes } = snapshotOf(page);
  assert.equal(texts[0][2], "a\ufffd");
  assert.deepEqual(attributes[3], ["title", "\ufffdb"]);
});

test("address, base, doctype and scripting are the document's", () => {
  const page = openPage("<!doctype html><base href=/sub/><p>");
  const { url, base, doctype, scripting } = snapshotOf(page);
  assert.deepEqual({ url, base, doctype, scripting }, { url: "https://example.org/news/a.html", base: "https://example.org/sub/", doctype: "html", scripting: true });
  assert.equal(snapshotOf(openPage("<p>quirks")).doctype, null);
});

test("elements tell that their line ends show, and few are asked for it", () => {
  const style = ".a, code{white-space:pre-wrap} .b{white-space:pre-line} .c{white-space:preserve nowrap} .d{white-space:preserve-spaces}";
  const page = openPage(`<style>${style}</style><body>
    <p>one
    line</p> <p class=a>one</p> <p class=a>one\ntwo<br>\nthree</p><div class=a>\n<p class=b>\nfour</p></div><p class=c>1\n2<p class=d>\n5
    <div class=a><span>one</span>\n<span>two</span></div>`);
  const { dom, snapshot, tree } = page.sitestencil;
  const { styleOf } = dom;
  let asked = 0;
  dom.styleOf = (element) => (asked++, styleOf(element));
  const capture = plain(snapshot.of(page.document, tree.treeOf(page.document), () => []));
  const kept = capture.lines.flatMap((/** @type {[number, number]} */ [start, end]) => tree.treeOf(page.document).elements.slice(start, end));
  assert.deepEqual(kept.map((/** @type {Element} */ element) => element.className), ["a", "b", "c", "a"]);
  assert.equal(asked, 6);
});

test("the style that tells of a slotted text's line ends is its slot's", () => {
  const page = openPage("<body><x-card>one\ntwo</x-card>");
  const host = /** @type {Element} */ (page.document.querySelector("x-card"));
  host.attachShadow({ mode: "open" }).innerHTML = "<div><slot style='white-space: pre'></slot></div>";
  assert.deepEqual(snapshotOf(page).lines, [[3, 4]]);
});

test("taking a snapshot changes nothing in the page", () => {
  const page = openPage("<!doctype html><body><form><input name=attributes></form><iframe></iframe><p style=''>x");
  const before = page.document.documentElement.outerHTML;
  snapshotOf(page);
  assert.equal(page.document.documentElement.outerHTML, before);
});

test("each element has its box, in whole pixels from the page's corner however far it is scrolled", () => {
  const page = openPage("<body><p>one</p><x-card></x-card>");
  const host = /** @type {Element} */ (page.document.querySelector("x-card"));
  host.attachShadow({ mode: "open" });
  /** @type {Record<string, [number, number, number, number]>} */
  const rects = { HTML: [-20, -300, 900, 600], BODY: [-12, -292, 884, 584], P: [-12, -200.4, 100.6, 20], "X-CARD": [8, 9, 0, 0] };
  Object.assign(page.sitestencil.dom, {
    rect: (/** @type {Node} */ element) => {
      const [left, top, width, height] = rects[element.nodeName] ?? [-20, -300, 0, 0];
      return { left, top, width, height };
    },
    scrollWidth: () => 1000,
    scrollHeight: () => 5000,
  });
  assert.deepEqual(snapshotOf(page).boxes, [
    [0, 0, 1000, 5000],
    [0, 0, 0, 0],
    [8, 8, 884, 584],
    [8, 100, 101, 20],
    [28, 309, 0, 0],
    [0, 0, 0, 0],
  ]);
});
