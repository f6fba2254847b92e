/** Pages and results in parts: a page's JSON text to the host, and the parts of a result from it. */

import { HostError } from "./errors.js";

const MIB = 1024 * 1024;
const MOST_MIB = 64;
const MOST_ELEMENTS = 300_000;

/** @type {(packed: Packed, tooLarge: TextName) => string} its JSON; `tooLarge`: the text with the page's size and the limit in MiB @throws {HostError} the page is too large */
export function jsonOf(packed, tooLarge) {
  if (packed.json !== undefined) return packed.json;
  const { elements, bytes } = packed;
  if (elements !== undefined) throw new HostError("answered", `${elements} elements`, ["page_too_many_elements", elements, MOST_ELEMENTS]);
  throw new HostError("answered", `${bytes} bytes`, [tooLarge, Math.ceil((bytes ?? 0) / MIB), MOST_MIB]);
}

// Firefox needs time that grows with the square of a message's length.
const PART_LENGTH = 512 * 1024;
const FIRST_HALF = /[\ud800-\udbff]/;

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
    if (end < text.length && FIRST_HALF.test(text[end - 1])) end--;
    pieces.push(text.slice(start, end));
    start = end;
  } while (start < text.length);
  return pieces;
}

/** @typedef {{answer: Answer, summary: Summary}} Result */

export class Assembly {
  /** @type {Array<ResultPart | EarlyResultPart | undefined>} */
  #parts = [];

  /** @type {string[]} */
  #reasons = [];
  #width = 0;
  /** @type {ReadonlyArray<string>} */
  #ownNames = [];

  /** Takes a part of the reasons, which precede the result. @type {(part: ReasonsPart) => void} */
  addReasons({ part, width, rows, own_names: ownNames }) {
    this.#reasons[part - 1] = rows;
    this.#width = width;
    if (part === 1) this.#ownNames = ownNames ?? [];
  }

  /** Takes a part; returns the result once it is complete. @type {(part: ResultPart | EarlyResultPart) => Result | null} */
  add(part) {
    const { part: number, parts } = part;
    if (!(number >= 1 && number <= parts)) throw new RangeError(`Part ${number} of ${parts} is none.`);
    this.#parts[number - 1] = part;
    const present = this.#parts.filter((one) => one !== undefined);
    if (present.length < parts) return null;
    const summary = present.at(-1)?.summary;
    if (!summary) throw new TypeError("The result's last part has no summary.");
    const scores = present.map((one) => one.scores).filter((slice) => slice !== undefined);
    return {
      summary,
      answer: {
        template: joined(present.map(({ template }) => template)),
        content_texts: joined(present.map(({ content_texts: texts }) => texts)),
        ...(present.some(({ main, main_texts: texts }) => main ?? texts) && {
          main: joined(present.map(({ main = [] }) => main)),
          main_texts: joined(present.map(({ main_texts: texts = [] }) => texts)),
        }),
        ...(scores.length && { scores }),
        ...(this.#reasons.length && { reasons: { width: this.#width, rows: this.#reasons, ownNames: this.#ownNames } }),
        ...(summary.candidates.length && { pages: summary.candidates }),
        ...(summary.title && { title: summary.title }),
      },
    };
  }
}

/** Joins ranges that the end of a part cut in two. @type {(slices: ReadonlyArray<Ranges>) => Ranges} */
export function joined(slices) {
  /** @type {Array<[number, number]>} */
  const all = [];
  for (const [start, end] of slices.flat()) {
    const last = all.at(-1);
    if (last && last[1] === start) last[1] = end;
    else all.push([start, end]);
  }
  return all;
}
