/** The first request, and those that carry a page: as JSON text in parts for a host that reads it, else as a value. */

/** @import { ApplyRequest, ExtractRequest, HelloRequest, SaveRequest } from "../messages.js" */

// Firefox takes a time that grows with the square of a message's length.
const PART_LENGTH = 512 * 1024;
const LAST_OF_FIRST_HALVES = 0xdbff;
const FIRST_OF_FIRST_HALVES = 0xd800;

/** @type {(url: string) => boolean} */
export function isOfWebPage(url) {
  return /^https?:/.test(url);
}

/**
 * @param {number} id
 * @param {number} protocol
 * @param {string} version the extension's
 * @param {string} url of the page that a request will be about, which the host can prepare for; empty where there is none
 * @returns {HelloRequest}
 */
export function helloRequest(id, protocol, version, url) {
  const client = `sitestencil-extension ${version}`;
  return { type: "hello", id, protocol, client, capabilities: ["load"], ...(isOfWebPage(url) && { url }) };
}

/**
 * @template {ExtractRequest | SaveRequest | ApplyRequest} Request
 * @param {Request} request without its page
 * @param {"snapshot" | "capture" | "change"} field where an older host looks for the page
 * @param {string} json the page
 * @param {ReadonlyArray<string>} capabilities the host's
 * @returns {Request[]} the messages to send, one after the other
 */
export function withPage(request, field, json, capabilities) {
  if (!capabilities.includes("text")) return [{ ...request, [field]: JSON.parse(json) }];
  const texts = cut(json, PART_LENGTH);
  return texts.map((text, index) => ({ ...request, part: index + 1, parts: texts.length, text }));
}

/**
 * @param {string} text
 * @param {number} length
 * @returns {string[]} pieces of at most this length, cut between two characters
 */
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
