import assert from "node:assert/strict";
import { test } from "node:test";
import { sayImpossible } from "../../extension/background/help.js";

test("a closed tab opens no page that says why nothing is possible", async () => {
  /** @type {unknown[]} */
  const opened = [];
  const refuse = async () => Promise.reject(new Error("No tab with id: 7."));
  /** @type {any} */ (globalThis).browser = {
    tabs: { get: refuse, create: async (/** @type {unknown} */ page) => void opened.push(page) },
    action: { setPopup: refuse, openPopup: refuse },
  };
  await assert.rejects(sayImpossible(7, "impossible_kept_out"));
  assert.deepEqual(opened, []);
});
