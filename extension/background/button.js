/** The toolbar button of a tab, and what is remembered of its state for the extension's own pages. */

import { lookOf } from "./states.js";

const SIZES = [16, 32, 48];

/**
 * Shows a state on a tab's button. The browser itself takes it back when the tab goes to another page.
 * @param {number} tabId
 * @param {import("./states.js").State} state
 */
export async function showState(tabId, state) {
  const { title, badge, colour, icon } = lookOf(state);
  const path = Object.fromEntries(SIZES.map((size) => [size, `/icons/${icon}-${size}.png`]));
  try {
    await Promise.all([
      browser.action.setTitle({ tabId, title }),
      browser.action.setBadgeText({ tabId, text: badge }),
      browser.action.setBadgeBackgroundColor({ tabId, color: colour }),
      browser.action.setBadgeTextColor({ tabId, color: "#ffffff" }),
      browser.action.setIcon({ tabId, path }),
    ]);
  } catch {
    // The tab was closed meanwhile.
  }
}
