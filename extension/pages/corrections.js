/** The options' corrections: to read, edit, export and import. */

import { MOST_BYTES, rulesIn, textOfRules } from "../rules.js";
import { textOf } from "../texts.js";
import { element } from "./connection.js";

/** @import { Choices, Phrase, RulesFile } from "../messages.js" */

const FILE_NAME = "sitestencil-rules.json";

/** Shows the rules, and stores changes. */
export async function showCorrections() {
  const file = element("rules-file", HTMLInputElement);
  element("keep-rules", HTMLButtonElement).addEventListener("click", () => void keep(element("rules", HTMLTextAreaElement).value));
  element("export-rules", HTMLButtonElement).addEventListener("click", () => void exportRules());
  element("import-rules", HTMLButtonElement).addEventListener("click", () => file.click());
  file.addEventListener("change", () => void importRules(file));
  show(await kept());
}

/** @returns {Promise<RulesFile["sites"]>} */
async function kept() {
  /** @type {Partial<Choices>} */
  const { rules = {} } = await browser.storage.local.get("rules");
  return rules;
}

/** @param {RulesFile["sites"]} sites */
function show(sites) {
  element("rules", HTMLTextAreaElement).value = textOfRules(sites);
}

/**
 * Stores the rules of a text, if they are valid.
 * @param {string} text
 * @param {RulesFile["sites"]} [others] rules of sites that the text omits
 */
async function keep(text, others = {}) {
  const read = rulesIn(text);
  if ("problem" in read) return say(read.problem, "bad");
  const rules = { ...others, ...read.sites };
  /** @type {Partial<Choices>} */
  const choices = { rules };
  await browser.storage.local.set(choices);
  show(rules);
  say(["rules_kept"], "good");
}

/** @param {HTMLInputElement} input */
async function importRules(input) {
  const [file] = input.files ?? [];
  input.value = "";
  if (!file) return;
  if (file.size > MOST_BYTES) return say(["rules_too_long"], "bad");
  await keep(await file.text(), await kept());
}

async function exportRules() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([textOfRules(await kept())], { type: "application/json" }));
  link.download = FILE_NAME;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @type {(phrase: Phrase, outcome: "good" | "bad") => void} */
function say(phrase, outcome) {
  const status = element("rules-status", HTMLElement);
  status.hidden = false;
  status.dataset.outcome = outcome;
  status.textContent = textOf(phrase);
}
