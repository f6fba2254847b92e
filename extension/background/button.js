/** The toolbar button of a tab. */

import { sentencesOf, textOf } from "../texts.js";
import { keepState } from "./memory.js";
import { lookOf } from "./states.js";

const SIZES = [16, 32, 48];

/** Shows a state on a tab's button. The browser resets it at a navigation. @type {(tabId: number, state: TabState) => Promise<void>} */
export async function showState(tabId, state) {
  const { title, badge, colour, icon } = lookOf(state);
  const path = Object.fromEntries(SIZES.map((size) => [size, `/icons/${icon}-${size}.png`]));
  // Before the button: whoever reads its title and then the stored state must not read an earlier page's state.
  await keepState(tabId, state);
  try {
    await Promise.all([
      browser.action.setTitle({ tabId, title: sentencesOf(title) }),
      browser.action.setBadgeText({ tabId, text: badge }),
      browser.action.setBadgeBackgroundColor({ tabId, color: colour }),
      browser.action.setBadgeTextColor({ tabId, color: "#ffffff" }),
      browser.action.setIcon({ tabId, path }),
    ]);
  } catch {
    // The tab was closed meanwhile.
  }
}

/** @type {(tabId: number) => Promise<boolean>} whether the tab's button says that the page is unknown */
export async function showsIdle(tabId) {
  return (await browser.action.getTitle({ tabId })) === textOf(["title_idle"]);
}
