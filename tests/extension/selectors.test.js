/** The extension and the library read selectors, names and boxes alike; tests/library/selectors/test_shared_cases.py reads the same table. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isSelector, rulesIn } from "../../extension/rules.js";
import { openPage } from "./page.js";

const CASES = JSON.parse(readFileSync(new URL("../support/selector_cases.json", import.meta.url), "utf8"));
/** @type {(name: string) => Array<[string, boolean]>} */
const casesOf = (name) => Object.entries(CASES[name]);

test("a rule's selector is made of names, classes, ids, attributes, numbers and combinators", () => {
  for (const [selector, isOne] of casesOf("selectors of rules")) assert.equal(isSelector(selector), isOne, selector);
});

test("a page is of a kind if each box has the tag and at least half of the names", () => {
  const { selectors } = openPage(CASES.page).sitestencil;
  for (const [boxes, has] of casesOf("boxes of the page")) assert.equal(selectors.isKind(boxes.split(" ").filter(Boolean)), has, boxes);
});

test("a box is a tag with ids and classes", () => {
  for (const [box, isBox] of casesOf("boxes")) {
    const file = JSON.stringify({ sitestencil_rules: 1, sites: { "a.example": [{ selector: "p", is: "content", where: [box] }] } });
    assert.equal("sites" in rulesIn(file), isBox, box);
  }
});

test("a name that is a number or a hash does not last", () => {
  for (const [name, lasts] of casesOf("names that last")) {
    const page = openPage(`<p>One<p id="${name}">Two`);
    const tree = page.sitestencil.tree.treeOf(page.document);
    const { exact } = /** @type {Names} */ (page.sitestencil.selectors.of(tree, tree.names.lastIndexOf("p")));
    assert.equal(exact === `#${name}`, lasts, name);
  }
});
