/** An example to try the button on. Browsers keep extensions' scripts out of it: it runs them itself, on a known answer. */

import { clickOf } from "../background/modes.js";
import { orderOf } from "../background/panels.js";
import { textOf } from "../texts.js";
import { element, fillTexts } from "./connection.js";

const VIEWS = ["template", "original", "content"];
/** @type {ViewMode | null} */
let shown = null;

fillTexts();
element("try", HTMLButtonElement).addEventListener("click", click);
browser.runtime.onMessage.addListener((/** @type {ExtensionPageOrder} */ order) => {
  if (order.type === "try" && !document.hidden) click();
});

/** Does what a click on the toolbar button does. */
function click() {
  show(shown ? clickOf(shown) : "template");
}

/** @param {ViewMode} mode */
function show(mode) {
  const { main, panel } = /** @type {Sitestencil} */ (globalThis.sitestencil);
  const { panel: content, ...order } = orderOf({ name: mode });
  main.run("show", shown ? [order] : [order, news()]);
  shown = mode;
  if (!content) return;
  const views = content.views.filter(({ name }) => VIEWS.includes(name));
  panel.open({ ...content, sentence: textOf(["try_panel"]), views, buttons: [] }, press);
}

/** @param {PanelButtonName} button */
function press(button) {
  if (VIEWS.includes(button)) show(/** @type {ViewMode} */ (button));
}

/** The answer that a comparison would give: all but the article is template. */
function news() {
  const { main, tree } = /** @type {Sitestencil} */ (globalThis.sitestencil);
  main.run("snapshot", []);
  const { elements } = tree.treeOf(document);
  const content = element("content", HTMLElement);
  const first = elements.indexOf(content);
  const end = first + 1 + content.querySelectorAll("*").length;
  /** @type {Answer} */
  const answer = { template: [[0, first], [end, elements.length]], content_texts: [], main: [[first, end]] };
  return { answer, about: {}, rules: [] };
}
