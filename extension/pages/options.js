/** The options: the choice of a detector. */

import { textOf } from "../texts.js";
import { showCorrections } from "./corrections.js";
import { copiesReport, element, fillTexts, greet, showKeys } from "./connection.js";
import { showAllowed, showMemory, showViews } from "./lists.js";

fillTexts();
const choice = element("detector", HTMLSelectElement);
const again = element("again", HTMLButtonElement);

async function showDetectors() {
  const greeting = await greet();
  choice.disabled = !greeting.ok;
  again.hidden = greeting.ok;
  if (!greeting.ok) return;
  const { detectors, default_detector: standard } = greeting.hello;
  /** @type {Partial<Choices>} */
  const { detector } = await browser.storage.local.get("detector");
  const options = detectors.map(({ name, title }) => new Option(titleOf({ name, title }), name, false, name === detector));
  const title = titleOf(detectors.find(({ name }) => name === standard) ?? { name: standard, title: standard });
  choice.replaceChildren(new Option(textOf(["options_default", title.split(":")[0]]), "", false, !detector), ...options);
}

/** @type {(detector: {name: string, title: string}) => string} its title in the person's language, or the host's own of an unknown one */
function titleOf({ name, title }) {
  return textOf([/** @type {TextName} */ (`detector_${name.replaceAll("-", "_")}`)]) || title;
}

/** @returns {Promise<void>} */
function choose() {
  if (!choice.value) return browser.storage.local.remove("detector");
  /** @type {Partial<Choices>} */
  const choices = { detector: choice.value };
  return browser.storage.local.set(choices);
}

choice.addEventListener("change", choose);
again.addEventListener("click", showDetectors);
copiesReport(element("copy", HTMLButtonElement));
void showKeys();
void showViews();
void showMemory();
void showAllowed();
void showCorrections();
void showDetectors();
