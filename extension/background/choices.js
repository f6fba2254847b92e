/** The person's choices for views: which one opens, how it looks, and where its panel stands; and the corrections, as rules by site. */

import { changed } from "../rules.js";
import { siteOf } from "../sites.js";
import { choice, choose, chooseFor } from "./memory.js";
import { STYLES } from "./modes.js";

const MOST_SITES = 1000;

/**
 * @template {ViewMode} Mode
 * @param {number} tabId
 * @param {Mode} name
 * @param {AboutAnswer} [about] facts about the page's answer
 * @returns {Promise<TabState & {name: Mode}>} a page's state in a view mode, by the person's choices
 */
export async function stateOf(tabId, name, about = {}) {
  const isContent = name === "content";
  const [opens, always, closeGaps, reading, showsAround, panel] = await Promise.all([
    opensAs(tabId),
    isContent ? alwaysContent(tabId) : undefined,
    isContent ? choice("keepsGaps").then((keeps) => !keeps) : choice("closeGaps"),
    isContent ? choice("reading") : undefined,
    choice("showsAround"),
    choice("panel"),
  ]);
  return {
    name,
    ...about,
    ...(opens === "content" && { opens }),
    ...(always !== undefined && { always }),
    ...(closeGaps && { closeGaps }),
    ...(reading && reading !== "off" && { reading }),
    ...(showsAround && { showsAround }),
    ...(panel && { panel }),
  };
}

/** @type {(tabId: number) => Promise<FirstView>} the view that the button opens on a tab's page */
export async function opensAs(tabId) {
  const [{ site }, always = [], opens = "template", last = {}] = await Promise.all([
    placeOf(tabId),
    choice("contentSites"),
    choice("opens"),
    choice("lastViews"),
  ]);
  if (always.includes(site)) return "content";
  if (opens !== "last") return opens;
  return Object.hasOwn(last, site) ? last[site] : "template";
}

/** Stores the view of a tab's page as the last one on its site, if the person wants that. @type {(tabId: number, view: View) => Promise<void>} */
export async function keepLast(tabId, view) {
  if ((view !== "template" && view !== "content") || (await choice("opens")) !== "last") return;
  const { site } = await placeOf(tabId);
  const others = Object.entries((await choice("lastViews")) ?? {}).filter(([one]) => one !== site);
  if (site) await chooseFor(tabId, { lastViews: Object.fromEntries([...others.slice(1 - MOST_SITES), [site, view]]) });
}

/** @type {(tabId: number) => Promise<boolean | undefined>} undefined where it cannot be chosen: nothing names a site of a private window */
async function alwaysContent(tabId) {
  const { site, incognito } = await placeOf(tabId);
  return site && !incognito ? ((await choice("contentSites")) ?? []).includes(site) : undefined;
}

/** The panel's switches, by name. @satisfies {Record<string, (tabId: number, view: View, value: string) => Promise<void>>} */
const SWITCHES = {
  gaps: (/** @type {number} */ _, /** @type {View} */ view) => turn(view === "content" ? "keepsGaps" : "closeGaps"),
  around: () => turn("showsAround"),
  async reading(/** @type {number} */ _, /** @type {View} */ __, /** @type {string} */ value) {
    const style = STYLES.find((one) => one === value);
    if (style) await choose({ reading: style });
  },
  async always(/** @type {number} */ tabId) {
    const [{ site }, sites = []] = await Promise.all([placeOf(tabId), choice("contentSites")]);
    const others = sites.filter((one) => one !== site);
    if (site) await chooseFor(tabId, { contentSites: others.length < sites.length ? others : [...sites.slice(1 - MOST_SITES), site] });
  },
};

/** @typedef {keyof typeof SWITCHES} Switch */

/** Stores that a switch was pressed. @type {(tabId: number, view: View, name: Switch, value?: string) => Promise<void>} */
export function press(tabId, view, name, value = "") {
  return SWITCHES[name](tabId, view, value);
}

/** @type {(name: "closeGaps" | "keepsGaps" | "showsAround") => Promise<void>} */
async function turn(name) {
  await choose({ [name]: !(await choice(name)) });
}

/** @type {(tabId: number) => Promise<{site: string, incognito: boolean}>} */
async function placeOf(tabId) {
  const { url = "", incognito } = await browser.tabs.get(tabId).catch(() => ({ incognito: true, url: "" }));
  return { site: siteOf(url), incognito };
}

/** One change at a time: each reads the result of the last one. @type {Promise<unknown>} */
let changes = Promise.resolve();

/** @type {(tabId: number) => Promise<ReadonlyArray<Rule>>} the rules of a tab's site */
export async function rulesOf(tabId) {
  const [{ site }, rules = {}] = await Promise.all([placeOf(tabId), choice("rules")]);
  return Object.hasOwn(rules, site) ? rules[site] : [];
}

/** Opens the options at the corrections of a tab's site. @param {number} tabId */
export async function openCorrections(tabId) {
  const { site, incognito } = await placeOf(tabId);
  // The address of the options stays in the history.
  const named = incognito ? "" : encodeURIComponent(site);
  await browser.tabs.create({ url: browser.runtime.getURL(`pages/options.html#corrections:${named}`) });
}

/** Stores a correction of a tab's page, or forgets it. @type {(tabId: number, correction: Correction, undone: boolean) => Promise<void>} */
export function keepCorrection(tabId, correction, undone) {
  const change = changes.then(async () => {
    const { site } = await placeOf(tabId);
    if (site) await chooseFor(tabId, { rules: changed((await choice("rules")) ?? {}, site, correction, undone) });
  });
  changes = change.catch(() => {});
  return change;
}
