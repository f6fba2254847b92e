import assert from "node:assert/strict";
import { test } from "node:test";
import { openHelp, sayImpossible } from "../../extension/background/help.js";

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
