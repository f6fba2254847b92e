/** The texts for the person, by name: `_locales/<language>/messages.json`. */

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

// As the host's printable.py: control characters but tab and line end, bidirectional controls, halves of pairs.
const UNFIT = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** Makes untrusted text fit to be shown; page/panel.js has the same for scripts in pages. @type {(text: string) => string} the text without characters that reorder or break a line */
export function printable(text) {
  return text.replace(UNFIT, "");
}
