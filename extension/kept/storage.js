/**
 * The templates of the last sites as `storage.local` holds them: one entry for each site, and a list of the sites, what
 * was used last at the end. Only the background changes them, one change after the other.
 */

import { MOST_BYTES } from "./learned.js";

/** @import { KeptAnswerOfHost, KeptSite } from "../messages.js" */

const PREFIX = "kept:";
const LIST = "keptSites";
const MOST_SITES = 30;
const MOST_BYTES_IN_ALL = 3_000_000;
const MOST_KINDS = 8;

/** One change after the other: each reads what the one before has written. @type {Promise<unknown>} */
let changes = Promise.resolve();
/** How often anything was dropped: what was asked for before is not kept after. */
let drops = 0;

/**
 * @param {string} site
 * @param {string} detector the one chosen; empty for the program's default
 * @returns {Promise<ReadonlyArray<unknown>>} its templates as JSON
 */
export async function keptOf(site, detector) {
  const entry = (await browser.storage.local.get(PREFIX + site))[PREFIX + site];
  return entry?.detector === detector && Array.isArray(entry.templates)
    ? entry.templates.slice(0, MOST_KINDS).map((/** @type {any} */ one) => one?.text)
    : [];
}

/**
 * Keeps what the program remembers of a site, and drops what it does not remember any more.
 * @param {string} site
 * @param {string} detector
 * @param {(ids: string[]) => Promise<KeptAnswerOfHost | null>} ask is given the ids of all that is kept; null changes nothing
 * @returns {Promise<void>}
 */
export async function renew(site, detector, ask) {
  const before = drops;
  const ids = [...(await entryOf(site, detector)).keys(), ...(await listed()).flatMap((one) => (one.site === site ? [] : one.ids))];
  const answer = await ask(ids);
  if (answer) await inTurn(async () => void (before === drops && (await write(site, detector, answer))));
}

/** @type {(site: string, detector: string, answer: KeptAnswerOfHost) => Promise<void>} */
async function write(site, detector, { ids, gone, templates: news }) {
  const [list, own] = [await listed(), await entryOf(site, detector)];
  const templates = ids.slice(0, MOST_KINDS).flatMap((id) => {
    const text = news.get(id) ?? own.get(id);
    return text === undefined || text.length > MOST_BYTES ? [] : [{ id, text }];
  });
  const others = list.filter((one) => one.site !== site && !one.ids.some((id) => gone.includes(id)));
  const entry = { site, ids: templates.map(({ id }) => id), bytes: templates.reduce((sum, { text }) => sum + text.length, 0) };
  const sites = lastOf(templates.length ? [...others, entry] : others);
  const names = new Set(sites.map((one) => one.site));
  await remove([...list.map((one) => one.site), site].filter((name) => !names.has(name)));
  await browser.storage.local.set({ [LIST]: sites, ...(names.has(site) && { [PREFIX + site]: { detector, templates } }) });
}

/**
 * Drops what is kept of sites.
 * @param {(site: string) => boolean} [isMeant] all, if not given
 * @returns {Promise<void>}
 */
export function drop(isMeant = () => true) {
  drops++;
  return inTurn(async () => {
    const all = Object.keys(await browser.storage.local.get(null)).filter((key) => key.startsWith(PREFIX));
    await remove(all.map((key) => key.slice(PREFIX.length)).filter(isMeant));
    const left = (await listed()).filter(({ site }) => !isMeant(site));
    if (left.length) await browser.storage.local.set({ [LIST]: left });
    else await browser.storage.local.remove(LIST);
  });
}

/** @type {(work: () => Promise<void>) => Promise<void>} */
function inTurn(work) {
  const done = changes.then(work);
  changes = done.catch(() => {});
  return done;
}

/** @returns {Promise<KeptSite[]>} the sites; none where the list is damaged */
async function listed() {
  const { [LIST]: list } = await browser.storage.local.get(LIST);
  const isWhole = Array.isArray(list) && list.every((one) => typeof one?.site === "string" && Array.isArray(one.ids) && one.bytes >= 0);
  return isWhole ? list : [];
}

/** @type {(site: string, detector: string) => Promise<Map<string, string>>} its templates by their ids */
async function entryOf(site, detector) {
  const texts = await keptOf(site, detector);
  return new Map(
    texts.flatMap((text) => {
      const id = typeof text === "string" ? /"id":"([0-9a-f]{16})"/.exec(text)?.[1] : undefined;
      return id ? [[id, /** @type {string} */ (text)]] : [];
    }),
  );
}

/** @type {(sites: KeptSite[]) => KeptSite[]} those used last, as many as there is room for */
function lastOf(sites) {
  let bytes = 0;
  const last = sites.slice(-MOST_SITES).reverse();
  const fitting = last.filter((one) => (bytes += one.bytes) <= MOST_BYTES_IN_ALL);
  return fitting.reverse();
}

/** @param {string[]} sites */
async function remove(sites) {
  if (sites.length) await browser.storage.local.remove(sites.map((site) => PREFIX + site));
}
