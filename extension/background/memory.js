/**
 * What is kept for as long as the browser runs: what a report needs, and the state of each tab. The background
 * forgets when the browser puts it to sleep; no page of the web can read this.
 */

/** @import { AboutAnswer, Choices, Kept, TabState, ViewMode } from "../messages.js" */

const PREFIX = "tab:";

/** @param {Partial<Kept>} facts */
export async function keep(facts) {
  await browser.storage.session.set(facts);
}

/**
 * Keeps a tab's state where it is not idle. As the browser tells nobody when it takes a tab's button back at a
 * navigation, what is kept holds only while the button has not its first title again.
 * @param {number} tabId
 * @param {TabState} state
 */
export async function keepState(tabId, state) {
  if (state.name === "idle") await browser.storage.session.remove(keyOf(tabId));
  else await browser.storage.session.set({ [keyOf(tabId)]: state });
}

/** Forgets the states of tabs that are closed: to be told of each closing would wake the background for it. */
export async function forgetClosedTabs() {
  const [kept, tabs] = await Promise.all([browser.storage.session.get(null), browser.tabs.query({})]);
  const open = new Set(tabs.map(({ id = browser.tabs.TAB_ID_NONE }) => keyOf(id)));
  const states = Object.keys(kept).filter((key) => key.startsWith(PREFIX));
  await browser.storage.session.remove(states.filter((key) => !open.has(key)));
}

/** @type {(tabId: number) => string} */
function keyOf(tabId) {
  return `${PREFIX}${tabId}`;
}

/**
 * @template {keyof Choices} Name
 * @param {Name} name
 * @returns {Promise<Choices[Name] | undefined>} what the person has chosen
 */
export async function choice(name) {
  return /** @type {Partial<Choices>} */ (await browser.storage.local.get(name))[name];
}

/** @param {Partial<Choices>} choices */
export async function choose(choices) {
  await browser.storage.local.set(choices);
}

/**
 * @template {ViewMode} Mode
 * @param {Mode} name
 * @param {AboutAnswer} [about]
 * @returns {Promise<TabState & {name: Mode}>} a page's state in a view mode
 */
export async function stateOf(name, about = {}) {
  const closeGaps = await choice("closeGaps");
  return { name, ...about, ...(closeGaps && { closeGaps }) };
}
