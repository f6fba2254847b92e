/** The panel in the corner of a page, in words: for a view mode, or for a sentence. */

import { textOf } from "../texts.js";
import { MODES } from "./modes.js";

/** @import { PanelButton, PanelButtonName, PanelContent, TabState, TextName, ViewMode, ViewOrder } from "../messages.js" */

const MESSAGE_STAYS_MS = 12_000;

/**
 * A state with a view mode as the page carries it out.
 * @param {TabState & {name: ViewMode}} state
 * @returns {ViewOrder}
 */
export function orderOf(state) {
  const { hides, panel, sentence, labels } = MODES[state.name];
  if (state.looking) return { mode: state.name, ...(hides && { hides }), panel: panelOf(textOf(["panel_looking"]), []) };
  const content = panelOf(sentence ? textOf(sentence(state)) : "", panel, labels);
  return { mode: state.name, ...(hides && { hides }), ...(panel.length && { panel: content }) };
}

/**
 * @param {string} sentence
 * @returns {PanelContent}
 */
export function messagePanel(sentence) {
  return { ...panelOf(sentence, ["close"]), closesAfterMs: MESSAGE_STAYS_MS };
}

/**
 * The panel of a view mode that the page undoes.
 * @param {ViewMode} mode
 * @returns {PanelContent}
 */
export function undonePanel(mode) {
  return panelOf(textOf(["panel_undone"]), MODES[mode].panel);
}

/** @type {(sentence: string, buttons: ReadonlyArray<PanelButtonName>, labels?: Partial<Record<ViewMode, TextName>>) => PanelContent} */
function panelOf(sentence, buttons, labels = {}) {
  return { sentence, buttons: buttons.map((name) => buttonOf(name, labels)) };
}

/** @type {(name: PanelButtonName, labels: Partial<Record<ViewMode, TextName>>) => PanelButton} */
function buttonOf(name, labels) {
  if (name === "close") return { name, label: "\u00d7", description: textOf(["panel_close"]) };
  const label = textOf([name === "save" ? "panel_save" : (labels[name] ?? MODES[name].label)]);
  return { name, label, description: label };
}
