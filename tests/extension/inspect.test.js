import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { orderOf } from "../../extension/background/panels.js";
import { Assembly } from "../../extension/background/parts.js";
import { i18n } from "./i18n.js";
import { asker, byPerson, openPage, panelOf, plain } from "./page.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
const LIMITS = { elements: 100_000, bytes: 1_000_000 };
const HTML = "<!doctype html><body><header id=top class='wide bar'>Site</header><main>News<p>Story</main>";
const PAGES = ["https://example.org/a.html", "https://example.org/news/?page=2"];
const base64 = (/** @type {number[]} */ ...bytes) => Buffer.from(bytes).toString("base64");
const ROWS = [
  [255, 255, 255, 255, 0, 3],
  [0, 0, 0, 0, 5, 0],
  [255, 255, 128, 255, 4, 3],
  [255, 255, 255, 255, 0, 3],
  [255, 0, 0, 0, 0, 2],
  [0, 0, 0, 0, 2, 0],
];
const ANSWER = {
  template: [[0, 4]],
  content_texts: [],
  scores: [base64(255, 255, 255, 247, 20, 0)],
  reasons: { width: 6, rows: [base64(...ROWS.slice(0, 4).flat()), base64(...ROWS.slice(4).flat())] },
  pages: PAGES,
};

// The view looks again and again whether the page has moved, as long as it is open.
/** @type {Window[]} */
const windows = [];
afterEach(() => windows.splice(0).forEach((window) => window.close()));

/** A page in the inspect view. @param {any} [answer] */
function inspected(answer = ANSWER, html = HTML) {
  const page = openPage(html);
  windows.push(page.window);
  const { panel, button } = panelOf(page);
  // jsdom draws nothing and lays nothing out.
  page.window.HTMLCanvasElement.prototype.getContext = () => null;
  page.window.Element.prototype.scrollIntoView = () => {};
  const ask = asker(page);
  ask("snapshot", LIMITS);
  ask("answer", answer, {});
  ask("show", orderOf({ name: "inspect" }));
  const textsOf = (/** @type {string} */ selector) => Array.from(panel.root?.querySelectorAll(`[data-explanation] ${selector}`) ?? [], (line) => line.textContent);
  const lines = () => textsOf("> div > div");
  const more = () => textsOf("> details > div > div");
  const { MouseEvent, KeyboardEvent } = page.window;
  const point = (/** @type {string} */ selector, type = "mousemove") => {
    const event = new MouseEvent(type, { bubbles: true, cancelable: true, composed: true });
    return byPerson(page.document.querySelector(selector), event);
  };
  const press = (/** @type {string} */ key) =>
    byPerson(panel.root?.querySelector("button[aria-pressed]"), new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
  return { page, panel, button, lines, more, point, press };
}

test("pointing at an element tells what it is, how surely, why, and which pages have it", () => {
  const { lines, more, point } = inspected();
  assert.deepEqual(lines(), []);
  point("header");
  assert.deepEqual(lines(), [
    "header#top.wide",
    "Template, 97% confidence.",
    "It is here on 2 of 2 compared pages: /a.html, /news/?page=2",
  ]);
  assert.deepEqual(more(), [
    "Of the compared pages (similar ones count more), 100% have the same text there, 100% have all of it alike, and 100% have it somewhere.",
  ]);
  point("main");
  assert.deepEqual([lines()[1], lines()[2]], ["Content, 92% confidence.", "It is here on 1 of 2 compared pages: /news/?page=2"]);
  point("p");
  assert.deepEqual(lines().slice(1), [
    "Content, 100% confidence.",
    "No compared page has it.",
  ]);
});

test("an id cannot reorder the explanation's line", () => {
  const { page, lines, point } = inspected();
  page.document.querySelector("header")?.setAttribute("id", "a\u202eb\u2066c\u0007d\ud800");
  point("header");
  assert.equal(lines()[0], "header#abcd.wide");
});

test("a detector that only votes has a verdict and no reason", () => {
  const { lines, point } = inspected({ template: [[0, 4]], content_texts: [] });
  point("main");
  assert.deepEqual(lines(), ["main", "Content.", "This method gives no reasons."]);
});

test("a click selects an element and corrects nothing, and no script of the page learns of it", () => {
  const { page, button, lines, point } = inspected();
  /** @type {unknown[]} */
  const heard = [];
  page.document.querySelector("main")?.addEventListener("click", (event) => heard.push(event));
  assert.equal(button("only_page").style.display, "none");
  assert.equal(point("main", "click").defaultPrevented, true);
  assert.deepEqual([heard, plain(page.messages)], [[], []]);
  point("header");
  assert.equal(lines()[0], "main");
  assert.notEqual(button("only_page").style.display, "none");
  point("main", "click");
  point("header");
  assert.equal(lines()[0], "header#top.wide");
  assert.equal(button("only_page").style.display, "none");
});

test("a selected element has a preview: what a rule would switch on this page, and what the rule is", () => {
  const { lines, more, point } = inspected();
  point("header", "click");
  assert.deepEqual(lines().slice(2), ["Nothing tells this kind of page from others, so the correction may apply to other kinds, too.", "Make this element content:"]);
  assert.deepEqual([lines().length, more().length, more().at(-1)], [4, 3, "The correction applies to: #top"]);
  point("p", "click");
  assert.deepEqual(lines().slice(3), ["Make this element template:"]);
  assert.equal(more().at(-1), "The correction applies to: main > p");
});

test("a correction of what no compared page has says so", () => {
  const { lines, point } = inspected();
  point("p", "click");
  assert.equal(lines()[2], "No compared page has this element: on other pages the correction may change nothing.");
});

test("an icon selects the link or button that it stands for, and a picture itself", () => {
  const html = "<!doctype html><body><p><a class=buy href=/b><span><svg><g><path/></g></svg></span></a><svg id=map><circle/></svg>";
  const { lines, point } = inspected({ template: [[0, 3]], content_texts: [] }, html);
  point("path");
  assert.equal(lines()[0], "a.buy");
  point("circle");
  assert.equal(lines()[0], "svg#map");
});

test("the arrow keys widen a selection and narrow it again, from the page, too", () => {
  const { page, lines, point } = inspected();
  const { KeyboardEvent } = page.window;
  const type = (/** @type {string} */ key) => byPerson(page.document.body, new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  assert.equal(type("ArrowUp").defaultPrevented, false);
  point("p", "click");
  const visited = ["ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown"].map((key) => [type(key).defaultPrevented, lines()[0]]);
  assert.deepEqual(visited, [[true, "main"], [true, "body"], [true, "main"], [true, "p"], [true, "p"]]);
  assert.equal(type("a").defaultPrevented, false);
});

test("arrow keys in the panel lead from element to element", () => {
  const { lines, press } = inspected();
  const visited = ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"].map((key) => {
    press(key);
    return lines()[0];
  });
  assert.deepEqual(visited, ["html", "head", "body", "header#top.wide", "main", "p", "p", "main"]);
});

