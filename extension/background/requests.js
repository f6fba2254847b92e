/** Requests that carry a page: its JSON text in parts. */

// Firefox needs time that grows with the square of a message's length.
const PART_LENGTH = 512 * 1024;
const LAST_OF_FIRST_HALVES = 0xdbff;
const FIRST_OF_FIRST_HALVES = 0xd800;

/** @type {(url: string) => boolean} */
export function isOfWebPage(url) {
  return /^https?:/.test(url);
}

/**
 * @template {{type: string, id: number}} Request
 * @param {Request} request without its page
 * @param {string} json the page
 * @returns {Array<Request & TextPart>} the messages to send, one after the other
 */
export function withPage(request, json) {
  const texts = cut(json, PART_LENGTH);
  return texts.map((text, index) => ({ ...request, part: index + 1, parts: texts.length, text }));
}

/** @type {(text: string, length: number) => string[]} pieces of at most this length, cut between two characters */
export function cut(text, length) {
  /** @type {string[]} */
  const pieces = [];
  let start = 0;
  do {
    let end = start + length;
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= FIRST_OF_FIRST_HALVES && last <= LAST_OF_FIRST_HALVES) end--;
    pieces.push(text.slice(start, end));
    start = end;
  } while (start < text.length);
  return pieces;
}
