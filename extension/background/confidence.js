/** The confidence of an answer, in words. */

import { textOf } from "../texts.js";

// Of the template: from the second bound on, one answer in 35 misses an F1 of .85 (docs/benchmark.md, "Confidence").
// Below the first, every second answer misses it.
const BOUNDS = [0.88, 0.96];
// Of the main content: one in 27 (docs/methods/main-content.md), and two of three.
const MAIN_BOUNDS = [0.8, 0.95];

// A page alone stays alone, and behind a login all pages are the same.
const MORE_WOULD_HELP = new Set(["nothing_loaded", "no_similar_page", "unsure"]);

/** @type {(summary: {doubt?: string | null}) => DoubtName | undefined} the reason why the answer is a guess; a newer host's unknown reason is `unsure` */
export function doubtOf({ doubt }) {
  if (!doubt) return undefined;
  const name = /** @type {DoubtName} */ (doubt);
  return textOf(aboutDoubt(name)) ? name : "unsure";
}

/** @type {(doubt: DoubtName | undefined) => Phrase} the problem and a remedy */
export function aboutDoubt(doubt = "unsure") {
  return [`doubt_${doubt}`];
}

// The main content of a page needs no other page: these doubts are about the template only.
const OF_TEMPLATE = new Set(["alone", "nothing_loaded", "no_similar_page", "unsure", "all_template", "all_content"]);

/** @type {(about: Pick<TabState, "doubt" | "mainConfidence">) => boolean} whether the main content is no guess */
export function hasSureContent({ doubt, mainConfidence = 0 }) {
  return (!doubt || OF_TEMPLATE.has(doubt)) && mainConfidence >= MAIN_BOUNDS[0];
}

/** @type {(state: Pick<TabState, "name" | "confidence" | "mainConfidence" | "showsAround" | "doubt">) => Phrase[]} how right the view is; empty if the detector gives no confidence */
export function aboutConfidence({ name, confidence, mainConfidence, showsAround, doubt }) {
  const ofMain = name === "content" && !showsAround && mainConfidence !== undefined;
  const shown = ofMain ? mainConfidence : confidence;
  const [probably, almostSurely] = ofMain ? MAIN_BOUNDS : BOUNDS;
  if (doubt && !(ofMain && hasSureContent({ doubt, mainConfidence }))) return [["confidence_low"]];
  if (!shown) return [];
  if (shown < probably) return [["confidence_low"]];
  return [[shown < almostSurely ? "confidence_medium" : "confidence_high"]];
}

/** The part of a summary that tells about the answer. @typedef {Pick<Summary, "confidence" | "more_pages"> & Partial<Summary>} AboutSummary */

/**
 * @param {AboutSummary} summary
 * @param {boolean} canLoadMore whether the host could compare with more pages than it has
 * @param {Pick<AboutAnswer, "loadedBy" | "canRender"> & {links?: ReadonlyArray<string>}} [ways] how and from which
 *   links the pages were loaded, and other ways
 * @returns {AboutAnswer} the facts that the page keeps with its answer
 */
export function aboutAnswer(summary, canLoadMore, { loadedBy, canRender, links } = {}) {
  const { confidence, main_confidence: mainConfidence, more_pages: morePages, candidates, remembered } = summary;
  const doubt = doubtOf(summary);
  // A new comparison takes the way that worked.
  const sessionLinks = doubt ? summary.session_links : links;
  const wouldHelp = doubt ? MORE_WOULD_HELP.has(doubt) : Boolean(morePages);
  return {
    ...(typeof confidence === "number" && { confidence }),
    ...(mainConfidence && { mainConfidence }),
    ...(typeof morePages === "number" && { morePages }),
    ...(doubt && { doubt }),
    ...(candidates && { pagesCompared: candidates.length }),
    ...(remembered && { remembered }),
    ...(sessionLinks?.length && { sessionLinks, ...(canRender && { canRender }) }),
    ...(loadedBy && { loadedBy }),
    ...(canLoadMore && wouldHelp && !loadedBy && { canLoadMore }),
  };
}
