/** The options: the choice of a detector. */

import { choice, choose } from "../background/memory.js";
import { textOf } from "../texts.js";
import { showCorrections } from "./corrections.js";
import { copiesReport, element, fillTexts, greet, showKeys } from "./connection.js";
import { showAllowed, showMemory, showViews } from "./lists.js";

fillTexts();
const detectors = element("detector", HTMLSelectElement);
const again = element("again", HTMLButtonElement);

async function showDetectors() {
  const greeting = await greet();
  detectors.disabled = !greeting.ok;
  again.hidden = greeting.ok;
  if (!greeting.ok) return;
  const { detectors: known, default_detector: standard } = greeting.hello;
  const detector = await choice("detector");
  const options = known.map(({ name, title }) => new Option(titleOf({ name, title }), name, false, name === detector));
  const title = titleOf(known.find(({ name }) => name === standard) ?? { name: standard, title: standard });
  detectors.replaceChildren(new Option(textOf(["options_default", title.split(":")[0]]), "", false, !detector), ...options);
}

/** @type {(detector: {name: string, title: string}) => string} its title in the person's language, or the host's own of an unknown one */
function titleOf({ name, title }) {
  return textOf([/** @type {TextName} */ (`detector_${name.replaceAll("-", "_")}`)]) || title;
}

detectors.addEventListener("change", () => (detectors.value ? choose({ detector: detectors.value }) : browser.storage.local.remove("detector")));
again.addEventListener("click", showDetectors);
copiesReport(element("copy", HTMLButtonElement));
void showKeys();
void showViews();
void showMemory();
void showAllowed();
void showCorrections();
void showDetectors();
