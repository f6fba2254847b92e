import assert from "node:assert/strict";
import { test } from "node:test";
import { orderOf } from "../../extension/background/panels.js";
import { textOf } from "../../extension/texts.js";
import { RESULT, TAB, browserWith } from "./tab.js";

test("the content is copied as Markdown, and the panel says whether it is in the clipboard", async () => {
  for (const mayCopy of [true, false]) {
    const { tabs, seen } = browserWith({ mayCopy, save: async (_, { format }) => ["# ", format] });
    await tabs.click(TAB);
    await tabs.show(TAB, "content");
    await tabs.copy(TAB);
    assert.deepEqual(seen.copied, ["# markdown"]);
    assert.equal(seen.said.at(-1), textOf([mayCopy ? "panel_copied" : "panel_not_copied"]));
  }
});

test("the rules of a site are copied, and the panel says how many pages prove them", async () => {
  /** @type {any} */
  let asked;
  const { tabs, seen } = browserWith({
    mayCopy: true,
    extract: async () => ({ ...RESULT, summary: { ...RESULT.summary, candidates: ["https://a.example/b", "https://a.example/c"] } }),
    save: async (_, choices, _onProgress, onLast) => (onLast({ proved: 2 }), (asked = choices), [".menu {}"]),
  });
  await tabs.click(TAB);
  await tabs.copy(TAB, "rules");
  assert.deepEqual([asked, seen.copied], [{ format: "rules", pages: ["https://a.example/b", "https://a.example/c"] }, [".menu {}"]]);
  assert.equal(seen.said.at(-1), textOf(["panel_copied_rules", 2]));
});

test("rules are offered where the host can load the pages again that were compared", () => {
  const compared = ["https://a.example/b", "https://a.example/c"];
  const isOffered = (/** @type {any} */ facts) => orderOf({ name: "template", compared, ...facts }).panel?.menu?.buttons.some(({ name }) => name === "rules");
  assert.deepEqual([{}, { compared: compared.slice(1) }, { loadedBy: "session" }].map(isOffered), [true, false, false]);
});
