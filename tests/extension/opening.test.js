import assert from "node:assert/strict";
import { test } from "node:test";
import { RESULT, TAB, browserWith } from "./tab.js";

test("the button opens the content where the person chose so: for all sites, or always on this one", async () => {
  for (const choices of [{ opens: "content" }, { contentSites: ["example.org"] }, { opens: "last", lastViews: { "example.org": "content" } }]) {
    const { tabs, seen, state } = browserWith({ choices });
    await tabs.click(TAB);
    assert.deepEqual([state().name, seen.orders.at(-1).hides, seen.orders.at(-1).startsAtContent], ["content", "rest", true]);
    await tabs.click(TAB);
    assert.equal(state().name, "original");
    await tabs.click(TAB);
    assert.equal(state().name, "template");
  }
  const { tabs, state } = browserWith({ choices: { contentSites: ["other.org"] } });
  await tabs.click(TAB);
  assert.equal(state().name, "template");
});

test("the panel's switch makes the button always open this site as content, and takes it back", async () => {
  const { tabs, seen, state, chosen } = browserWith();
  await tabs.click(TAB);
  await tabs.show(TAB, "content");
  const pressed = () => seen.orders.at(-1).panel.menu.buttons.find((/** @type {any} */ { name }) => name === "always")?.pressed;
  assert.equal(pressed(), false);
  await tabs.toggle(TAB, "always");
  assert.deepEqual([chosen.contentSites, state().name, pressed()], [["example.org"], "content", true]);
  await tabs.toggle(TAB, "always");
  assert.deepEqual([chosen.contentSites, pressed()], [[], false]);
});

test("the last view of a site is kept only if the button opens that", async () => {
  for (const [opens, kept] of /** @type {const} */ ([["template", undefined], ["last", { "example.org": "content" }]])) {
    const { tabs, chosen } = browserWith({ choices: { opens } });
    await tabs.click(TAB);
    await tabs.show(TAB, "content");
    await tabs.show(TAB, "original");
    assert.deepEqual(chosen.lastViews, kept);
  }
});

test("a shortcut shows its view from anywhere, and the page when that view shows", async () => {
  const { tabs, state } = browserWith();
  await tabs.click(TAB, undefined, "content");
  assert.equal(state().name, "content");
  await tabs.click(TAB, undefined, "template");
  assert.equal(state().name, "template");
  await tabs.click(TAB, undefined, "template");
  assert.equal(state().name, "original");
});

test("a guess is offered in the view that was asked for, also after a comparison with more pages", async () => {
  const { tabs, seen, state } = browserWith({ extract: async () => ({ ...RESULT, summary: { ...RESULT.summary, doubt: "error_page" } }) });
  await tabs.click(TAB, undefined, "content");
  assert.deepEqual([state().name, state().asked], ["doubtful", "content"]);
  assert.deepEqual(seen.orders.at(-1).panel.buttons.map((/** @type {any} */ { name, label }) => [name, label])[0], ["content", "Show anyway"]);
  await tabs.loadMore(TAB);
  assert.equal(state().name, "content");
});
