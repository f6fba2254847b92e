/** Unpacks the page's JSON for the host, or refuses a page over the limits of page/main.js. */

import { HostError } from "./errors.js";

const MIB = 1024 * 1024;
const MOST_MIB = 64;
const MOST_ELEMENTS = 300_000;

/**
 * @param {Packed} packed
 * @param {TextName} tooLarge the text with the page's size and the limit in MiB
 * @returns {string} its JSON
 * @throws {HostError} the page is too large
 */
export function jsonOf(packed, tooLarge) {
  if (packed.json !== undefined) return packed.json;
  const { elements, bytes } = packed;
  if (elements !== undefined) throw refusal(`${elements} elements`, ["page_too_many_elements", elements, MOST_ELEMENTS]);
  throw refusal(`${bytes} bytes`, [tooLarge, Math.ceil((bytes ?? 0) / MIB), MOST_MIB]);
}

/** @type {(detail: string, phrase: Phrase) => HostError} */
function refusal(detail, phrase) {
  return new HostError("answered", detail, phrase);
}
