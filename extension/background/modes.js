/** The view modes of a page with a known template, as one table: hidden part, and words of button and panel. A new mode needs a new row, and its name in `ViewMode`. */

import { textOf } from "../texts.js";

// Of the template: from the second bound on, one answer in 35 misses an F1 of .85 (docs/benchmark.md, "Confidence").
// Below the first, every second answer misses it.
const BOUNDS = [0.88, 0.96];
// Of the main content: one in 27 (docs/methods/main-content.md), and two of three.
const MAIN_BOUNDS = [0.8, 0.95];

// A page alone stays alone, and behind a login all pages are the same.
const MORE_WOULD_HELP = new Set(["nothing_loaded", "no_similar_page", "unsure"]);

/** @type {(summary: {doubt?: string | null | undefined}) => DoubtName | undefined} the reason why the answer is a guess; a newer host's unknown reason is `unsure` */
export function doubtOf({ doubt }) {
  if (!doubt) return undefined;
  const name = /** @type {DoubtName} */ (doubt);
  return textOf(aboutDoubt(name)) ? name : "unsure";
}

/** @type {(doubt: DoubtName | undefined, status?: number) => Phrase} the problem and a remedy */
export function aboutDoubt(doubt = "unsure", status) {
  return [`doubt_${doubt}`, status ? ` (${status})` : ""];
}

// The main content of a page needs no other page: these doubts are about the template only.
const OF_TEMPLATE = new Set(["alone", "nothing_loaded", "no_similar_page", "unsure", "all_template", "all_content", "links_may_act"]);

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
  if (shown === undefined) return [];
  if (shown < probably) return [["confidence_low"]];
  return [[shown < almostSurely ? "confidence_medium" : "confidence_high"]];
}

/** The part of a summary that tells about the answer. @typedef {Pick<Summary, "confidence" | "more_pages"> & Partial<Summary>} AboutSummary */

/**
 * @param {AboutSummary} summary
 * @param {boolean} canLoadMore whether the host could compare with more pages than it has
 * @param {Pick<AboutAnswer, "loadedBy" | "canRender" | "status"> & {links?: ReadonlyArray<string>}} [ways] how and from which
 *   links the pages were loaded, and other ways
 * @returns {AboutAnswer} the facts that the page keeps with its answer
 */
export function aboutAnswer(summary, canLoadMore, { loadedBy, canRender, links, status = 0 } = {}) {
  const { confidence, main_confidence: mainConfidence, more_pages: morePages, candidates, remembered } = summary;
  const [doubt, mainDoubt] = [doubtOf(summary), doubtOf({ doubt: summary.main_doubt })];
  // A new comparison takes the way that worked.
  const sessionLinks = doubt ? summary.session_links : links;
  const wouldHelp = doubt ? MORE_WOULD_HELP.has(doubt) : Boolean(morePages);
  return {
    ...(typeof confidence === "number" && { confidence }),
    ...(typeof mainConfidence === "number" && { mainConfidence }),
    ...(typeof morePages === "number" && { morePages }),
    ...(doubt && { doubt }),
    ...(mainDoubt && { mainDoubt }),
    ...(status >= 400 && { status }),
    ...(candidates && { compared: candidates }),
    ...(remembered && { remembered }),
    ...(sessionLinks?.length && { sessionLinks, ...(canRender && { canRender }) }),
    ...(loadedBy && { loadedBy }),
    ...(canLoadMore && wouldHelp && !loadedBy && { canLoadMore }),
  };
}

/**
 * @typedef {object} Mode
 * @property {PagePart} [hides] the hidden part of the page
 * @property {true} [startsAtContent] whether the view opens at the first content
 * @property {boolean} [inspects] whether the elements are tinted by their scores, and say why
 * @property {(state: TabState) => Phrase[]} title sentences of the toolbar button
 * @property {"idle" | "template"} icon
 * @property {string} [badge]
 * @property {string} colour of the button's badge
 * @property {(state: TabState) => Phrase[]} [sentences] in the panel; without any there is none
 * @property {ReadonlyArray<PanelButtonName>} [panel] buttons beside the views
 * @property {ReadonlyArray<PanelButtonName>} [menu] those in the menu; with one, the panel is a line that offers all the views
 * @property {true} [canRead] whether the panel offers the reading styles
 * @property {Partial<Record<PanelButtonName, TextName>>} [labels] those that this mode's own panel has instead
 */

/** The views to choose from, in the panel's order. @type {ReadonlyArray<ViewMode>} */
export const VIEWS = ["template", "original", "content"];

/** The styles of the content view: the page's own, and the reading styles. @type {ReadonlyArray<Reading | "off">} */
export const STYLES = ["off", "light", "sepia", "dark"];

