import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, plain } from "./page.js";

const { grounds, painted } = openPage("<p>Words").sitestencil;

test("the sample stands for the text by its length, and has a bound", () => {
  assert.deepEqual(plain(painted.spaced([])), []);
  assert.deepEqual(plain(painted.spaced([0, 0])), []);
  const found = painted.spaced([1000, 0, 3000]);
  assert.equal(found.length, 48);
  assert.deepEqual(plain(found[1]), [0, 125]);
  assert.deepEqual(plain(found[12]), [2, 41]);
  assert.ok(painted.spaced(new Array(100_000).fill(7)).length <= 48);
});

test("what could be read and no longer can be is lost", () => {
  assert.equal(painted.shareLost([], []), 0);
  assert.equal(painted.shareLost([2, 2, 0, 0], [2, 0, 0, 0]), 0.5);
  assert.equal(painted.shareLost([2, 2, 2, 2], [2, 0, 1, 2]), 0.5);
  assert.equal(painted.shareLost([2, 0, 0], [1, 1, 1]), 1);
  // A text on a ground that nobody could tell counts as it is, and none at all only where nothing shows.
  assert.equal(painted.shareLost([1, 1], [1, 2]), 0);
  assert.equal(painted.shareLost([1, 1], [1, 0]), 0.5);
  assert.equal(painted.shareLost([0, 0], [0, 0]), 1);
  assert.equal(painted.shareLost([0, 0], [0, 2]), 0);
});

test("a text differs from a ground of another lightness; an unknown colour may be any", () => {
  const white = "rgb(255, 255, 255)";
  assert.equal(grounds.differs(white, white), false);
  assert.equal(grounds.differs("rgb(240, 240, 240)", white), false);
  assert.equal(grounds.differs("rgb(255, 255, 0)", white), false);
  assert.equal(grounds.differs("rgb(118, 118, 118)", white), true);
  assert.equal(grounds.differs("rgba(0, 0, 0, 0.1)", white), false);
  assert.equal(grounds.differs("oklch(1 0 0)", white), true);
});

test("a shadow has its colour and lengths, and none has none", () => {
  assert.deepEqual(plain(grounds.shadowsIn("none")), []);
  assert.deepEqual(plain(grounds.shadowsIn("rgb(16, 24, 32) 0px 0px 1px 2000px inset, oklch(1 0 0) -1px 2px 40.5px")), [
    { colour: "rgb(16, 24, 32)", x: 0, y: 0, blur: 1, spread: 2000, isInset: true },
    { colour: "oklch(1 0 0)", x: -1, y: 2, blur: 40.5, spread: 0, isInset: false },
  ]);
});

test("a long text that holds all places is read once in each look", () => {
  const page = openPage(`<p>${" a wall".repeat(20_000)}`);
  const { Range, String, DOMRect } = page.window;
  let read = 0;
  page.sitestencil.dom.rect = () => new DOMRect(0, 0, 100, 100);
  Range.prototype.getClientRects = function () {
    read += this.endOffset - this.startOffset;
    return Array.from({ length: 3 }, () => new DOMRect(0, 0, 100, 10));
  };
  for (const name of ["indexOf", "replace"]) {
    const work = String.prototype[name];
    String.prototype[name] = function (/** @type {any[]} */ ...given) {
      read += this.length;
      return work.apply(this, given);
    };
  }
  const tree = page.sitestencil.tree.treeOf(page.document);
  const shown = { elements: new Uint8Array(tree.elements.length).fill(1), hiddenTexts: new Uint8Array(tree.texts.length) };
  const { spots, looks } = page.sitestencil.painted.sample(tree, shown);
  assert.equal(spots.length, 48);
  assert.equal(looks[0].line, 140_000 / 3);
  assert.ok(read < 4 * 140_000, String(read));
});
