/** What a page's scripts have packed of the page for the host, and how much page/main.js lets it be. */

import { HostError } from "./errors.js";

/** @import { Packed, Phrase, TextName } from "../messages.js" */

const MIB = 1024 * 1024;
const MOST_MIB = 64;
const MOST_ELEMENTS = 300_000;

/**
 * @param {Packed} packed
 * @param {TextName} tooLarge the text that says how many MiB the page has, and how many it may have
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
