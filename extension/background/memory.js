/**
 * Everything that the background stores. This module alone decides: from a private window it stores nothing that
 * identifies the page. A sleeping background forgets its variables. No web page can read either storage.
 */

import { isNeverRemembered } from "../sites.js";

const PREFIX = "tab:";

/** Closes the person's choices to scripts in web pages: Chromium closes `storage.session` itself; Firefox has no such level. */
export function closeStorage() {
  void (/** @type {any} */ (browser.storage.local).setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" }));
}

/** Stores facts about no page until the browser ends. @param {Partial<Kept>} facts */
export async function keep(facts) {
  await browser.storage.session.set(facts);
}

/** Stores facts about a tab's page until the browser ends. @type {(tabId: number, facts: Partial<Kept>) => Promise<void>} */
export async function keepOf(tabId, facts) {
  if (!(await isPrivate(tabId))) await keep(facts);
}

/**
 * Stores a tab's state unless it is idle; from a private window only its name, as the rest can hold addresses. At a
 * navigation the browser resets the button without an event. So the state is valid only while the button has
 * another title than its first.
 * @type {(tabId: number, state: TabState) => Promise<void>}
 */
export async function keepState(tabId, state) {
  if (state.name === "idle") return browser.storage.session.remove(keyOf(tabId));
  const told = (await isPrivate(tabId)) ? { name: state.name } : state;
  await keep(/** @type {any} */ ({ [keyOf(tabId)]: told }));
}

/** Forgets the states of closed tabs. A listener for closing would wake the background each time. */
export async function forgetClosedTabs() {
  const [kept, tabs] = await Promise.all([browser.storage.session.get(null), browser.tabs.query({})]);
  const open = new Set(tabs.map(({ id = browser.tabs.TAB_ID_NONE }) => keyOf(id)));
  const states = Object.keys(kept).filter((key) => key.startsWith(PREFIX));
  await browser.storage.session.remove(states.filter((key) => !open.has(/** @type {`tab:${number}`} */ (key))));
}

/** @template {keyof Kept} Name @param {Name} name @returns {Promise<Kept[Name] | undefined>} a fact stored until the browser ends */
export async function kept(name) {
  return /** @type {Partial<Kept>} */ (await browser.storage.session.get(name))[name];
}

/** @template {keyof Choices} Name @param {Name} name @returns {Promise<Choices[Name] | undefined>} the person's choice */
export async function choice(name) {
  return /** @type {Partial<Choices>} */ (await browser.storage.local.get(name))[name];
}

/** Stores a choice about no page. @param {Partial<Choices>} choices */
export async function choose(choices) {
  await browser.storage.local.set(choices);
}

/** Stores a choice about a tab's page. @type {(tabId: number, choices: Partial<Choices>) => Promise<void>} */
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

/** @type {(tabId: number) => Promise<boolean>} a closed tab counts as private, since nobody can tell */
async function isPrivate(tabId) {
  const { incognito } = await browser.tabs.get(tabId).catch(() => ({ incognito: true }));
  return incognito;
}

/** @type {(tabId: number) => `tab:${number}`} */
function keyOf(tabId) {
  return `${PREFIX}${tabId}`;
}
