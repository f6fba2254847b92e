/**
 * What is kept for as long as the browser runs: what a report needs, and the state of each tab. The background
 * forgets when the browser puts it to sleep; no page of the web can read this.
 */

/** @import { Kept, TabState } from "../messages.js" */

const PREFIX = "tab:";

/** @param {Partial<Kept>} facts */
export async function keep(facts) {
  await browser.storage.session.set(facts);
}

/**
 * Keeps what a report about a tab needs, unless its window is a private one.
 * @param {number} tabId
 * @param {Partial<Kept>} facts
 */
export async function keepOf(tabId, facts) {
  const { incognito } = await browser.tabs.get(tabId);
  if (!incognito) await keep(facts);
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

/**
 * @param {number} tabId of a tab whose page has not changed since its state was kept
 * @returns {Promise<Pick<TabState, "sureness" | "morePages" | "doubt">>} what the state said of the answer
 */
export async function keptOfAnswer(tabId) {
  const kept = await browser.storage.session.get(keyOf(tabId));
  const { sureness, morePages, doubt } = /** @type {Partial<TabState>} */ (kept[keyOf(tabId)] ?? {});
  return { ...(sureness !== undefined && { sureness, morePages }), ...(doubt && { doubt }) };
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
