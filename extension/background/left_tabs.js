/** Tabs that the extension opens only to read them. If the background ends first, its next start closes them. */

import { opensTabsInTwoSteps } from "./browser.js";
import { keep, kept } from "./memory.js";

// A background that ends before it stores a tab's number leaves this page.
const FIRST_PAGE = "/pages/opening.html";

/** The numbers of the tabs that are open now. @type {Set<number>} */
const open = new Set();

/** Resolves once left tabs are closed: no tab opens before. @type {Promise<void>} */
let closed = Promise.resolve();

/** Closes left tabs. */
export function closeLeftTabs() {
  closed = closeLeft().catch(console.error);
}

/** @type {(url: string, where: {openerTabId?: number, windowId?: number}) => Promise<number>} the number of the new tab, which is not in front */
export async function openTab(url, where) {
  await closed;
  const { id = browser.tabs.TAB_ID_NONE } = await browser.tabs.create({ url: opensTabsInTwoSteps() ? FIRST_PAGE : url, active: false, ...where });
  open.add(id);
  await keep({ openedTabs: [...open] });
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
  await keep({ openedTabs: [...open] });
}

async function closeLeft() {
  const [openedTabs = [], unsent] = await Promise.all([kept("openedTabs"), browser.tabs.query({ url: browser.runtime.getURL(FIRST_PAGE) })]);
  for (const id of [...openedTabs, ...unsent.map(({ id }) => id ?? browser.tabs.TAB_ID_NONE)]) {
    await browser.tabs.remove(id).catch(() => {});
  }
  await keep({ openedTabs: [] });
}
