/** Opens pages that scripts build in background tabs, captures each when it settles or after a timeout, and always closes it. */

import { closeTab, openTab, sendTab } from "./left_tabs.js";
import { Page } from "./page.js";

/** @import { Loader } from "./loads.js" */

export const AT_ONCE = 4;
export const IN_ALL = 24;
const QUIET_MS = 400;
const LOADED_WITHIN_MS = 5_000;
const SETTLED_WITHIN_MS = 7_000;
const CAPTURED_WITHIN_MS = 9_000;
const POLL_MS = 50;
// The host's limit.
const LONGEST_SNAPSHOT = 20_000_000;

/** @implements {Loader} */
export class RenderedTabs {
  way = /** @type {const} */ ("rendered");
  #opened = 0;
  /** Callers that wait for a tab to close. @type {Array<() => void>} */
  #queue = [];
  #open = 0;

  /**
   * @param {Page} page the key page
   * @param {browser.tabs.Tab} tab its tab
   */
  constructor(page, { id, windowId }) {
    this.page = page;
    this.place = { openerTabId: id, windowId };
  }

  /** @type {(url: string, signal: AbortSignal) => Promise<FetchedPage>} */
  async load(url, signal) {
    if (this.#opened++ >= IN_ALL) return { error: `${IN_ALL} tabs were opened, which is enough.` };
    if (this.#open >= AT_ONCE) await new Promise((resolve) => this.#queue.push(() => resolve(null)));
    this.#open++;
    try {
      signal.throwIfAborted();
      // A tab would save a file instead of showing it.
      if (!(await this.page.run("leadsToPage", url))) return { error: "The page is not HTML." };
      signal.throwIfAborted();
      return await this.#capture(url, signal);
    } finally {
      this.#open--;
      this.#queue.shift()?.();
    }
  }

  /** @type {(url: string, signal: AbortSignal) => Promise<FetchedPage>} */
  async #capture(url, signal) {
    const id = await openTab(url, this.place);
    try {
      signal.throwIfAborted();
      await sendTab(id, url);
      return await withinTime(captureOf(id), signal);
    } finally {
      await closeTab(id);
    }
  }
}

/**
 * @template Value
 * @param {Promise<Value>} work
 * @param {AbortSignal} signal
 * @returns {Promise<Value>}
 */
function withinTime(work, signal) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("The page did not settle in time.")), CAPTURED_WITHIN_MS);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

/** @type {(tabId: number) => Promise<FetchedPage>} */
async function captureOf(tabId) {
  const opened = performance.now();
  const left = (/** @type {number} */ within) => Math.max(0, within - (performance.now() - opened));
  while (left(LOADED_WITHIN_MS) && !isLoaded(await browser.tabs.get(tabId))) await pause();
  const page = new Page(tabId);
  await page.open();
  const { status } = await page.run("settled", QUIET_MS, left(SETTLED_WITHIN_MS));
  const { json } = await page.run("snapshot", { elements: 100_000, bytes: LONGEST_SNAPSHOT });
  if (json === undefined) return { error: "The page is too large." };
  return { snapshot: JSON.parse(json), ...(status && { status }) };
}

/** @type {() => Promise<void>} */
function pause() {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** @type {(tab: browser.tabs.Tab) => boolean} false for a tab's first, empty page */
function isLoaded({ status, url = "" }) {
  return status === "complete" && url.startsWith("http");
}
