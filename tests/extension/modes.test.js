import assert from "node:assert/strict";
import { test } from "node:test";
import { MODES, firstMode, hidesAnything, isMode } from "../../extension/background/modes.js";
import { messagePanel, orderOf } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
const names = /** @type {Array<keyof typeof MODES>} */ (Object.keys(MODES));

test("clicks lead from every mode to another, and from any back to the page as it is", () => {
  for (const name of names) {
    assert.ok(isMode(MODES[name].click));
    assert.notEqual(MODES[name].click, name);
    const seen = new Set([name]);
    for (let next = MODES[name].click; !seen.has(next); next = MODES[next].click) seen.add(next);
    assert.ok(seen.has("original"), name);
  }
});

test("an answer is first shown as the template, without content", () => {
  assert.equal(firstMode({}), "template");
  assert.equal(MODES.template.hides, "content");
  assert.equal(hidesAnything("template"), true);
});

test("the page as it is hides nothing and needs no panel, as the page that nothing is known of", () => {
  assert.deepEqual(orderOf({ name: "original" }), { mode: "original" });
  assert.equal(hidesAnything("original"), false);
  assert.equal(hidesAnything("none"), false);
});

test("a guess hides nothing until it is asked for, and its panel says what is wrong", () => {
  assert.equal(firstMode({ doubt: "alone" }), "doubtful");
  assert.equal(hidesAnything("doubtful"), false);
  const { hides, panel } = orderOf({ name: "doubtful", doubt: "alone" });
  assert.equal(hides, undefined);
  assert.match(panel?.sentence ?? "", /alone on its site.*Try/);
  assert.deepEqual(panel?.buttons.map(({ name, label }) => [name, label]), [["template", "Show the guess"], ["original", "Cancel"]]);
});

test("a panel leads to other modes only, and can be closed or left for the page as it is", () => {
  for (const name of names) {
    const { panel } = MODES[name];
    for (const button of panel) assert.ok(button === "save" || button === "close" || (isMode(button) && button !== name), button);
    assert.equal(panel.includes("close") || panel.includes("original"), panel.length > 0);
  }
});

test("the template's panel says what its buttons do", () => {
  const { panel } = orderOf({ name: "template" });
  assert.deepEqual(panel, {
    sentence: "",
    buttons: [
      { name: "save", label: "Save as HTML", description: "Save as HTML" },
      { name: "original", label: "Show page", description: "Show page" },
      { name: "close", label: "\u00d7", description: "Close this panel" },
    ],
  });
});

test("a sentence stands in a panel that closes by itself", () => {
  const { sentence, buttons, closesAfterMs } = messagePanel("The moon is in the way.");
  assert.equal(sentence, "The moon is in the way.");
  assert.deepEqual(buttons.map(({ name }) => name), ["close"]);
  assert.ok(closesAfterMs && closesAfterMs > 5_000);
});

test("what a page names is a mode only if it is one", () => {
  for (const wrong of ["none", "toString", "__proto__", "", null, 1]) assert.equal(isMode(wrong), false);
  assert.equal(isMode("template"), true);
});
