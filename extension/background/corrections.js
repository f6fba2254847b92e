/** A person's corrections, as rules by site; of private windows nothing is kept. */

import { changed } from "../rules.js";
import { siteOf } from "../sites.js";

/** @import { Choices, Correction, Rule } from "../messages.js" */

/** One change after the other: each reads what the one before has written. @type {Promise<unknown>} */
let changes = Promise.resolve();

/**
 * @param {number} tabId
 * @returns {Promise<ReadonlyArray<Rule>>} the rules for a tab's page
 */
export async function rulesOf(tabId) {
  const [{ url = "" }, { rules = {} }] = await Promise.all([browser.tabs.get(tabId), keptRules()]);
  const site = siteOf(url);
  return Object.hasOwn(rules, site) ? rules[site] : [];
}

/**
 * Keeps a correction of a tab's page for the other pages of its site, or forgets it again.
 * @param {number} tabId
 * @param {Correction} correction
 * @param {boolean} undone
 * @returns {Promise<void>}
 */
export function keepCorrection(tabId, correction, undone) {
  const change = changes.then(async () => {
    const { url = "", incognito } = await browser.tabs.get(tabId);
    const site = siteOf(url);
    if (incognito || !site) return;
    const { rules = {} } = await keptRules();
    await browser.storage.local.set({ rules: changed(rules, site, correction, undone) });
  });
  changes = change.catch(() => {});
  return change;
}

/** @returns {Promise<Partial<Choices>>} */
function keptRules() {
  return browser.storage.local.get("rules");
}
