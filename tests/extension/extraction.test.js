import assert from "node:assert/strict";
import { test } from "node:test";
import { HostError } from "../../extension/background/errors.js";
import { RESULT, TAB, browserWith } from "./tab.js";

/** @param {() => boolean} condition */
async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

test("early answers show while the host goes on, and the last one replaces them", async () => {
  const early = { answer: { template: [[0, 2]], content_texts: [] }, summary: { ...RESULT.summary, confidence: 0.5 } };
  const { tabs, seen, state } = browserWith({
    extract: async (_, { onEarly }) => {
      onEarly(early);
      await until(() => seen.orders.length === 1);
      const { sentence, views, buttons } = seen.orders[0].panel;
      assert.deepEqual([sentence, views, buttons], ["Still comparing more pages: details may change.", [], []]);
      assert.equal(state().name, "working");
      onEarly(early);
      return RESULT;
    },
  });
  await tabs.click(TAB);
  assert.deepEqual(seen.answers, [{ ...early.answer, early: true }, { ...early.answer, early: true }, RESULT.answer]);
  assert.deepEqual(seen.orders.map(({ mode, hides }) => [mode, hides]), Array(3).fill(["template", "content"]));
  assert.deepEqual([state().name, state().confidence, seen.styles], ["template", 0.9, 2]);
});

test("after half a second the page says what is done, and not before", async () => {
  for (const ms of [10, 700]) {
    const { tabs, seen } = browserWith({
      extract: async (_, { onProgress }) => {
        onProgress({ type: "progress", id: 1, stage: "loading", pages_loaded: 2, pages_wanted: 4 });
        await new Promise((resolve) => setTimeout(resolve, ms));
        return RESULT;
      },
    });
    await tabs.click(TAB);
    assert.deepEqual(seen.said, ms < 500 ? [] : ["Comparing with pages of this site, 2 of 4."]);
    assert.equal(seen.ran.at(-1), "show");
  }
});

test("a failure that may pass offers to try again, and another does not", async () => {
  for (const [error, offers] of /** @type {Array<[HostError, boolean]>} */ ([[new HostError("lost"), true], [HostError.answered({ type: "error", id: 2, number: 103, name: "frame-too-long", message: "" }), false]])) {
    const { tabs, seen } = browserWith({ extract: async () => Promise.reject(error) });
    await tabs.click(TAB);
    assert.deepEqual(seen.panels.at(-1).buttons.map((/** @type {any} */ button) => button.name), offers ? ["retry"] : []);
  }
});

test("a page that the browser could not load is said so, in each browser's way", async () => {
  const gone = { name: "impossible", problem: ["impossible_not_loaded"] };
  const chromium = browserWith({ open: async () => Promise.reject(new Error("Frame with ID 0 is showing error page")) });
  await chromium.tabs.click(TAB);
  assert.deepEqual(chromium.state(), gone);
  assert.deepEqual(chromium.seen.popups, ["/pages/impossible.html?tab=7&problem=impossible_not_loaded"]);
  const firefox = browserWith({ silent: true, icon: "chrome://global/skin/icons/info.svg" });
  await firefox.tabs.click(TAB);
  assert.deepEqual(firefox.state(), gone);
});

test("a click while an answer is read cancels it, and the page never shows it", async () => {
  for (const isEarly of [true, false]) {
    /** @type {Promise<void> | undefined} */
    let second;
    const summary = { ...RESULT.summary, get confidence() { second ??= tabs.click(TAB); return 0.9; } };
    const { tabs, seen, state } = browserWith({
      extract: async (_, { onEarly }) => {
        if (isEarly) onEarly({ ...RESULT, summary });
        return { ...RESULT, summary };
      },
    });
    await tabs.click(TAB);
    await second;
    assert.deepEqual([state().name, seen.styles, seen.answers], ["idle", 0, []]);
  }
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
