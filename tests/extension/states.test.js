import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { CLICKS, LOOKS, lookOf, stateAtClick } from "../../extension/background/states.js";

test("the first click looks for the template, and a click while working cancels", () => {
  assert.deepEqual(CLICKS[stateAtClick(false, "none")], { to: "working", effect: "extract" });
  assert.deepEqual(CLICKS[stateAtClick(true, "none")], { to: "idle", effect: "cancel" });
});

test("a click on the template brings the page back, and the next shows the template without looking again", () => {
  assert.deepEqual(CLICKS[stateAtClick(false, "template")], { to: "original", effect: "restore" });
  assert.deepEqual(CLICKS[stateAtClick(false, "original")], { to: "template", effect: "show" });
});

test("a click after an error tries again", () => {
  assert.equal(CLICKS.error.effect, "extract");
  assert.equal(CLICKS.impossible.effect, "extract");
});

test("the badge counts the pages loaded while working", () => {
  assert.equal(lookOf({ name: "working" }).badge, "…");
  const { badge, title } = lookOf({ name: "working", pagesLoaded: 2, pagesWanted: 3 });
  assert.equal(badge, "2");
  assert.match(title, /2 of 3 loaded. Click to cancel/);
  assert.match(lookOf({ name: "working", pagesLoaded: 2, pagesWanted: null }).title, /, 2 loaded/);
});

test("the template's title says how sure the detector is, and whether more pages would help", () => {
  const title = (/** @type {import("../../extension/background/results.js").Summary} */ summary) =>
    lookOf({ name: "template", summary }).title;
  assert.match(title({ sureness: 0.987, more_pages: 0 }), /this is the template, sure of 98 % of it\. Click/);
  assert.match(title({ sureness: 0.8, more_pages: 2 }), /80 % of it; 2 more pages of this kind would help\. Click/);
  assert.match(title({ sureness: 0.8, more_pages: 1 }), /; 1 more page of this kind would help\. Click/);
  assert.match(title({ sureness: null, more_pages: null }), /this is the template\. Click/);
});

test("an error and a page where nothing is possible say why in the title", () => {
  assert.match(lookOf({ name: "error", message: "No other page." }).title, /No other page\. Click to try again/);
  assert.match(lookOf({ name: "impossible", message: "this is not a web page." }).title, /not possible here: this is not a web page/);
});

test("every state has a title of its own and icons in all sizes", () => {
  const names = /** @type {Array<keyof typeof LOOKS>} */ (Object.keys(LOOKS));
  assert.equal(new Set(names.map((name) => lookOf({ name }).title)).size, names.length);
  for (const name of names) {
    for (const size of [16, 32, 48, 128]) {
      assert.ok(existsSync(new URL(`../../extension/icons/${LOOKS[name].icon}-${size}.png`, import.meta.url)));
    }
  }
});
