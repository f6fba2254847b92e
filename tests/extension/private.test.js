import assert from "node:assert/strict";
import { test } from "node:test";
import { keepCorrection } from "../../extension/background/choices.js";
import { HostError } from "../../extension/background/errors.js";
import { RESULT, TAB, browserWith } from "./tab.js";

const LINKS = ["https://www.example.org/inbox", "https://www.example.org/sent"];
const SUMMARY = { ...RESULT.summary, url: "https://www.example.org/a", candidates: LINKS, doubt: "needs_login", session_links: LINKS };
const CORRECTION = { added: { selector: "main", is: /** @type {const} */ ("content") }, removed: [] };

/**
 * All that a person can do with a page, and an error that names its address.
 * @param {boolean} incognito
 */
async function fullUse(incognito) {
  /** @type {unknown[]} */
  const stored = [];
  let fails = false;
  const made = browserWith({
    incognito,
    choices: { opens: "last" },
    extract: async () => {
      if (fails) throw HostError.answered({ type: "error", id: 1, number: 399, name: "new", message: "https://www.example.org/a is odd." });
      return { ...RESULT, summary: SUMMARY };
    },
  });
  const { browser } = /** @type {any} */ (globalThis);
  browser.permissions = { contains: async () => true };
  for (const area of Object.values(browser.storage)) {
    const set = /** @type {any} */ (area).set;
    /** @type {any} */ (area).set = async (/** @type {any} */ items) => (stored.push(items), set(items));
  }
  const { tabs, seen } = made;
  await tabs.click(TAB);
  await tabs.show(TAB, "template");
  await tabs.undone(TAB, "template");
  await keepCorrection(TAB, CORRECTION, false);
  await tabs.corrected(TAB);
  await tabs.compareBy(TAB, "session");
  await tabs.compareBy(TAB, "session", true);
  await tabs.compareBy(TAB, "rendered", true);
  await tabs.loadMore(TAB);
  await tabs.toggle(TAB, "gaps");
  await tabs.toggle(TAB, "always");
  await tabs.show(TAB, "content");
  await tabs.show(TAB, "template");
  await tabs.save(TAB);
  await tabs.changed(TAB);
  fails = true;
  await tabs.compareBy(TAB);
  assert.ok(seen.ran.includes("files"), "it was saved");
  return JSON.stringify(stored);
}

test("a private window leaves no address, no site and no figure of its page in any storage, at any time", async () => {
  const stored = await fullUse(true);
  assert.match(stored, /"name":"template"/);
  for (const word of ["example.org", "inbox", "needs_login", "main", "0.9", "elements", "sessionSites", "contentSites", "lastViews", "rules"]) {
    assert.ok(!stored.includes(word), `${word} is stored: ${stored}`);
  }
});

test("of another window all that is kept which a report and the next page need", async () => {
  const stored = await fullUse(false);
  for (const word of ["inbox", "needs_login", "sessionSites", "contentSites", "lastViews", "rules", "elements"]) assert.ok(stored.includes(word), word);
});
