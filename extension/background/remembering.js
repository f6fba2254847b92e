/** Whether the host may remember what it learns of a page: the person's switch, the list of sites, private windows. */

import { isNeverRemembered } from "../sites.js";

/** @import { Choices } from "../messages.js" */

/**
 * @param {number} tabId
 * @returns {Promise<string>} the page's address; empty where nothing of it may be remembered, as of a private window
 */
export async function rememberedUrl(tabId) {
  const [{ incognito, url = "" }, choices] = await Promise.all([
    browser.tabs.get(tabId),
    browser.storage.local.get(["remembers", "neverRemembered"]),
  ]);
  const { remembers = true, neverRemembered = [] } = /** @type {Partial<Choices>} */ (choices);
  return remembers && !incognito && !isNeverRemembered(url, neverRemembered) ? url : "";
}
