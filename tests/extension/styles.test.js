import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const [view, texts] = ["view", "texts"].map((name) => readFileSync(new URL(`../../extension/page/${name}.css`, import.meta.url), "utf8"));
const all = `${view}${texts}`.replace(/\/\*[^]*?\*\//g, "");

test("every mark that the page's scripts set has a rule", () => {
  const types = readFileSync(new URL("../../extension/types.d.ts", import.meta.url), "utf8");
  const marks = [...(/type Mark = ([^;]+);/.exec(types)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(([, mark]) => mark);
  assert.ok(marks.length > 0);
  for (const mark of marks) assert.ok(all.includes(`[data-sitestencil="${mark}"]`), mark);
});

/** @type {(list: string) => string[]} the selectors of a list, whose brackets can hold lists */
function parted(list) {
  let depth = 0;
  const marked = [...list].map((sign) => ((depth += Number(sign === "(") - Number(sign === ")")), sign === "," && depth === 0 ? "\n\n" : sign));
  return marked.join("").split("\n\n").map((one) => one.trim());
}

test("every rule acts on a mark or on the highlight, or is within one that does", () => {
  const selectors = [...all.matchAll(/([^{};]+)\{/g)].map(([, list]) => list.trim()).filter((list) => !list.startsWith("@media"));
  const each = selectors.flatMap(parted);
  assert.ok(each.length > 40);
  for (const selector of each) assert.match(selector, /^(&|(:where\()?\[data-sitestencil|::highlight\(sitestencil)/);
});

test("every declaration wins over the page's own", () => {
  for (const [, declaration] of all.matchAll(/[{;]\s*([\w-]+: [^;{}]+);/g)) assert.match(declaration, /!important$/);
});
