/**
 * Tabs that the extension opens only to read them. If the background or the browser ends first, the next start
 * closes them. After a background's end it finds them by number. After a browser's end it finds restored tabs by
 * address and the mark of page/settling.js. Private windows have none.
 */

import { opensTabsInTwoSteps } from "./browser.js";
import { choice, choose, keep, kept } from "./memory.js";

// A background that ends before it stores a tab's number leaves this page.
const FIRST_PAGE = "/pages/opening.html";
const MARK = "sitestencil-background-tab";
// A browser restores its tabs after it has started the extension.
const LOOKS_AFTER_MS = [0, 2_000, 4_000, 8_000];
const LOADED_WITHIN_MS = 5_000;
const POLL_MS = 100;

/** The tabs that are open now, by number. @type {Map<number, string>} */
const open = new Map();

/** Resolves once left tabs with known numbers are closed: no tab opens before. @type {Promise<void>} */
let closed = Promise.resolve();

/** Closes left tabs. */
export function closeLeftTabs() {
  closed = closeByNumber().catch(console.error);
}

/** @type {(url: string, where: {openerTabId?: number, windowId?: number}) => Promise<number>} the number of the new tab, which is not in front */
export async function openTab(url, where) {
  await closed;
  const { id = browser.tabs.TAB_ID_NONE, incognito } = await browser.tabs.create({ url: opensTabsInTwoSteps() ? FIRST_PAGE : url, active: false, ...where });
  open.set(id, incognito ? "" : url);
  await keepOpen();
  return id;
}

/** Sends a tab to its page, unless it is there, and mutes it. @type {(id: number, url: string) => Promise<void>} */
export async function sendTab(id, url) {
  await browser.tabs.update(id, { muted: true, ...(opensTabsInTwoSteps() && { url }) });
}

/** @param {number} id */
export async function closeTab(id) {
  await browser.tabs.remove(id).catch(() => {}); // The person may have closed it.
  open.delete(id);
  await keepOpen();
}

async function keepOpen() {
  await Promise.all([keep({ openedTabs: [...open.keys()] }), choose({ openedPages: [...open.values()].filter(Boolean) })]);
}

async function closeByNumber() {
  const [openedTabs, openedPages = []] = await Promise.all([kept("openedTabs"), choice("openedPages")]);
  const unsent = await browser.tabs.query({ url: browser.runtime.getURL(FIRST_PAGE) });
  for (const id of [...(openedTabs ?? []), ...unsent.map(({ id }) => id ?? browser.tabs.TAB_ID_NONE)]) {
    await browser.tabs.remove(id).catch(() => {});
  }
  if (openedTabs) await keep({ openedTabs: [] });
  if (!openedPages.length) return;
  if (openedTabs) await choose({ openedPages: [] });
  else void closeByAddress(openedPages);
}

/** Closes tabs that the browser restored. @type {(pages: ReadonlyArray<string>) => Promise<void>} `pages`: the addresses that were opened */
async function closeByAddress(pages) {
  for (const pause of LOOKS_AFTER_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const tabs = await browser.tabs.query({});
    const ours = tabs.filter(({ id, active, url = "" }) => !active && pages.includes(url) && id !== undefined && !open.has(id));
    for (const tab of ours) if (await isMarked(tab)) await browser.tabs.remove(/** @type {number} */ (tab.id)).catch(() => {});
  }
  if (!open.size) await choose({ openedPages: [] });
}

/** @param {browser.tabs.Tab} tab */
async function isMarked({ id = browser.tabs.TAB_ID_NONE, discarded }) {
  try {
    if (discarded) await reloaded(id);
    const func = (/** @type {string} */ mark) => sessionStorage.getItem(mark) !== null;
    const [frame] = await browser.scripting.executeScript({ target: { tabId: id }, func, args: [MARK], injectImmediately: true });
    return frame?.result === true;
  } catch {
    return false; // The site is no longer allowed, or its page has no storage.
  }
}

/** Loads the page of a tab that the browser restored without one. @param {number} id */
async function reloaded(id) {
  await browser.tabs.reload(id);
  for (let waited = 0; waited < LOADED_WITHIN_MS; waited += POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if ((await browser.tabs.get(id)).status === "complete") return;
  }
}
