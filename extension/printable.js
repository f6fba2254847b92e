/** Makes untrusted text fit to be shown (pure); page/panel.js has the same for scripts in pages. */

// As the host's printable.py: control characters but tab and line end, bidirectional controls, halves of pairs.
const UNFIT = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** @type {(text: string) => string} the text without characters that reorder or break a line */
export function printable(text) {
  return text.replace(UNFIT, "");
}
