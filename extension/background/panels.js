/** The words of the panel in a page's corner, for a view mode or a sentence. */

import { endOf } from "../sites.js";
import { sentencesOf, textOf } from "../texts.js";
import { MODES, STYLES, VIEWS } from "./modes.js";
import { aboutConfidence } from "./confidence.js";

/** @import { PanelButton, PanelButtonName, PagePart, PanelChoices, PanelContent, PanelPlace, Phrase, Reading, TabState, TextName, ViewMode, ViewOrder } from "../messages.js" */

/** @type {Readonly<Record<Exclude<PanelButtonName, ViewMode>, TextName>>} */
const LABELS = {
  save: "panel_save",
  copy: "panel_copy",
  gaps: "panel_gaps",
  around: "panel_around",
  always: "panel_always",
  reading_off: "panel_reading_off",
  reading_light: "panel_reading_light",
  reading_sepia: "panel_reading_sepia",
  reading_dark: "panel_reading_dark",
  more: "panel_more",
  again: "panel_again",
  only_page: "panel_only_page",
  all_pages: "panel_all_pages",
  undo: "panel_undo",
  edit: "panel_edit",
  session: "panel_session",
  rendered: "panel_rendered",
  allow: "panel_allow",
  move: "panel_move",
  options: "help_options",
  menu: "panel_menu",
  close: "panel_close",
  cancel: "panel_cancel",
  retry: "help_try_again",
};

/** The buttons with a sign in place of words. @type {Partial<Record<PanelButtonName, string>>} */
const SIGNS = { move: "\u283f", menu: "\u2630", close: "\u00d7" };

/** How sure an answer is, at a glance. @type {Partial<Record<TextName, {sign: string, word: TextName}>>} */
const CONFIDENCE = {
  confidence_high: { sign: "\u25cf", word: "word_high" },
  confidence_medium: { sign: "\u25d0", word: "word_medium" },
  confidence_low: { sign: "\u25cb", word: "word_low" },
};

/** Names for screen readers, where the label alone is too short. */
const HOW = /** @type {const} */ ({ undo: "panel_undo_how", edit: "panel_edit_how" });

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

/**
 * The panel while pages load.
 * @param {{pagesLoaded?: number, pagesWanted?: number | null}} progress
 * @param {PanelChoices} [chosen]
 * @returns {PanelContent}
 */
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

/** The panel that lists the pages to load in the person's session, before the first time on a site. @type {(links: ReadonlyArray<string>) => PanelContent} */
export function sessionPanel(links) {
  const buttons = [{ ...buttonOf("allow"), main: true }, labelled("original", "panel_cancel")];
  const choices = links.map((link) => ({ value: link, label: endOf(link) }));
  return { ...frame(), sentence: textOf(["panel_session_list"]), choices, views: [], buttons };
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
    views: menu ? VIEWS.map((name) => ({ ...labelled(name, MODES[name].label), pressed: name === state.name })) : [],
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
function isNews({ name, copied, moved, later, undone }) {
  return Boolean(name === "inspect" || copied || moved || later === "shown" || undone);
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

/** @type {(state: ViewState) => PanelButtonName[]} of a guess, the one that helps first: a login only where the site shows one */
function waysOut({ doubt, asked = "template" }) {
  /** @type {PanelButtonName[]} */
  const ways = doubt === "needs_login" ? ["session", "rendered", "more"] : doubt === "built_by_scripts" || doubt === "not_the_served_page" ? ["rendered", "session", "more"] : ["more", "rendered", "session"];
  return [...ways, asked, "original"];
}

/** @type {(name: PanelButtonName, state: ViewState) => boolean} */
function isOffered(name, { reading, always, canLoadMore, corrections, sessionLinks, loadedBy, canRender, moved }) {
  if (name === "gaps") return !reading;
  if (name === "always") return always !== undefined;
  if (name === "again") return Boolean(moved);
  if (name === "more") return Boolean(canLoadMore);
  if (name === "session") return Boolean(sessionLinks) && !loadedBy;
  if (name === "rendered") return Boolean(sessionLinks && canRender) && loadedBy !== "rendered";
  return (name !== "undo" && name !== "edit") || Boolean(corrections);
}

/** @type {(name: PanelButtonName, state?: Partial<ViewState>, labels?: Partial<Record<PanelButtonName, TextName>>) => PanelButton} */
function buttonOf(name, { always, closeGaps, doubt, showsAround } = {}, labels = {}) {
  if (name === "gaps") return { ...labelled(name, LABELS[name]), pressed: Boolean(closeGaps) };
  if (name === "always") return { ...labelled(name, LABELS[name]), description: textOf(["panel_always_how"]), pressed: Boolean(always) };
  if (name === "more" && doubt === "nothing_loaded") return labelled(name, "help_try_again");
  if (name === "around") return { ...labelled(name, LABELS[name]), pressed: Boolean(showsAround) };
  if (name === "undo" || name === "edit") return { ...labelled(name, LABELS[name]), description: textOf([HOW[name]]) };
  if (name in MODES) return labelled(name, labels[/** @type {ViewMode} */ (name)] ?? MODES[/** @type {ViewMode} */ (name)].label);
  const button = labelled(name, labels[name] ?? LABELS[/** @type {keyof typeof LABELS} */ (name)]);
  return { ...button, label: SIGNS[name] ?? button.label };
}

/** @type {(name: PanelButtonName, text: TextName) => PanelButton} */
function labelled(name, text) {
  const label = textOf([text]);
  return { name, label, description: label };
}
