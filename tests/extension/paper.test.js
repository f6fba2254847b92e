import assert from "node:assert/strict";
import { test } from "node:test";
import { orderOf } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";
import { asker, openPage } from "./page.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
const LIMITS = { elements: 100_000, bytes: 1_000_000 };
const STORY = "<nav id=nav>Menu</nav><div id=clear><div id=tint style='background-color: rgba(0, 0, 0, 0.1)'><p id=story>News</p></div></div>";
const PAGE = `<body id=body style='background-color: #222'><div id=far style='background-color: red'><div id=light style='background-color: white'>${STORY}</div></div>`;

/**
 * @param {string} html with only the last element content
 * @param {object} [order]
 */
function papersOf(html, order) {
  const { document, ...page } = openPage(html);
  const ask = asker({ document, ...page });
  const before = document.documentElement.outerHTML;
  ask("snapshot", LIMITS);
  ask("answer", { template: [[0, document.querySelectorAll("*").length - 1]], content_texts: [] });
  ask("show", { ...orderOf({ name: "content" }), ...order });
  const papers = [...document.querySelectorAll("[data-sitestencil=paper]")].map(({ id }) => id);
  ask("show", orderOf({ name: "original" }));
  assert.equal(document.documentElement.outerHTML, before);
  return papers;
}

test("below the content stay the colours that it stands on, up to the first that nothing shines through", () => {
  assert.deepEqual(papersOf(PAGE), ["light", "tint"]);
});

test("a reading style has a paper of its own, and the template stands where it stood", () => {
  assert.deepEqual(papersOf(PAGE, { reading: "sepia", closeGaps: true }), []);
  assert.deepEqual(papersOf(PAGE, orderOf({ name: "template" })), []);
});

test("the body's colour is the canvas's, unless the root has one", () => {
  const body = "<body id=body style='background-color: white'><p>News</p>";
  assert.deepEqual(papersOf(body), []);
  assert.deepEqual(papersOf(`<html style='background-color: #222'>${body}`), ["body"]);
});
