import assert from "node:assert/strict";
import { test } from "node:test";
import { HostError } from "../../extension/background/errors.js";
import { textOf } from "../../extension/texts.js";
import { RESULT, TAB, browserWith } from "./tab.js";

test("a click looks for the template once, and the clicks after it only show and restore", async () => {
  let extractions = 0;
  const { tabs, seen, state } = browserWith({ extract: async () => (extractions++, RESULT) });
  await tabs.click(TAB);
  assert.equal(state().name, "template");
  await tabs.click(TAB);
  assert.equal(state().name, "original");
  assert.equal(seen.styles, 0);
  await tabs.click(TAB);
  assert.equal(state().name, "content");
  await tabs.click(TAB);
  assert.equal(state().name, "template");
  assert.ok(seen.styles > 0);
  assert.equal(extractions, 1);
});

test("a click while working cancels, and the next one starts again", async () => {
  let extractions = 0;
  const { tabs, seen, state } = browserWith({
    extract: (_, { signal }) =>
      ++extractions > 1
        ? Promise.resolve(RESULT)
        : new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });
  const first = tabs.click(TAB);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await tabs.click(TAB);
  await first;
  assert.equal(state().name, "idle");
  assert.ok(seen.ran.includes("stop"));
  await tabs.click(TAB);
  assert.equal(state().name, "template");
});

test("a page that is still loading is waited for, visibly, and a click while that lasts cancels", async () => {
  let loaded = () => {};
  const { tabs, seen, state } = browserWith({ open: () => new Promise((resolve) => (loaded = () => resolve())) });
  const first = tabs.click(TAB);
  await new Promise((resolve) => setTimeout(resolve, 250));
  assert.equal(state().name, "working");
  await tabs.click(TAB);
  await first;
  assert.equal(state().name, "idle");
  assert.deepEqual(seen.ran, []);
  loaded();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(seen.ran, ["arrive", "stop"]);
});

test("a guess waits to be asked for, and a click cancels it", async () => {
  const { tabs, seen, state } = browserWith({ extract: async () => ({ ...RESULT, summary: { ...RESULT.summary, doubt: "alone" } }) });
  await tabs.click(TAB);
  assert.deepEqual(state(), { name: "doubtful", confidence: 0.9, morePages: 0, doubt: "alone" });
  assert.equal(seen.styles, 0);
  await tabs.click(TAB);
  assert.equal(state().name, "original");
  assert.equal(seen.styles, 0);
});

test("the guess shows when its button is pressed, and its title says that it is one", async () => {
  const { tabs, seen, state } = browserWith({ extract: async () => ({ ...RESULT, summary: { ...RESULT.summary, doubt: "alone" } }) });
  await tabs.click(TAB);
  await tabs.show(TAB, "template");
  assert.deepEqual(state(), { name: "template", confidence: 0.9, morePages: 0, doubt: "alone" });
  assert.match(seen.titles.at(-1) ?? "", /Low confidence: this may be wrong/);
  assert.ok(seen.styles > 0);
});

test("a guess is not saved before the person has seen that it is one", async () => {
  const { tabs, seen } = browserWith({ extract: async () => ({ ...RESULT, summary: { ...RESULT.summary, doubt: "alone" } }) });
  await tabs.save(TAB);
  assert.ok(!seen.ran.includes("files"));
  await tabs.save(TAB);
  assert.ok(seen.ran.includes("capture"));
});

test("an error of the host is said on the button and in the page, and nothing is hidden", async () => {
  const { tabs, seen, state } = browserWith({
    extract: async () => {
      throw HostError.answered({ type: "error", id: 2, number: 303, name: "time-out", message: "Too slow.", detail: "30 s" });
    },
  });
  await tabs.click(TAB);
  assert.deepEqual(state(), { name: "error", problem: ["error_time_out"] });
  assert.match(String(seen.titles.at(-1)), /The site answered too slowly\. Try again later\. Click to try again/);
  assert.deepEqual(seen.said, ["The site answered too slowly. Try again later."]);
  assert.deepEqual(seen.kept.error, { problem: ["error_time_out"], detail: "303 time-out: 30 s" });
  assert.equal(seen.styles, 0);
});

test("a missing host opens the page that explains", async () => {
  const { tabs, seen, state } = browserWith({ extract: async () => Promise.reject(new HostError("missing")) });
  await tabs.click(TAB);
  assert.deepEqual(seen.pages, ["/pages/help.html"]);
  assert.deepEqual(state(), { name: "error", problem: ["host_missing"] });
  assert.match(String(seen.titles.at(-1)), /not installed for this browser/);
});