test("Escape drops the selection first, in the panel and in the page, and then ends the view", () => {
  const { page, button, lines, point, press } = inspected();
  const { KeyboardEvent } = page.window;
  for (const type of [press, (/** @type {string} */ key) => byPerson(page.document.body, new KeyboardEvent("keydown", { key, bubbles: true }))]) {
    point("main", "click");
    type("Escape");
    assert.deepEqual([lines(), button("all_pages").style.display, plain(page.messages)], [[], "none", []]);
  }
  press("Escape");
  assert.deepEqual(plain(page.messages), [{ type: "press", button: "original" }]);
});

test("the view ends with its panel, and leaves nothing", () => {
  const { page, panel, press } = inspected();
  assert.ok(panel.root?.querySelector("canvas"));
  press("Escape");
  assert.deepEqual(plain(page.messages), [{ type: "press", button: "original" }]);
  asker(page)("show", orderOf({ name: "original" }));
  assert.equal(page.document.documentElement.outerHTML.includes("sitestencil"), false);
  assert.equal(page.document.documentElement.children.length, 2);
});

test("blue is template and orange content, the paler the less sure", () => {
  const { colourOf } = openPage("").sitestencil.inspect;
  assert.equal(colourOf(1, 255), "rgb(10 90 190 / 0.45)");
  assert.equal(colourOf(1, 128), "rgb(10 90 190 / 0.10)");
  assert.equal(colourOf(0, 0), "rgb(225 95 0 / 0.45)");
  assert.equal(colourOf(1, undefined), colourOf(1, 255));
  assert.equal(colourOf(0, undefined), colourOf(0, 0));
  assert.equal(colourOf(0, 0, 1), "rgb(70 140 60 / 0.45)");
});

test("reasons of a result come in parts before it, and rows of another number of elements are refused", () => {
  const parts = new Assembly();
  const part = { type: /** @type {const} */ ("reasons"), id: 1, parts: 2, width: 6 };
  parts.addReasons({ ...part, part: 2, rows: "BBBB", own_names: [] });
  parts.addReasons({ ...part, part: 1, rows: "AAAA", own_names: ["cake"] });
  const summary = /** @type {any} */ ({ candidates: PAGES });
  const result = parts.add({ type: "result", id: 1, part: 1, parts: 1, template: [], content_texts: [], summary });
  assert.deepEqual(result?.answer, { template: [], content_texts: [], reasons: { width: 6, rows: ["AAAA", "BBBB"], ownNames: ["cake"] }, pages: PAGES });
  assert.throws(() => openPage("").sitestencil.reasons.decode({ width: 6, rows: [base64(1, 2, 3)] }, 1), /scores of 3 elements, of 6/);
});
