import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { stylesFor } from "../../extension/background/styles.js";

const all = stylesFor(true).map(({ css }) => css).join("\n");

test("every mark that the page's scripts set has a rule", () => {
  const types = readFileSync(new URL("../../extension/types.d.ts", import.meta.url), "utf8");
  const marks = [...(/type Mark = ([^;]+);/.exec(types)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(([, mark]) => mark);
  assert.ok(marks.length > 0);
  for (const mark of marks) assert.ok(all.includes(`[data-sitestencil="${mark}"]`), mark);
});

test("every rule acts on a mark or on the highlight, so that none acts on a page that has neither", () => {
  const selectors = [...all.matchAll(/([^{}]+)\{/g)].flatMap(([, list]) => list.split(",").map((one) => one.trim()));
  for (const selector of selectors) assert.match(selector, /^(\[data-sitestencil|::highlight\(sitestencil)/);
});

test("every declaration wins over the page's own", () => {
  for (const [, declaration] of all.matchAll(/([\w-]+:[^;{}]+);/g)) assert.match(declaration, /!important$/);
});
