import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, plain } from "./page.js";

const { painted } = openPage("<p>Words").sitestencil;

test("the sample stands for the text by its length, and has a bound", () => {
  assert.deepEqual(plain(painted.spaced([])), []);
  assert.deepEqual(plain(painted.spaced([0, 0])), []);
  const found = painted.spaced([1000, 0, 3000]);
  assert.equal(found.length, 48);
  assert.equal(found.filter((place) => place === 0).length, 12);
  assert.ok(!found.includes(1));
  assert.ok(painted.spaced(new Array(100_000).fill(7)).length <= 48);
});

test("a view is lost if less than half of what could be read still can be", () => {
  assert.equal(painted.isLost([], []), false);
  assert.equal(painted.isLost([2, 2, 0, 0], [2, 0, 0, 0]), false);
  assert.equal(painted.isLost([2, 2, 2, 0], [2, 0, 1, 2]), true);
  // A text on a ground that nobody could tell counts for nothing, unless nothing shows.
  assert.equal(painted.isLost([0, 0], [1, 1]), false);
  assert.equal(painted.isLost([2, 0, 0], [1, 1, 1]), true);
  assert.equal(painted.isLost([0, 0], [0, 0]), true);
  assert.equal(painted.isLost([0, 0], [0, 2]), false);
});

test("a text differs from a ground of another lightness; an unknown colour may be any", () => {
  const white = "rgb(255, 255, 255)";
  assert.equal(painted.differs(white, white), false);
  assert.equal(painted.differs("rgb(240, 240, 240)", white), false);
  assert.equal(painted.differs("rgb(255, 255, 0)", white), false);
  assert.equal(painted.differs("rgb(118, 118, 118)", white), true);
  assert.equal(painted.differs("rgba(0, 0, 0, 0.1)", white), false);
  assert.equal(painted.differs("oklch(1 0 0)", white), true);
});

test("a shadow has its colours, and none has none", () => {
  assert.deepEqual(plain(painted.coloursIn("none")), []);
  assert.deepEqual(plain(painted.coloursIn("rgb(16, 24, 32) 0px 0px 0px 2000px inset, oklch(1 0 0) 0px 0px 1px")), ["rgb(16, 24, 32)", "oklch(1 0 0)"]);
});
