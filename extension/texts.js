/** The texts for the person, by name: `_locales/<language>/messages.json`. */

import { printable } from "./printable.js";

/** @type {(phrase: Phrase) => string} in the browser's language, or in English */
export function textOf([name, ...values]) {
  const texts = values.map((value) => (typeof value === "object" ? textOf(value) : printable(String(value))));
  const message = browser.i18n.getMessage(name, texts);
  if (message || typeof values[0] !== "number") return message;
  // The plural follows the messages' language, which may differ from the browser's.
  const form = new Intl.PluralRules(textOf(["language"])).select(values[0]);
  return browser.i18n.getMessage(`${name}_${form}`, texts) || browser.i18n.getMessage(`${name}_other`, texts);
}

/** Several sentences as one text. @type {(phrases: ReadonlyArray<Phrase>) => string} */
export function sentencesOf(phrases) {
  return phrases.map(textOf).join(" ");
}
