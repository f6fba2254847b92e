/** Two ways to load pages that the host cannot get: fetched in the person's session, or opened in background tabs. Both load only pages that the person saw in a list, site by site. */

import { siteOf, sitePattern } from "../sites.js";
import { choice, chooseFor, keepOf } from "./memory.js";
import { sessionPanel } from "./panels.js";
import { RenderedTabs } from "./rendering.js";

/** @import { Loader } from "./loads.js" */
/** @import { Page } from "./page.js" */

const MOST_SITES = 1000;
/** The names under which each way's allowed sites are stored. @type {Readonly<Record<Way, "sessionSites" | "renderedSites">>} */
const SITES = { session: "sessionSites", rendered: "renderedSites" };

/**
 * Returns a loader for the listed pages, if the person has allowed it; otherwise shows the list.
 * @param {Way} way
 * @param {Page} page
 * @param {AboutAnswer} about its answer
 * @param {boolean} allowed whether the person allows it now
 * @param {ReadonlyArray<string>} [chosen] the pages that the person chose of the list; without them all
 * @returns {Promise<Loader | null>}
 */
export async function loaderFor(way, page, { sessionLinks }, allowed, chosen) {
  const tab = await browser.tabs.get(page.tabId);
  if (!sessionLinks || (way === "rendered" && tab.incognito)) return null;
  const mayReach = way === "session" || (await browser.permissions.contains({ origins: [sitePattern(tab.url)] }));
  const links = allowed && chosen ? sessionLinks.filter((link) => chosen.includes(link)) : sessionLinks;
  // Whoever leaves out a page is asked again: the site's other pages may link to it, too.
  if (allowed && mayReach) await (links.length === sessionLinks.length && allow(way, tab));
  else if (!mayReach || !(await isAllowed(way, tab))) {
    await (way === "session" ? page.run("say", sessionPanel(sessionLinks)) : askOnPage(tab, sessionLinks));
    return null;
  }
  return listed(way === "session" ? sessionLoader(page) : new RenderedTabs(page, tab), links);
}

/** @type {(way: Way, tab: browser.tabs.Tab) => Promise<boolean>} whether the person has allowed it for the site of a tab's page */
async function isAllowed(way, { url = "" }) {
  return ((await choice(SITES[way])) ?? []).includes(siteOf(url));
}

/** Stores the person's permission. @type {(way: Way, tab: browser.tabs.Tab) => Promise<void>} */
async function allow(way, { id = browser.tabs.TAB_ID_NONE, url = "" }) {
  const sites = (await choice(SITES[way])) ?? [];
  const site = siteOf(url);
  /** @type {Partial<Choices>} */
  const choices = { [SITES[way]]: [...sites.slice(1 - MOST_SITES), site] };
  if (site && !sites.includes(site)) await chooseFor(id, choices);
}

/**
 * Opens the page that lists the pages to open: browsers ask for the permission only after a click there.
 * @param {browser.tabs.Tab} tab
 * @param {ReadonlyArray<string>} links
 */
async function askOnPage({ id = browser.tabs.TAB_ID_NONE, url = "", windowId }, links) {
  await keepOf(id, /** @type {any} */ ({ [`rendering:${id}`]: { url, links } }));
  await browser.tabs.create({ url: `/pages/rendered.html#${id}`, windowId, openerTabId: id });
}

/** @type {(page: Page) => Loader} */
function sessionLoader(page) {
  return { way: "session", load: (url) => page.run("load", url) };
}

/** @type {(loader: Loader, links: ReadonlyArray<string>) => Loader} loads only these; `links`: the listed ones */
function listed(loader, links) {
  const allowed = new Set(links);
  const load = async (/** @type {string} */ url, /** @type {AbortSignal} */ signal) =>
    allowed.has(url) ? loader.load(url, signal) : { error: "The person was not asked about this page." };
  return { way: loader.way, links, load };
}
