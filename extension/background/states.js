/** The button's states in one table: title, icon and action; view modes bring their own. */

import { MODES } from "./modes.js";

/** @import { Phrase, StateName, TabState, View, ViewMode } from "../messages.js" */

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
  ...ofModes(({ title, colour, icon, badge = "" }) => ({ title, colour, icon, badge: ({ undone }) => (undone ? "!" : badge) })),
};

/** @typedef {{to: "working", effect: "extract"} | {to: "idle", effect: "cancel"} | {to: ViewMode, effect: "show"}} Click */

/** The effect of a click: the next state, and how to reach it. @type {Readonly<Record<StateName, Click>>} */
export const CLICKS = {
  idle: { to: "working", effect: "extract" },
  working: { to: "idle", effect: "cancel" },
  error: { to: "working", effect: "extract" },
  impossible: { to: "working", effect: "extract" },
  ...ofModes(({ click }) => /** @type {Click} */ ({ to: click, effect: "show" })),
};

/**
 * The state at a click. The page's own view decides: a sleeping background forgets, and it hears of no navigation.
 * @param {boolean} isWorking whether an extraction of this page is running
 * @param {View} view
 * @returns {StateName}
 */
export function stateAtClick(isWorking, view) {
  if (isWorking) return "working";
  return view === "none" ? "idle" : view;
}

/**
 * @param {TabState} state
 * @returns {{title: Phrase[], badge: string, colour: string, icon: string}}
 */
export function lookOf(state) {
  const { title, badge, colour, icon } = LOOKS[state.name];
  return { title: title(state), badge: badge(state), colour, icon };
}

/**
 * @template Value
 * @param {(mode: import("./modes.js").Mode) => Value} make
 * @returns {Record<ViewMode, Value>}
 */
function ofModes(make) {
  const rows = Object.entries(MODES).map(([name, mode]) => [name, make(mode)]);
  return /** @type {Record<ViewMode, Value>} */ (Object.fromEntries(rows));
}
