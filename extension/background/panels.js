/** The words of the panel in a page's corner, for a view mode or a sentence. */

import { endOf } from "../sites.js";
import { sentencesOf, textOf } from "../texts.js";
import { aboutConfidence, hasSureContent, MODES, STYLES, VIEWS } from "./modes.js";

/** The buttons with a sign in place of words. @type {Partial<Record<PanelButtonName, string>>} */
const SIGNS = { move: "\u283f", menu: "\u2630", close: "\u00d7" };

/** How sure an answer is, at a glance. @type {Partial<Record<TextName, {sign: string, word: TextName}>>} */
const CONFIDENCE = {
  confidence_high: { sign: "\u25cf", word: "word_high" },
  confidence_medium: { sign: "\u25d0", word: "word_medium" },
  confidence_low: { sign: "\u25cb", word: "word_low" },
};

/** The buttons with a longer name for screen readers. */
const EXPLAINED = new Set(["always", "edit", "undo"]);

/** @typedef {TabState & {name: ViewMode}} ViewState */

/** The order to a page for a state with a view mode. @type {(state: ViewState) => ViewOrder} */
export function orderOf(state) {
  const { hides, startsAtContent, inspects, sentences } = MODES[state.name];
  return {
    mode: state.name,
    ...(hides && { hides: hides === "rest" ? leftOut(state) : hides, closeGaps: Boolean(state.closeGaps || state.reading) }),
    ...(state.reading && { reading: state.reading }),
    ...(startsAtContent && { startsAtContent }),
    ...(inspects && { inspects }),
    ...(state.looking ? { panel: lookingPanel(state) } : sentences && { panel: panelOf(sentences(state), state) }),
  };
}

/** @type {(state: TabState) => PagePart} the part that a file of what shows leaves out: the content, unless that shows */
export function leftOut({ name, showsAround }) {
  return name !== "content" ? "content" : showsAround ? "template" : "rest";
}

/**
 * @param {string} sentence
 * @param {PanelChoices} [chosen]
 * @param {boolean} [canRetry] whether the person can try again; a page with an answer leaves that button out, as a
 *   click there changes the view
 * @returns {PanelContent}
 */
export function messagePanel(sentence, chosen = {}, canRetry = false) {
  return { ...frame(chosen.place), sentence, views: [], buttons: canRetry ? [buttonOf("retry")] : [], close: buttonOf("close") };
}

/** The panel while pages load. @type {(progress: {pagesLoaded?: number, pagesWanted?: number | null}, chosen?: PanelChoices) => PanelContent} */
export function workingPanel({ pagesLoaded = 0, pagesWanted }, chosen = {}) {
  const sentence = textOf(pagesWanted ? ["panel_working_of", pagesLoaded, pagesWanted] : ["panel_working"]);
  return { ...frame(chosen.place), sentence, views: [], buttons: [buttonOf("cancel")] };
}

/** @type {(state: ViewState) => PanelContent} */
function lookingPanel({ panel }) {
  return { ...frame(panel?.place), sentence: textOf(["panel_looking"]), views: [], buttons: [] };
}

/** The panel of a view mode that the page undoes. @type {(state: ViewState) => PanelContent} */
export function undonePanel(state) {
  return panelOf([["panel_undone"]], { ...state, undone: true });
}

/** The panel on a page whose view would have been blank: the other view is left. @type {(state: ViewState) => PanelContent} */
export function blankPanel({ name, panel }) {
  return { ...messagePanel(textOf(["panel_blank"]), panel), buttons: [labelled(name === "content" ? "template" : "content")] };
}

/** The panel that lists the pages to load in the person's session, before the first time on a site. @type {(links: ReadonlyArray<string>, mayAct?: boolean) => PanelContent} */
export function sessionPanel(links, mayAct = false) {
  const buttons = [{ ...buttonOf("allow"), main: true }, labelled("original", "panel_cancel")];
  const choices = links.map((link) => ({ value: link, label: endOf(link) }));
  return { ...frame(), sentence: textOf([mayAct ? "panel_alike_list" : "panel_session_list"]), choices, views: [], buttons };
}

/** The fields of every panel. @param {PanelPlace} [place] */
function frame(place) {
  return {
    name: textOf(["name"]),
    language: textOf(["language"]),
    direction: /** @type {"ltr" | "rtl"} */ (textOf(["direction"])),
    move: buttonOf("move"),
    ...(place && { place }),
  };
}

