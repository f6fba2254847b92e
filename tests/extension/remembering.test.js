import assert from "node:assert/strict";
import { test } from "node:test";
import { isNeverRemembered, siteOf, sitesIn } from "../../extension/sites.js";
import { RESULT, TAB, browserWith } from "./tab.js";

/**
 * @param {{incognito?: boolean, choices?: Record<string, unknown>}} options
 * @returns {Promise<boolean>} whether a click in a tab lets the host remember its page
 */
async function remembers(options) {
  /** @type {boolean[]} */
  const asked = [];
  const { tabs } = browserWith({ extract: async (_, { remembers }) => (asked.push(remembers), RESULT), ...options });
  await tabs.click(TAB);
  assert.equal(asked.length, 1);
  return asked[0];
}

test("pages are remembered, but none of a private window", async () => {
  assert.equal(await remembers({}), true);
  assert.equal(await remembers({ incognito: true }), false);
});

test("nothing is remembered when the switch is off, nor of a site on the list", async () => {
  assert.equal(await remembers({ choices: { remembers: false } }), false);
  assert.equal(await remembers({ choices: { remembers: true, neverRemembered: ["example.org"] } }), false);
  assert.equal(await remembers({ choices: { neverRemembered: ["example.com"] } }), true);
});

test("a site is known by its host, with or without www", () => {
  assert.equal(siteOf("https://www.example.org/a?b"), "example.org");
  assert.equal(siteOf("http://www.test/"), "www.test");
  assert.equal(siteOf("http://127.0.0.1:8080/"), "127.0.0.1:8080");
  assert.equal(siteOf("about:blank"), "");
  assert.equal(siteOf("nothing"), "");
});

test("a list is read as people write it", () => {
  assert.deepEqual(sitesIn("https://www.example.org/a\n news.example.com, example.org\n\n"), ["example.org", "news.example.com"]);
  assert.deepEqual(sitesIn(" \n"), []);
});

test("a site on the list stands for all below it, and a page without a site is never remembered", () => {
  assert.equal(isNeverRemembered("https://news.example.org/", ["example.org"]), true);
  assert.equal(isNeverRemembered("https://badexample.org/", ["example.org"]), false);
  assert.equal(isNeverRemembered("about:blank", []), true);
});
