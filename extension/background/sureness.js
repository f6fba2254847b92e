/** How right an answer is, in words (pure). */

/** @import { AboutAnswer, DoubtName, Phrase, Summary, TabState } from "../messages.js" */

// Of the answers from here on one in 35 misses an F1 of .85 (docs/benchmark.md, "Sureness").
const ALMOST_SURELY_FROM = 0.96;
// Of those below it every second.
const GUESS_BELOW = 0.88;

// A page that is alone stays so, and behind a login all pages are the same.
const MORE_WOULD_HELP = new Set(["nothing_loaded", "no_similar_page", "unsure"]);

/** @type {Readonly<Record<DoubtName, Phrase>>} */
const DOUBTS = {
  alone: ["doubt_alone"],
  nothing_loaded: ["doubt_nothing_loaded"],
  not_the_served_page: ["doubt_not_the_served_page"],
  needs_login: ["doubt_needs_login"],
  built_by_scripts: ["doubt_built_by_scripts"],
  no_similar_page: ["doubt_no_similar_page"],
  unsure: ["doubt_unsure"],
};

/**
 * @param {{doubt?: string | null}} summary
 * @returns {DoubtName | undefined} what is wrong where the answer is a guess; a name of a newer host is `unsure` here
 */
export function doubtOf({ doubt }) {
  if (!doubt) return undefined;
  return Object.hasOwn(DOUBTS, doubt) ? /** @type {DoubtName} */ (doubt) : "unsure";
}

/** @type {(doubt: DoubtName | undefined) => Phrase} what is wrong, and what can be done */
export function aboutDoubt(doubt = "unsure") {
  return DOUBTS[doubt];
}

/**
 * @param {Pick<TabState, "sureness" | "doubt">} state
 * @returns {Phrase[]} nothing where the detector does not tell
 */
export function aboutSureness({ sureness, doubt }) {
  if (doubt) return [["title_guess"]];
  if (!sureness) return [];
  if (sureness < GUESS_BELOW) return [["title_guess"]];
  return [[sureness < ALMOST_SURELY_FROM ? "title_probably" : "title_almost_surely"]];
}

/** What of a summary tells about its answer. @typedef {Pick<Summary, "sureness" | "more_pages"> & Partial<Summary>} AboutSummary */

/**
 * @param {AboutSummary} summary
 * @param {boolean} canLoadMore whether the host could compare with more pages than it has
 * @param {Pick<AboutAnswer, "loadedBy" | "canRender"> & {links?: ReadonlyArray<string>}} [ways] how the pages were loaded, of
 *   which links, and how they could be
 * @returns {AboutAnswer} what the page remembers of its answer
 */
export function aboutAnswer(summary, canLoadMore, { loadedBy, canRender, links } = {}) {
  const { sureness, more_pages: morePages, candidates, remembered } = summary;
  const doubt = doubtOf(summary);
  // What was loaded well in one way is compared anew in the same one.
  const sessionLinks = doubt ? summary.session_links : links;
  const wouldHelp = Boolean(morePages) || (doubt !== undefined && MORE_WOULD_HELP.has(doubt));
  return {
    ...(typeof sureness === "number" && { sureness }),
    ...(typeof morePages === "number" && { morePages }),
    ...(doubt && { doubt }),
    ...(candidates && { pagesCompared: candidates.length }),
    ...(remembered && { remembered }),
    ...(sessionLinks?.length && { sessionLinks, ...(canRender && { canRender }) }),
    ...(loadedBy && { loadedBy }),
    ...(canLoadMore && wouldHelp && !loadedBy && { canLoadMore }),
  };
}