/** @type {(sentences: ReadonlyArray<Phrase>, state: ViewState) => PanelContent} */
function panelOf(sentences, state) {
  const { panel, menu, canRead, labels = {} } = MODES[state.name];
  const made = (/** @type {ReadonlyArray<PanelButtonName>} */ names) => names.filter((name) => isOffered(name, state)).map((name) => buttonOf(name, state, labels));
  const buttons = made(panel ?? waysOut(state));
  if (state.name === "doubtful") buttons[0].main = true;
  const confidence = confidenceOf(state);
  return {
    ...frame(state.panel?.place),
    sentence: sentencesOf(sentences),
    views: menu ? VIEWS.map((name) => ({ ...labelled(name), pressed: name === state.name })) : [],
    buttons,
    ...(menu && {
      ...(isNews(state) && { isNews: true }),
      ...(confidence && { confidence }),
      menu: {
        button: buttonOf("menu"),
        ...(canRead && { styles: { name: textOf(["panel_reading"]), buttons: STYLES.map((style) => styleButton(style, state)) } }),
        buttons: made(menu),
      },
      close: buttonOf("close"),
    }),
  };
}

/** @type {(state: ViewState) => boolean} whether the sentences tell what the person must know now */
function isNews({ name, copied, typed, moved, later, undone }) {
  return Boolean(name === "inspect" || copied || typed || moved || later === "shown" || undone);
}

/** @type {(state: ViewState) => PanelContent["confidence"]} with a pencil where corrections took part */
function confidenceOf(state) {
  const [[name] = []] = state.name === "inspect" ? [] : aboutConfidence(state);
  const found = name && CONFIDENCE[name];
  return found && { sign: found.sign, word: `${textOf([found.word])}${state.corrections ? " \u270e" : ""}` };
}

/** @type {(style: Reading | "off", state: ViewState) => PanelButton} */
function styleButton(style, { reading = "off" }) {
  return { ...buttonOf(`reading_${style}`), pressed: style === reading };
}

/** @type {(state: ViewState) => PanelButtonName[]} of a guess, the one that helps first: a login only where the site shows one; and the content where that is no guess */
function waysOut(state) {
  const { doubt, asked = "template" } = state;
  /** @type {PanelButtonName[]} */
  const ways = doubt === "links_may_act" ? ["session"] : doubt === "needs_login" ? ["session", "rendered", "more"] : doubt === "built_by_scripts" || doubt === "not_the_served_page" ? ["rendered", "session", "more"] : ["more", "rendered", "session"];
  return hasSureContent(state) ? [...ways, "content", "template", "original"] : [...ways, asked, "original"];
}

/** @type {(name: PanelButtonName, state: ViewState) => boolean} */
function isOffered(name, { reading, always, canLoadMore, corrections, sessionLinks, loadedBy, canRender, moved, compared = [] }) {
  if (name === "gaps") return !reading;
  if (name === "always") return always !== undefined;
  if (name === "again") return Boolean(moved);
  if (name === "rules") return !loadedBy && compared.length > 1; // the host loads these pages again, as a stranger
  if (name === "more") return Boolean(canLoadMore);
  if (name === "session") return Boolean(sessionLinks) && !loadedBy;
  if (name === "rendered") return Boolean(sessionLinks && canRender) && loadedBy !== "rendered";
  return (name !== "undo" && name !== "edit") || Boolean(corrections);
}

/** @type {(name: PanelButtonName, state?: Partial<ViewState>, labels?: Partial<Record<PanelButtonName, TextName>>) => PanelButton} */
function buttonOf(name, { always, asked, closeGaps, doubt, showsAround } = {}, labels = {}) {
  const text = name === "more" && doubt === "nothing_loaded" ? "panel_retry" : name === "session" && doubt === "links_may_act" ? "panel_alike" : name === asked ? "panel_guess" : labels[name];
  /** @type {Partial<Record<PanelButtonName, boolean>>} */
  const switches = { always, gaps: closeGaps, around: showsAround };
  return {
    ...labelled(name, text),
    ...(SIGNS[name] && { label: SIGNS[name] }),
    ...(EXPLAINED.has(name) && { description: textOf([/** @type {TextName} */ (`panel_${name}_how`)]) }),
    ...(name in switches && { pressed: Boolean(switches[name]) }),
  };
}

/** @type {(name: PanelButtonName, text?: TextName) => PanelButton} */
function labelled(name, text = /** @type {TextName} */ (`panel_${name}`)) {
  const label = textOf([text]);
  return { name, label, description: label };
}
