/** The toolbar button of a tab. Its states are one table: title, badge and icon; view modes bring their own. */

import { sentencesOf, textOf } from "../texts.js";
import { keepState } from "./memory.js";
import { MODES } from "./modes.js";

/**
 * @typedef {object} Look
 * @property {(state: TabState) => Phrase[]} title sentences
 * @property {(state: TabState) => string} badge
 * @property {string} colour of the badge
 * @property {string} icon
 */

/** @type {Readonly<Record<StateName, Look>>} */
export const LOOKS = {
  idle: {
    title: () => [["title_idle"]],
    badge: () => "",
    colour: "#0a7b78",
    icon: "idle",
  },
  working: {
    title: ({ pagesLoaded = 0, pagesWanted }) => [
      pagesWanted
        ? ["title_working_of", pagesWanted, pagesLoaded]
        : pagesLoaded
          ? ["title_working_loaded", pagesLoaded]
          : ["title_working"],
    ],
    badge: ({ pagesLoaded }) => (pagesLoaded === undefined ? "…" : String(pagesLoaded)),
    colour: "#8a4b00",
    icon: "working",
  },
  error: {
    title: ({ problem = ["extension_failed"] }) => [["title_error", problem]],
    badge: () => "!",
    colour: "#b3261e",
    icon: "error",
  },
  impossible: {
    title: ({ problem = ["impossible_no_web_page"] }) => [["title_impossible", problem]],
    badge: () => "–",
    colour: "#5f6368",
    icon: "impossible",
  },
  .../** @type {Record<ViewMode, Look>} */ (
    Object.fromEntries(Object.entries(MODES).map(([name, { badge = "", ...mode }]) => [name, { ...mode, badge: ({ undone, blank }) => (undone || blank ? "!" : badge) }]))
  ),
};

/** @type {(state: TabState) => {title: Phrase[], badge: string, colour: string, icon: string}} */
export function lookOf(state) {
  const { title, badge, colour, icon } = LOOKS[state.name];
  return { title: title(state), badge: badge(state), colour, icon };
}

const SIZES = [16, 32, 48];

let drawn = Promise.resolve();

/** Shows a state on a tab's button, after the earlier ones. The browser resets it at a navigation. @type {(tabId: number, state: TabState) => Promise<void>} */
export function showState(tabId, state) {
  return (drawn = drawn.then(() => draw(tabId, state)));
}

/** @type {(tabId: number, state: TabState) => Promise<void>} */
async function draw(tabId, state) {
  const { title, badge, colour, icon } = lookOf(state);
  const path = Object.fromEntries(SIZES.map((size) => [size, `/icons/${icon}-${size}.png`]));
  try {
    // Before the button: whoever reads its title and then the stored state must not read an earlier page's state.
    await keepState(tabId, state);
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
