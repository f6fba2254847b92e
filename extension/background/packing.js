/** How much of a page the host is sent, and what a page's scripts have packed for it. */

import { HostError } from "./errors.js";

/** @import { Packed, PageLimits, Phrase, TextName } from "../messages.js" */

const MIB = 1024 * 1024;
// Browsers send no more to a program.
const MOST_MIB = 64;
const MOST_ELEMENTS = 300_000;

/** @type {PageLimits} */
export const LIMITS = { elements: MOST_ELEMENTS, bytes: MOST_MIB * MIB - 1024 };

/**
 * @template Value
 * @param {Packed<Value>} packed
 * @param {TextName} tooLarge the text that says how many MiB the page has, and how many it may have
 * @returns {Value}
 * @throws {HostError} the page is too large
 */
export function unpack(packed, tooLarge) {
  if (packed.json !== undefined) return JSON.parse(packed.json);
  const { elements, bytes } = packed;
  if (elements !== undefined) throw refusal(`${elements} elements`, ["page_too_many_elements", elements, MOST_ELEMENTS]);
  throw refusal(`${bytes} bytes`, [tooLarge, Math.ceil((bytes ?? 0) / MIB), MOST_MIB]);
}

/** @type {(detail: string, phrase: Phrase) => HostError} */
function refusal(detail, phrase) {
  return new HostError("answered", detail, phrase);
}
