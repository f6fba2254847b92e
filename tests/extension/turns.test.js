import assert from "node:assert/strict";
import { test } from "node:test";
import { HostError } from "../../extension/background/errors.js";
import { clickOf, hidesAnything } from "../../extension/background/modes.js";
import { EFFECTS } from "../../extension/background/turns.js";
import { RESULT, TAB, browserWith } from "./tab.js";

/** @typedef {import("../../extension/background/turns.js").Phase} Phase */
/** @typedef {"click" | FirstView} Act */

const BURSTS = 200;
/** @type {ReadonlyArray<Act>} */
const ACTS = ["click", "click", "template", "content"];
const OPENS = "template";

/** @type {(seed: number) => () => number} numbers from 0 to 1, the same for the same seed */
function chanceOf(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param {number} ms */
const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

test("a click leads from the first view to the page, to the other view, and on; a key to its view and back", () => {
  /** @type {Array<[View, ViewMode, ViewMode, ViewMode]>} a view, and those after a click, the template's key and the content's */
  const table = [
    ["original", "content", "template", "content"],
    ["content", "template", "template", "original"],
    ["template", "original", "original", "content"],
    ["inspect", "original", "template", "content"],
    ["doubtful", "original", "template", "content"],
    ["none", "original", "template", "content"],
  ];
  for (const [view, ...next] of table) {
    assert.deepEqual([clickOf(view), clickOf(view, OPENS, "template"), clickOf(view, OPENS, "content")], next);
  }
  assert.deepEqual([clickOf("original", "content"), clickOf("template", "content"), clickOf("content", "content")], ["template", "content", "original"]);
});

test("a click starts, follows a view that comes, or ends work that the button tells of; only that drops a press", () => {
  assert.deepEqual(EFFECTS, {
    rest: { click: "start", press: "start", news: "start" },
    brief: { click: "wait", press: "wait", news: "wait" },
    working: { click: "end", press: "drop", news: "wait" },
  });
});

test("a double click on a view, or while its answer comes in, moves twice, and none is lost", async () => {
  const { tabs, state, view } = browserWith({ pause: () => pass(1) });
  await tabs.click(TAB);
  assert.equal(view(), "template");
  await Promise.all([tabs.click(TAB), tabs.click(TAB)]);
  assert.deepEqual([view(), state().name], ["content", "content"]);
  await Promise.all([1, 2, 3, 4, 5].map(() => tabs.click(TAB)));
  assert.deepEqual([view(), state().name], ["template", "template"].map(() => clickOf(clickOf(clickOf(clickOf(clickOf("content")))))));

  const other = browserWith({ pause: () => pass(1) });
  const first = other.tabs.click(TAB);
  while (other.view() === "none") await pass(0);
  await other.tabs.click(TAB);
  await first;
  assert.deepEqual([other.view(), other.state().name, other.seen.styles], ["original", "original", 0]);
});

test("a double click on an unknown page looks for nothing, and a third one does", async () => {
  for (const clicks of [2, 3]) {
    const { tabs, view, state } = browserWith({ pause: () => pass(1) });
    await Promise.all(Array.from({ length: clicks }, () => tabs.click(TAB)));
    await pass(50);
    assert.deepEqual([view(), state()?.name ?? "idle"], clicks === 2 ? ["none", "idle"] : ["template", "template"]);
  }
});

test("an older button's state is never drawn over a newer one, however long the store takes", async () => {
  const { tabs, seen, view } = browserWith({ pause: () => pass(Math.random() * 3) });
  await tabs.click(TAB);
  for (let clicks = 0; clicks < 20; clicks++) void tabs.click(TAB);
  await tabs.click(TAB);
  assert.equal(seen.kept[`tab:${TAB}`].name, view());
});

test(`after ${BURSTS} bursts of clicks and keys at any moment, button, marks and rules say the same, and the view is the one of the table`, async () => {
  for (const seed of [1, 2, 3, 4]) {
    const chance = chanceOf(seed);
    const wait = async () => {
      if (chance() < 0.7) await pass(chance() * 2);
    };
    const { tabs, seen, state, view, load } = browserWith({
      pause: wait,
      extract: async (_, { signal, onEarly }) => {
        for (let left = Math.floor(chance() * 4); left > 0; left--) {
          await pass(chance() * 4);
          signal.throwIfAborted();
          if (chance() < 0.5) onEarly(RESULT);
        }
        return RESULT;
      },
    });
    for (let burst = 0; burst < BURSTS / 4; burst++) {
      if (chance() < 0.2) {
        load("none");
        seen.styles = 0;
        await tabs.changed(TAB);
      }
      const [before, shown] = [view(), seen.states.length];
      /** @type {Act[]} */
      const acts = Array.from({ length: 1 + Math.floor(chance() * 5) }, () => ACTS[Math.floor(chance() * 4)]);
      const done = [];
      for (const act of acts) {
        done.push(tabs.click(TAB, undefined, act === "click" ? undefined : act));
        if (chance() < 0.1) done.push(tabs.changed(TAB));
        await wait();
      }
      await Promise.all(done);
      await tabs.changed(TAB);
      const said = state()?.name ?? "idle";
      const told = JSON.stringify({ seed, burst, before, acts });
      assert.equal(said, view() === "none" ? "idle" : view(), told);
      assert.equal(seen.styles, hidesAnything(/** @type {View} */ (view())) ? 2 : 0, told);
      // On a busy machine the button may tell of work, which a click then ends.
      if (before === "none" || seen.states.slice(shown).some(({ name }) => name === "working")) continue;
      const expected = acts.reduce((now, act) => clickOf(now, OPENS, act === "click" ? undefined : act), /** @type {View} */ (before));
      assert.equal(view(), expected, told);
    }
  }
});

test("a page that never ends its loading is given up, and what comes of it later changes nothing", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const loaded = /** @type {Array<() => void>} */ ([]);
  const { tabs, seen, state } = browserWith({ open: () => new Promise((resolve) => loaded.push(() => resolve())) });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const click = tabs.click(TAB);
  await turn();
  context.mock.timers.tick(30_000);
  await click;
  assert.deepEqual(state(), { name: "error", problem: ["error_still_loading"] });
  assert.match(seen.titles.at(-1) ?? "", /still loading.*Click to try again/);
  const next = tabs.click(TAB);
  await turn();
  for (const load of loaded) load();
  await next;
  assert.equal(state().name, "template");
  assert.ok(!seen.ran.includes("stop"));
});

test("a background that was stopped at work says so when it runs again, but not over new work", async () => {
  const { tabs, seen, state } = browserWith();
  await tabs.changed(TAB, new HostError("interrupted"));
  assert.deepEqual(state(), { name: "error", problem: ["extension_interrupted"] });
  assert.match(seen.said.join(), /stopped the extension/);
  const click = tabs.click(TAB);
  await tabs.changed(TAB, new HostError("interrupted"));
  await click;
  assert.equal(state().name, "template");
});
