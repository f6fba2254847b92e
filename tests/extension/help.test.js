import assert from "node:assert/strict";
import { test } from "node:test";
import { openHelp, sayImpossible } from "../../extension/background/help.js";
import { textOf } from "../../extension/texts.js";
import { TAB, browserWith } from "./tab.js";

test("no page of help opens for a tab that has closed or is not in front", async () => {
  /** @type {string[]} */
  const opened = [];
  const refuse = async () => Promise.reject(new Error("No tab with id: 7."));
  for (const get of [refuse, async () => ({ active: false }), async () => ({ active: true })]) {
    /** @type {any} */ (globalThis).browser = {
      tabs: { get, create: async (/** @type {{url: string}} */ { url }) => void opened.push(url) },
      action: { setPopup: refuse, openPopup: refuse },
      runtime: { sendMessage: async () => false },
    };
    await sayImpossible(7, "impossible_kept_out");
    await openHelp(7);
  }
  assert.deepEqual(opened, ["/pages/impossible.html?tab=7&problem=impossible_kept_out", "/pages/help.html"]);
});

test("an exception in the page while a view is to show is told, and no rules stay", async () => {
  /** @type {string[]} */
  const fails = [];
  const { tabs, seen, state } = browserWith({ fails });
  await tabs.click(TAB);
  fails.push("show");
  await tabs.show(TAB, "content");
  assert.deepEqual([state().name, seen.styles, seen.said.at(-1)], ["error", 0, textOf(["extension_failed"])]);
});

test("an exception in the page while what is new is judged is told", async () => {
  const { tabs, seen, state } = browserWith({ fails: ["judged"], grown: { mode: "template", about: {}, known: { snapshot: { json: "{}" } }, now: { json: "{}" } } });
  await tabs.click(TAB);
  await tabs.grown(TAB);
  assert.deepEqual([state().name, seen.said.at(-1)], ["error", textOf(["extension_failed"])]);
});