/** @type {Readonly<Record<ViewMode, Mode>>} */
export const MODES = {
  original: {
    title: ({ opens, blank }) => [[blank ? "title_blank" : opens === "content" ? "title_original_template" : "title_original"]],
    icon: "idle",
    colour: "#0a7b78",
  },
  template: {
    hides: "content",
    title: (state) => [...hidden(state, ["title_template"]), aboutClick("template", state)],
    icon: "template",
    colour: "#17334f",
    sentences: aboutComparison,
    panel: ["again"],
    menu: ["undo", "edit", "gaps", "more", "save", "rules", "inspect", "options"],
  },
  content: {
    hides: "rest",
    startsAtContent: true,
    canRead: true,
    title: (state) => [...hidden(state, ["title_content"]), aboutClick("content", state)],
    icon: "template",
    colour: "#17334f",
    sentences: aboutComparison,
    panel: ["again"],
    menu: ["undo", "edit", "copy", "save", "around", "gaps", "always", "more", "inspect", "options"],
    labels: { save: "panel_save_content" },
  },
  inspect: {
    inspects: true,
    title: (state) => [["title_inspect"], ...phrasesOfAnswer(state), aboutClick("inspect", state)],
    icon: "template",
    colour: "#17334f",
    sentences: (state) => [...aboutCorrections(state), ["panel_correct_how"], ["panel_inspect_how"]],
    panel: ["only_page", "all_pages", "undo", "edit"],
    menu: ["options"],
  },
  // The answer is a guess: the page stays unchanged until the person asks.
  doubtful: {
    title: ({ doubt, status }) => [["title_doubtful", aboutDoubt(doubt, status)]],
    icon: "idle",
    badge: "?",
    colour: "#8a4b00",
    sentences: (state) => [aboutDoubt(state.doubt, state.status), ...aboutWays(state)],
    labels: { template: "panel_guess", original: "panel_cancel" },
  },
};

/** @type {(state: Pick<TabState, "doubt" | "mainConfidence">, opens: FirstView) => ViewMode} the first mode of an answer */
export function firstMode(state, opens) {
  return !state.doubt || (opens === "content" && hasSureContent(state)) ? opens : "doubtful";
}

/** The mode after a click on the toolbar button: from the view that the button opens to the page, then to the other view, and on. The key of a view leads to it, and from it to the page. @type {(mode: View, opens?: FirstView, key?: FirstView) => ViewMode} */
export function clickOf(mode, opens = "template", key = undefined) {
  if (key) return mode === key ? "original" : key;
  const other = opens === "template" ? "content" : "template";
  return mode === "original" ? other : mode === other ? opens : "original";
}

/** @type {(mode: ViewMode, state: TabState) => Phrase} */
function aboutClick(mode, { opens }) {
  const to = clickOf(mode, opens);
  return [to === "template" ? "title_click_for_template" : to === "content" ? "title_click_for_content" : "title_click_for_page"];
}

/** @type {(name: unknown) => name is ViewMode} */
export function isMode(name) {
  return typeof name === "string" && Object.hasOwn(MODES, name);
}

/** @type {(view: View) => boolean} whether a view hides anything */
export function hidesAnything(view) {
  return view !== "none" && MODES[view].hides !== undefined;
}

/** @type {(state: TabState, says: Phrase) => Phrase[]} */
function hidden(state, says) {
  if (state.undone) return [["title_undone"]];
  return [says, ...(state.moved ? [/** @type {Phrase} */ (["panel_moved"])] : []), ...phrasesOfAnswer(state), ...aboutCorrections(state)];
}

/** The detector's confidence, if it gives one, and whether more pages would help. @type {(state: TabState) => Phrase[]} */
function phrasesOfAnswer(state) {
  const phrases = aboutConfidence(state);
  const { morePages, doubt } = state;
  if (morePages && !doubt && phrases[0]?.[0] !== "confidence_high") phrases.push(["title_more_pages", morePages]);
  return phrases;
}

/** The advice about the ways to load pages that the panel offers. @type {(state: TabState) => Phrase[]} */
function aboutWays({ sessionLinks, loadedBy, canRender, doubt }) {
  if (loadedBy === "rendered") return [["panel_rendered_differs"]];
  if (!sessionLinks || doubt === "links_may_act") return [];
  if (loadedBy) return [[canRender ? "panel_session_differs_render" : "panel_session_differs"]];
  if (doubt === "built_by_scripts") return canRender ? [["panel_way_rendered"]] : [];
  return [[canRender && doubt !== "needs_login" ? "panel_ways" : "panel_way_session"]];
}

/** @type {(state: TabState) => Phrase[]} */
export function aboutCorrections({ corrections }) {
  return corrections ? [["panel_corrections", corrections]] : [];
}

/** The comparison in words: pages compared, confidence, the person's corrections, the problem of a poor answer, a moved page, and unjudged parts. @type {(state: TabState) => Phrase[]} */
function aboutComparison(state) {
  const { name, copied, proved, typed = [], compared = [], doubt, mainDoubt, status, later, moved, remembered, loadedBy } = state;
  /** @type {Phrase[]} */
  const aboutFile = typed.map((news) => [news === "cut" && name === "content" ? "panel_typed_cut_content" : `panel_typed_${news}`]);
  if (copied) aboutFile.unshift(proved ? ["panel_copied_rules", proved] : [copied === "yes" ? "panel_copied" : "panel_not_copied"]);
  if (aboutFile.length) return aboutFile;
  const isOfPageAlone = doubt && name === "content" && !state.showsAround && hasSureContent(state);
  /** @type {Phrase[]} */
  const phrases = isOfPageAlone ? [["panel_page_alone"]] : remembered ? [["panel_remembered"]] : compared.length ? [["panel_compared", compared.length]] : [];
  phrases.push(...phrasesOfAnswer(state), ...aboutCorrections(state));
  if (doubt && !isOfPageAlone) phrases.push(aboutDoubt(doubt, status));
  if (mainDoubt && name === "content") phrases.push(aboutDoubt(mainDoubt));
  if (loadedBy === "rendered") phrases.push(["panel_rendered_how"]);
  if (moved) phrases.push(["panel_moved"]);
  if (later) phrases.push([later === "judged" ? "panel_later_judged" : "panel_later_shown"]);
  return phrases;
}
