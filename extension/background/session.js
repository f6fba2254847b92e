/** Which pages may be loaded in the person's session: those that the person has seen in a list, site by site. */

import { siteOf } from "../sites.js";
import { choice, choose } from "./memory.js";
import { sessionPanel } from "./panels.js";

/** @import { AboutAnswer, FetchedPage } from "../messages.js" */
/** @import { Page } from "./page.js" */

const MOST_SITES = 1000;

/**
 * Gives what loads the listed pages of a page's site, where the person has allowed that; otherwise the page shows the list.
 * @param {Page} page
 * @param {AboutAnswer} about its answer
 * @param {boolean} allowed whether the person allows it now
 * @returns {Promise<((url: string) => Promise<FetchedPage>) | null>}
 */
export async function sessionLoader(page, { sessionLinks }, allowed) {
  if (!sessionLinks) return null;
  if (allowed) await allow(page.tabId);
  else if (!(await isAllowed(page.tabId))) {
    await page.run("say", sessionPanel(sessionLinks));
    return null;
  }
  return loaderOf(page, sessionLinks);
}

/**
 * @param {number} tabId
 * @returns {Promise<boolean>} whether the person has allowed it for the site of a tab's page
 */
async function isAllowed(tabId) {
  const { url = "" } = await browser.tabs.get(tabId);
  return ((await choice("sessionSites")) ?? []).includes(siteOf(url));
}

/** Keeps that the person allows it; of a private window nothing is kept. @param {number} tabId */
async function allow(tabId) {
  const { url = "", incognito } = await browser.tabs.get(tabId);
  const sites = (await choice("sessionSites")) ?? [];
  const site = siteOf(url);
  if (!incognito && site && !sites.includes(site)) await choose({ sessionSites: [...sites.slice(1 - MOST_SITES), site] });
}

/**
 * @param {Page} page
 * @param {ReadonlyArray<string>} links those that were shown
 * @returns {(url: string) => Promise<FetchedPage>} what loads one of them, and no other
 */
export function loaderOf(page, links) {
  const allowed = new Set(links);
  return async (url) => {
    if (!allowed.has(url)) return { error: "The person was not asked about this page." };
    try {
      return await page.load(url);
    } catch (error) {
      return { error: String(error) };
    }
  };
}