test("where the browser lets no extension in, and where there is no web page, the button says so", async () => {
  const keptOut = { name: "impossible", problem: ["impossible_kept_out"] };
  const closed = browserWith({ open: async () => Promise.reject(new Error("Cannot access a chrome:// URL")) });
  await closed.tabs.click(TAB);
  assert.deepEqual(closed.state(), keptOut);
  assert.deepEqual([closed.seen.popups, closed.seen.pages], [["/pages/impossible.html?tab=7&problem=impossible_kept_out"], []]);
  const silent = browserWith({ silent: true });
  await silent.tabs.click(TAB);
  assert.deepEqual(silent.state(), keptOut);
  const picture = browserWith({ webPage: false, popups: false });
  await picture.tabs.click(TAB);
  assert.deepEqual(picture.state(), { name: "impossible", problem: ["impossible_no_web_page"] });
  assert.match(String(picture.seen.titles.at(-1)), /cannot work here: this is not a web page/);
  assert.deepEqual(picture.seen.pages, ["/pages/impossible.html?tab=7&problem=impossible_no_web_page"]);
});

test("the page is given the answer with its scores, and the state says how sure it is", async () => {
  const { tabs, seen, state } = browserWith();
  await tabs.click(TAB);
  assert.deepEqual(seen.answers, [RESULT.answer]);
  assert.deepEqual(state(), { name: "template", confidence: 0.9, morePages: 0 });
});

test("what is known of the answer stays on the button through toggling and coming back", async () => {
  const { tabs, seen, state, load } = browserWith();
  await tabs.click(TAB);
  await tabs.click(TAB);
  load("none");
  await tabs.changed(TAB);
  assert.equal(state().name, "idle");
  load("content", { confidence: 0.97, compared: ["a", "b", "c"] });
  await tabs.changed(TAB);
  assert.deepEqual(state(), { name: "content", confidence: 0.97, compared: ["a", "b", "c"], closeGaps: true, always: false });
  assert.match(seen.titles.at(-1) ?? "", /this is the content\. High confidence\. Click to show the template/);
  await tabs.show(TAB, "template");
  assert.deepEqual(state(), { name: "template", confidence: 0.97, compared: ["a", "b", "c"] });
});

test("the switch closes the gaps of the view that shows, and of those to come", async () => {
  const { tabs, seen, state } = browserWith();
  await tabs.click(TAB);
  await tabs.toggle(TAB, "gaps");
  assert.deepEqual([state().name, seen.orders.at(-1).closeGaps], ["template", true]);
  await tabs.show(TAB, "content");
  assert.equal(seen.orders.at(-1).closeGaps, true);
  await tabs.toggle(TAB, "gaps");
  assert.deepEqual([state().name, seen.orders.at(-1).closeGaps], ["content", false]);
});

test("more pages are loaded once they are asked for, where the program can, and not offered again", async () => {
  const asked = /** @type {boolean[]} */ ([]);
  const { tabs, seen, state } = browserWith({
    extract: async (_, { morePages }) => {
      asked.push(morePages);
      return { ...RESULT, summary: { ...RESULT.summary, doubt: "no_similar_page" }, canLoadMore: true };
    },
  });
  await tabs.click(TAB);
  assert.deepEqual([state().name, state().canLoadMore], ["doubtful", true]);
  await tabs.loadMore(TAB);
  assert.deepEqual(asked, [false, true]);
  assert.deepEqual([state().name, state().canLoadMore], ["template", undefined]);
  assert.ok(seen.styles > 0);
});

test("the panel leads to the mode it names, and nowhere in a page of which nothing is known", async () => {
  const { tabs, seen, state } = browserWith();
  await tabs.show(TAB, "original");
  assert.equal(state().name, "idle");
  assert.deepEqual(seen.ran, ["arrive", "stop"]);
  await tabs.click(TAB);
  await tabs.show(TAB, "original");
  assert.equal(state().name, "original");
  assert.equal(seen.styles, 0);
});

test("states are kept only for tabs that are open and not idle", async () => {
  const { tabs, seen, load } = browserWith();
  seen.kept["tab:99"] = { name: "template" };
  seen.kept.hello = { version: "1" };
  await tabs.click(TAB);
  assert.deepEqual(Object.keys(seen.kept).sort(), ["hello", "summary", `tab:${TAB}`, "timings"]);
  load("none");
  await tabs.changed(TAB);
  assert.deepEqual(Object.keys(seen.kept).sort(), ["hello", "summary", "timings"]);
});

test("saving finds the template first where nothing is known of the page, and only saves where it is", async () => {
  const { tabs, seen } = browserWith();
  await tabs.save(TAB);
  assert.deepEqual(seen.ran, ["arrive", "show", "capture", "files"]);
  seen.ran.length = 0;
  await tabs.save(TAB);
  assert.deepEqual(seen.ran, ["arrive", "capture", "files"]);
});

