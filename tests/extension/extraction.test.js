import assert from "node:assert/strict";
import { test } from "node:test";
import { HostError } from "../../extension/background/errors.js";
import { RESULT, TAB, browserWith } from "./tab.js";

/** @param {() => boolean} condition */
async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

test("early answers show while the host goes on, and the last one replaces them", async () => {
  const early = { answer: { template: [[0, 2]], content_texts: [] }, summary: { ...RESULT.summary, sureness: 0.5 } };
  const { tabs, seen, state } = browserWith({
    extract: async (_, { onEarly }) => {
      onEarly(early);
      await until(() => seen.orders.length === 1);
      const { sentence, views, buttons } = seen.orders[0].panel;
      assert.deepEqual([sentence, views, buttons], ["Still comparing with more pages: details may change.", [], []]);
      assert.equal(state().name, "working");
      onEarly(early);
      return RESULT;
    },
  });
  await tabs.click(TAB);
  assert.deepEqual(seen.answers, [{ ...early.answer, early: true }, { ...early.answer, early: true }, RESULT.answer]);
  assert.deepEqual(seen.orders.map(({ mode, hides }) => [mode, hides]), Array(3).fill(["template", "content"]));
  assert.deepEqual([state().name, state().sureness, seen.styles], ["template", 0.9, 2]);
});

test("a click while an early answer shows brings the page back, and so does an error", async () => {
  for (const end of ["click", "error"]) {
    const { tabs, seen, state } = browserWith({
      extract: (_, { signal, onEarly }) => new Promise((_resolve, reject) => {
        onEarly(RESULT);
        signal.addEventListener("abort", () => reject(signal.reason));
        if (end === "error") setTimeout(() => reject(new HostError("stopped")), 20);
      }),
    });
    const click = tabs.click(TAB);
    await until(() => seen.orders.length === 1);
    if (end === "click") await tabs.click(TAB);
    await click;
    assert.equal(state().name, end === "click" ? "idle" : "error");
    assert.deepEqual([seen.ran.filter((name) => name !== "say").at(-1), seen.styles], ["stop", 0]);
  }
});
