/** The panel in the corner of a page, in words: for a view mode, or for a sentence. */

import { textOf } from "../texts.js";
import { MODES } from "./modes.js";

/** @import { PanelButton, PanelButtonName, PanelContent, ViewMode, ViewOrder } from "../messages.js" */

const MESSAGE_STAYS_MS = 12_000;

/**
 * A view mode as the page carries it out.
 * @param {ViewMode} mode
 * @returns {ViewOrder}
 */
export function orderOf(mode) {
  const { hides, panel } = MODES[mode];
  return { mode, ...(hides && { hides }), ...(panel.length && { panel: panelOf("", panel) }) };
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

/** @type {(sentence: string, buttons: ReadonlyArray<PanelButtonName>) => PanelContent} */
function panelOf(sentence, buttons) {
  return { sentence, buttons: buttons.map(buttonOf) };
}

/** @type {(name: PanelButtonName) => PanelButton} */
function buttonOf(name) {
  if (name === "close") return { name, label: "\u00d7", description: textOf(["panel_close"]) };
  const label = textOf([name === "save" ? "panel_save" : MODES[name].label]);
  return { name, label, description: label };
}
