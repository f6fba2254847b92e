/** Sites by the names that a person types (pure). */

import { printable } from "./texts.js";

/** @type {(url: string) => string} the host of the page's site; empty for an address without one */
export function siteOf(url) {
  const host = URL.canParse(url) ? new URL(url).host : "";
  const bare = host.replace(/^www\./, "");
  return bare.includes(".") ? bare : host;
}

/** @type {(text: string) => string[]} their names, each once; `text`: a line for each site: its name or the address of a page */
export function sitesIn(text) {
  const lines = text.split(/[\s,]+/).filter(Boolean);
  const sites = lines.map((line) => siteOf(/^[a-z]+:\/\//i.test(line) ? line : `https://${line}`));
  return [...new Set(sites.filter(Boolean))].sort();
}

/** @type {(url: string, sites: ReadonlyArray<string>) => boolean} true for a page whose site is unknown; `sites`: each with its subdomains: `example.org` includes `news.example.org` */
export function isNeverRemembered(url, sites) {
  const site = siteOf(url);
  return !site || sites.some((one) => site === one || site.endsWith(`.${one}`));
}

/** @type {(url?: string) => string} the pattern by which browsers name the pages of its host */
export function sitePattern(url = "") {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}

// Of a longer address the end tells more.
const LONGEST_END = 120;

/** @type {(url: string) => string} the address as a person reads it: path and query, or only their end */
export function endOf(url) {
  const { pathname, search } = new URL(url);
  const whole = readable(`${pathname}${search}`);
  return whole.length > LONGEST_END ? `\u2026${whole.slice(1 - LONGEST_END)}` : whole;
}

/** @param {string} text */
function readable(text) {
  try {
    return printable(decodeURI(text));
  } catch {
    return text;
  }
}
