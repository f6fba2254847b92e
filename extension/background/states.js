/** The button's states: what it says, shows and does in each, in one table. */

/** @typedef {"idle" | "working" | "template" | "original" | "error" | "impossible"} StateName */
/** @typedef {{name: StateName, pagesLoaded?: number, pagesWanted?: number | null, message?: string, summary?: Summary}} State */
/** @typedef {import("./results.js").Summary} Summary */
/** @typedef {"extract" | "cancel" | "restore" | "show"} Effect */
/** @typedef {{title: (state: State) => string, badge: (state: State) => string, colour: string, icon: string}} Look */

/** @type {Readonly<Record<StateName, Look>>} */
export const LOOKS = {
  idle: {
    title: () => "Sitestencil: show the template of this page",
    badge: () => "",
    colour: "#0a7b78",
    icon: "idle",
  },
  working: {
    title: ({ pagesLoaded = 0, pagesWanted }) =>
      `Sitestencil: comparing with other pages of this site, ${pagesLoaded}${pagesWanted ? ` of ${pagesWanted}` : ""} loaded. Click to cancel`,
    badge: ({ pagesLoaded }) => (pagesLoaded === undefined ? "…" : String(pagesLoaded)),
    colour: "#8a4b00",
    icon: "working",
  },
  template: {
    title: ({ summary = {} }) =>
      `Sitestencil: this is the template${howSure(summary)}. Click to show the page again`,
    badge: () => "",
    colour: "#17334f",
    icon: "template",
  },
  original: {
    title: () => "Sitestencil: show the template of this page again",
    badge: () => "",
    colour: "#0a7b78",
    icon: "idle",
  },
  error: {
    title: ({ message = "Something went wrong." }) => `Sitestencil: ${message} Click to try again`,
    badge: () => "!",
    colour: "#b3261e",
    icon: "error",
  },
  impossible: {
    title: ({ message = "this is not a web page." }) => `Sitestencil is not possible here: ${message}`,
    badge: () => "–",
    colour: "#5f6368",
    icon: "impossible",
  },
};

/**
 * How sure the detector is, where it tells, and whether more pages would help.
 * @param {Summary} summary
 * @returns {string}
 */
function howSure({ sureness, more_pages: more }) {
  const sure = sureness ? `, sure of ${Math.floor(100 * sureness)} % of it` : "";
  return more ? `${sure}; ${more} more ${more > 1 ? "pages" : "page"} of this kind would help` : sure;
}

/** What a click does: the state it leads to at once, and what is done. */
export const CLICKS = /** @type {Readonly<Record<StateName, {to: StateName, effect: Effect}>>} */ ({
  idle: { to: "working", effect: "extract" },
  working: { to: "idle", effect: "cancel" },
  template: { to: "original", effect: "restore" },
  original: { to: "template", effect: "show" },
  error: { to: "working", effect: "extract" },
  impossible: { to: "working", effect: "extract" },
});

/**
 * The state a click meets: what the page itself shows counts before what was remembered of it. The background
 * forgets when the browser puts it to sleep, and is told of no navigation.
 * @param {boolean} isWorking whether an extraction of this page is running
 * @param {"none" | "original" | "template"} view
 * @returns {StateName}
 */
export function stateAtClick(isWorking, view) {
  if (isWorking) return "working";
  return view === "none" ? "idle" : view;
}

/**
 * @param {State} state
 * @returns {{title: string, badge: string, colour: string, icon: string}}
 */
export function lookOf(state) {
  const { title, badge, colour, icon } = LOOKS[state.name];
  return { title: title(state), badge: badge(state), colour, icon };
}
