/**
 * The view modes of a page whose template is known, as one table: what each hides, what button and panel say, and
 * where a click leads. A new mode is a new row, and its name in `ViewMode`.
 */

import { aboutDoubt, aboutSureness } from "./sureness.js";

/** @import { PagePart, PanelButtonName, Phrase, TabState, TextName, View, ViewMode } from "../messages.js" */

/**
 * @typedef {object} Mode
 * @property {PagePart} [hides] what of the page does not show
 * @property {ViewMode} click the mode that a click on the toolbar button leads to
 * @property {(state: TabState) => Phrase[]} title sentences of the toolbar button
 * @property {"idle" | "template"} icon
 * @property {string} [badge]
 * @property {string} colour of the button's badge
 * @property {(state: TabState) => Phrase} [sentence] in the panel, before its buttons
 * @property {ReadonlyArray<PanelButtonName>} panel buttons of the panel in the page; without any there is no panel
 * @property {TextName} label of the panel's button that leads here, in other modes' panels
 * @property {Partial<Record<ViewMode, TextName>>} [labels] those that this mode's own panel has instead
 */

/** @type {Readonly<Record<ViewMode, Mode>>} */
export const MODES = {
  original: {
    click: "template",
    title: () => [["title_original"]],
    icon: "idle",
    colour: "#0a7b78",
    panel: [],
    label: "panel_original",
  },
  template: {
    hides: "content",
    click: "original",
    title: (state) => [
      ...(state.undone ? [/** @type {Phrase} */ (["title_undone"])] : [/** @type {Phrase} */ (["title_template"]), ...aboutAnswer(state)]),
      ["title_click_for_page"],
    ],
    icon: "template",
    colour: "#17334f",
    panel: ["save", "original", "close"],
    label: "panel_template",
  },
  // The answer is a guess: the page stays as it is until the person asks for it.
  doubtful: {
    click: "original",
    title: ({ doubt }) => [["title_doubtful", aboutDoubt(doubt)]],
    icon: "idle",
    badge: "?",
    colour: "#8a4b00",
    sentence: ({ doubt }) => aboutDoubt(doubt),
    panel: ["template", "original"],
    label: "panel_template",
    labels: { template: "panel_guess", original: "panel_cancel" },
  },
};

/** @type {(state: Pick<TabState, "doubt">) => ViewMode} the mode that an answer is first shown in */
export function firstMode({ doubt }) {
  return doubt ? "doubtful" : "template";
}

/** @type {(name: unknown) => name is ViewMode} */
export function isMode(name) {
  return typeof name === "string" && Object.hasOwn(MODES, name);
}

/** @type {(view: View) => boolean} whether anything of a page does not show */
export function hidesAnything(view) {
  return view !== "none" && MODES[view].hides !== undefined;
}

/**
 * How sure the detector is, where it tells, and whether more pages would help.
 * @param {TabState} state
 * @returns {Phrase[]}
 */
function aboutAnswer(state) {
  const phrases = aboutSureness(state);
  const { morePages } = state;
  if (morePages) phrases.push(["title_more_pages", morePages]);
  return phrases;
}
