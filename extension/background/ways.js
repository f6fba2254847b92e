/** Two ways to load pages that the host cannot get: fetched in the person's session, or opened in background tabs. Both load only pages that the person saw in a list, site by site. */

import { siteOf, sitePattern } from "../sites.js";
import { closeTab, openTab, sendTab } from "./left_tabs.js";
import { choice, chooseFor, keepOf } from "./memory.js";
import { Page } from "./page.js";
import { sessionPanel } from "./panels.js";
import { unlessAborted } from "./waiting.js";

/** @import { Loader } from "./waiting.js" */

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
export async function loaderFor(way, page, { sessionLinks, doubt }, allowed, chosen) {
  const tab = await browser.tabs.get(page.tabId);
  if (!sessionLinks || (way === "rendered" && tab.incognito)) return null;
  const mayReach = way === "session" || (await browser.permissions.contains({ origins: [sitePattern(tab.url)] }));
  const links = allowed && chosen ? sessionLinks.filter((link) => chosen.includes(link)) : sessionLinks;
  const asksEachTime = doubt === "links_may_act";
  // Whoever leaves out a page is asked again: the site's other pages may link to it, too.
  if (allowed && mayReach) await (!asksEachTime && links.length === sessionLinks.length && allow(way, tab));
  else if (!mayReach || asksEachTime || !(await isAllowed(way, tab))) {
    await (way === "session" ? page.run("say", sessionPanel(sessionLinks, asksEachTime)) : askOnPage(tab, sessionLinks));
    return null;
  }
  return listed(way === "session" ? { way, load: (url) => page.run("load", url) } : new RenderedTabs(page, tab), links);
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
 * @type {(tab: browser.tabs.Tab, links: ReadonlyArray<string>) => Promise<void>}
 */
async function askOnPage({ id = browser.tabs.TAB_ID_NONE, url = "", windowId }, links) {
  await keepOf(id, /** @type {any} */ ({ [`rendering:${id}`]: { url, links, most: IN_ALL } }));
  await browser.tabs.create({ url: `/pages/rendered.html#${id}`, windowId, openerTabId: id });
}

/** @type {(loader: Loader, links: ReadonlyArray<string>) => Loader} loads only these; `links`: the listed ones */
function listed(loader, links) {
  const allowed = new Set(links);
  const load = async (/** @type {string} */ url, /** @type {AbortSignal} */ signal) =>
    allowed.has(url) ? loader.load(url, signal) : { error: "The person was not asked about this page." };
  return { way: loader.way, links, load };
}

export const AT_ONCE = 4;
export const IN_ALL = 24;
const QUIET_MS = 400;
const LOADED_WITHIN_MS = 5_000;
const SETTLED_WITHIN_MS = 7_000;
const CAPTURED_WITHIN_MS = 9_000;
const POLL_MS = 50;
// The host's limit.
const LONGEST_SNAPSHOT = 20_000_000;

/** @implements {Loader} */
export class RenderedTabs {
  way = /** @type {const} */ ("rendered");
  #opened = 0;
  /** Callers that wait for a tab to close. @type {Array<() => void>} */
  #queue = [];
  #open = 0;

  /** @param {Page} page the key page @param {browser.tabs.Tab} tab its tab */
  constructor(page, { id, windowId }) {
    this.page = page;
    this.place = { openerTabId: id, windowId };
  }

  /** @type {(url: string, signal: AbortSignal) => Promise<FetchedPage>} */
  async load(url, signal) {
    if (this.#opened++ >= IN_ALL) return { error: `${IN_ALL} tabs were opened, which is enough.` };
    if (this.#open >= AT_ONCE) await new Promise((resolve) => this.#queue.push(() => resolve(null)));
    this.#open++;
    try {
      signal.throwIfAborted();
      // A tab would save a file instead of showing it.
      if (!(await this.page.run("leadsToPage", url))) return { error: "The page is not HTML." };
      signal.throwIfAborted();
      return await this.#capture(url, signal);
    } finally {
      this.#open--;
      this.#queue.shift()?.();
    }
  }

  /** @type {(url: string, signal: AbortSignal) => Promise<FetchedPage>} */
  async #capture(url, signal) {
    const id = await openTab(url, this.place);
    try {
      signal.throwIfAborted();
      await sendTab(id, url);
      return await unlessAborted(captureOf(id), AbortSignal.any([signal, AbortSignal.timeout(CAPTURED_WITHIN_MS)]));
    } finally {
      await closeTab(id);
    }
  }
}

/** @type {(tabId: number) => Promise<FetchedPage>} */
async function captureOf(tabId) {
  const opened = performance.now();
  const left = (/** @type {number} */ within) => Math.max(0, within - (performance.now() - opened));
  while (left(LOADED_WITHIN_MS) && !isLoaded(await browser.tabs.get(tabId))) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const page = new Page(tabId);
  await page.open();
  const { status } = await page.run("settled", QUIET_MS, left(SETTLED_WITHIN_MS));
  const { json } = await page.run("snapshot", { elements: 100_000, bytes: LONGEST_SNAPSHOT });
  if (json === undefined) return { error: "The page is too large." };
  return { snapshot: JSON.parse(json), ...(status && { status }) };
}

/** @type {(tab: browser.tabs.Tab) => boolean} false for a tab's first, empty page */
function isLoaded({ status, url = "" }) {
  return status === "complete" && url.startsWith("http");
}
