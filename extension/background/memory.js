/**
 * All that the background stores, and the one place that decides what may be stored: of a private window nothing that
 * tells its page. The background forgets when the browser puts it to sleep. No page of the web can read either storage.
 */

import { isNeverRemembered } from "../sites.js";

/** @import { AboutAnswer, Choices, Kept, TabState, ViewMode } from "../messages.js" */

const PREFIX = "tab:";

/** Keeps what is about no page until the browser ends. @param {Partial<Kept>} facts */
export async function keep(facts) {
  await browser.storage.session.set(facts);
}

/**
 * Keeps what is about a tab's page until the browser ends.
 * @param {number} tabId
 * @param {Partial<Kept>} facts
 */
export async function keepOf(tabId, facts) {
  if (!(await isPrivate(tabId))) await keep(facts);
}

/**
 * Keeps a tab's state where it is not idle; of a private window its name alone, as the rest may hold addresses. The
 * browser tells nobody when it takes a tab's button back at a navigation: the state holds only while the button has not
 * its first title again.
 * @param {number} tabId
 * @param {TabState} state
 */
export async function keepState(tabId, state) {
  if (state.name === "idle") return browser.storage.session.remove(keyOf(tabId));
  const told = (await isPrivate(tabId)) ? { name: state.name } : state;
  await keep(/** @type {any} */ ({ [keyOf(tabId)]: told }));
}

/** Forgets the states of tabs that are closed: to be told of each closing would wake the background for it. */
export async function forgetClosedTabs() {
  const [kept, tabs] = await Promise.all([browser.storage.session.get(null), browser.tabs.query({})]);
  const open = new Set(tabs.map(({ id = browser.tabs.TAB_ID_NONE }) => keyOf(id)));
  const states = Object.keys(kept).filter((key) => key.startsWith(PREFIX));
  await browser.storage.session.remove(states.filter((key) => !open.has(/** @type {`tab:${number}`} */ (key))));
}

/**
 * @template {keyof Kept} Name
 * @param {Name} name
 * @returns {Promise<Kept[Name] | undefined>} what is kept until the browser ends
 */
export async function kept(name) {
  return /** @type {Partial<Kept>} */ (await browser.storage.session.get(name))[name];
}

/**
 * @template {keyof Choices} Name
 * @param {Name} name
 * @returns {Promise<Choices[Name] | undefined>} what the person has chosen
 */
export async function choice(name) {
  return /** @type {Partial<Choices>} */ (await browser.storage.local.get(name))[name];
}

/** Keeps a choice that is about no page. @param {Partial<Choices>} choices */
export async function choose(choices) {
  await browser.storage.local.set(choices);
}

/**
 * Keeps a choice that is about a tab's page.
 * @param {number} tabId
 * @param {Partial<Choices>} choices
 */
export async function chooseFor(tabId, choices) {
  if (!(await isPrivate(tabId))) await choose(choices);
}

/** @type {(tabId: number) => Promise<boolean>} whether the host may remember a tab's page */
export async function mayRemember(tabId) {
  const [{ incognito, url = "" }, remembers = true, never = []] = await Promise.all([
    browser.tabs.get(tabId),
    choice("remembers"),
    choice("neverRemembered"),
  ]);
  return remembers && !incognito && !isNeverRemembered(url, never);
}

/**
 * @template {ViewMode} Mode
 * @param {Mode} name
 * @param {AboutAnswer} [about] what is known of the page's answer
 * @returns {Promise<TabState & {name: Mode}>} a page's state in a view mode, as the person has chosen it to show
 */
export async function stateOf(name, about = {}) {
  const closeGaps = await choice("closeGaps");
  return { name, ...about, ...(closeGaps && { closeGaps }) };
}

/** @type {(tabId: number) => Promise<boolean>} of a tab that is closed nobody can tell any more: as if it were private */
async function isPrivate(tabId) {
  const { incognito } = await browser.tabs.get(tabId).catch(() => ({ incognito: true }));
  return incognito;
}

/** @type {(tabId: number) => `tab:${number}`} */
function keyOf(tabId) {
  return `${PREFIX}${tabId}`;
}
