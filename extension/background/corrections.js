/** A person's corrections, as rules by site. */

import { changed } from "../rules.js";
import { siteOf } from "../sites.js";
import { choice, chooseFor } from "./memory.js";

/** One change at a time: each reads the result of the last one. @type {Promise<unknown>} */
let changes = Promise.resolve();

/** @type {(tabId: number) => Promise<ReadonlyArray<Rule>>} the rules of a tab's site */
export async function rulesOf(tabId) {
  const [{ url = "" }, rules = {}] = await Promise.all([browser.tabs.get(tabId), choice("rules")]);
  const site = siteOf(url);
  return Object.hasOwn(rules, site) ? rules[site] : [];
}

/** Opens the options at the corrections of a tab's site. @param {number} tabId */
export async function openCorrections(tabId) {
  const { url = "", incognito } = await browser.tabs.get(tabId);
  // The address of the options stays in the history.
  const site = incognito ? "" : siteOf(url);
  await browser.tabs.create({ url: browser.runtime.getURL(`pages/options.html#corrections:${encodeURIComponent(site)}`) });
}

/** Stores a correction of a tab's page, or forgets it. @type {(tabId: number, correction: Correction, undone: boolean) => Promise<void>} */
export function keepCorrection(tabId, correction, undone) {
  const change = changes.then(async () => {
    const { url = "" } = await browser.tabs.get(tabId);
    const site = siteOf(url);
    if (site) await chooseFor(tabId, { rules: changed((await choice("rules")) ?? {}, site, correction, undone) });
  });
  changes = change.catch(() => {});
  return change;
}