test("the panel says what is left out of a file and of the clipboard, and what stays", async () => {
  const { tabs, seen } = browserWith({ typed: ["kept", "cut"], mayCopy: true, save: async () => ["#"] });
  await tabs.click(TAB).then(() => tabs.save(TAB));
  await tabs.show(TAB, "content");
  await tabs.copy(TAB);
  await tabs.save(TAB);
  const told = [["typed_kept", "typed_cut"], ["copied", "typed_kept", "typed_cut_content"], ["typed_kept", "typed_cut_content"]];
  assert.deepEqual(seen.said, told.map((names) => names.map((name) => textOf([/** @type {any} */ (`panel_${name}`)])).join(" ")));
});

test("a page that cannot be saved is told so", async () => {
  const { tabs, seen } = browserWith({ save: async () => { throw new HostError("answered", "", ["error_cannot_be_saved"]); } });
  await tabs.save(TAB);
  assert.match(seen.said.join(), /fits into no file/);
});

test("a click while the file is written does not stop it, and shows the page", async () => {
  let written = () => {};
  const { tabs, seen, state } = browserWith({ save: () => new Promise((_, reject) => (written = () => reject(new HostError("lost")))) });
  const saving = tabs.save(TAB);
  while (!seen.ran.includes("files")) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await tabs.click(TAB);
  assert.equal(state().name, "original");
  written();
  await saving;
});

test("a page that is too large is refused with its number, and the host is not asked", async () => {
  const extract = () => assert.fail("the host was asked");
  const many = browserWith({ extract, packed: { elements: 400_000 } });
  await many.tabs.click(TAB);
  assert.deepEqual(many.state(), { name: "error", problem: ["page_too_many_elements", 400_000, 300_000] });
  assert.match(many.seen.said.join(), /has too many elements to compare: 400000, and the limit is 300000\. Try another page/);
  const long = browserWith({ extract, packed: { bytes: 70 * 1024 * 1024 } });
  await long.tabs.click(TAB);
  assert.match(long.seen.said.join(), /is too large to compare: 70 MiB, and the limit is 64 MiB\. Try another page/);
});

test("the host is started before the page has answered where nothing is known of it, and not to show what is known", async () => {
  const { tabs, seen, state } = browserWith({ open: async () => new Promise((resolve) => setTimeout(resolve, 20)) });
  const click = tabs.click(TAB);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual([seen.woken, seen.ran], [1, []]);
  await click;
  assert.deepEqual(Object.keys(seen.kept.timings), ["clicked", "snapshot", "captured", "greeted", "answered", "shown"]);
  await tabs.click(TAB);
  assert.equal(state().name, "original");
  assert.equal(seen.woken, 1);
});

test("nothing that tells a page is kept for a report of a private window", async () => {
  const { tabs, seen } = browserWith({ incognito: true });
  await tabs.click(TAB);
  assert.deepEqual(Object.keys(seen.kept), [`tab:${TAB}`]);
  const failing = browserWith({ incognito: true, extract: async () => Promise.reject(new HostError("stopped", "https://example.org/")) });
  await failing.tabs.click(TAB);
  assert.deepEqual(Object.keys(failing.seen.kept), [`tab:${TAB}`]);
});

test("the next click is likely while the tab that was used is in front", async () => {
  const { tabs } = browserWith();
  assert.equal(await tabs.isUsedInFront(), false);
  await tabs.click(TAB);
  assert.equal(await tabs.isUsedInFront(), true);
  /** @type {any} */ (globalThis).browser.tabs.query = async () => [{ id: TAB + 1 }];
  assert.equal(await tabs.isUsedInFront(), false);
});

test("a page that undoes the hiding is said to, on the button and in the page", async () => {
  const { tabs, seen, state } = browserWith();
  await tabs.click(TAB);
  await tabs.undone(TAB, "template");
  assert.deepEqual(state(), { name: "template", undone: true });
  assert.match(String(seen.titles.at(-1)), /keeps undoing the view\. Click to go back to the page/);
  assert.match(seen.said.join(), /keeps undoing the view/);
});

test("a page that changes its address while it is compared is said to have changed", async () => {
  const { tabs, seen, state } = browserWith({
    extract: (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });
  const click = tabs.click(TAB);
  while (!seen.ran.includes("arrive")) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 5));
  tabs.turns.of(TAB)?.end(new HostError("answered", "", ["error_page_changed"]));
  await click;
  assert.deepEqual(state(), { name: "error", problem: ["error_page_changed"] });
});
