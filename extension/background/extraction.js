/** An extraction in a tab: the snapshot to the host, what it answers on the way and in the end to the page. */

import { showState } from "./button.js";
import { keepOf } from "./memory.js";
import { firstMode, hidesAnything } from "./modes.js";
import { jsonOf } from "./packing.js";
import { doubtOf } from "./sureness.js";

/** @import { Choices, Packed, ProgressAnswer, Summary, TabState, ViewMode } from "../messages.js" */
/** @import { Host } from "./host.js" */
/** @import { Page } from "./page.js" */
/** @import { Result } from "./results.js" */

export class Extraction {
  /** What the page shows of early answers. @type {Promise<ViewMode>} */
  #shown = Promise.resolve("original");

  /**
   * @param {Page} page
   * @param {Pick<Host, "hello" | "extract">} host
   * @param {AbortSignal} signal
   * @param {number} clicked when, by `performance.now()`
   */
  constructor(page, host, signal, clicked) {
    this.page = page;
    this.host = host;
    this.signal = signal;
    this.clicked = clicked;
  }

  /**
   * @param {Packed} packed the page's snapshot
   * @returns {Promise<TabState & {name: ViewMode}>} how the page shows its template
   */
  async run(packed) {
    try {
      return await this.#run(packed);
    } catch (error) {
      const view = await this.#shown.catch(() => /** @type {const} */ ("original"));
      await this.page.run("stop").catch(() => {});
      if (hidesAnything(view)) await this.page.removeStyles().catch(() => {});
      throw error;
    }
  }

  /**
   * @param {Packed} packed
   * @returns {Promise<TabState & {name: ViewMode}>}
   */
  async #run(packed) {
    const captured = this.#elapsed();
    const snapshot = jsonOf(packed, "page_too_large");
    const [detector] = await Promise.all([chosenDetector(), this.host.hello()]);
    this.signal.throwIfAborted();
    const greeted = this.#elapsed();
    const { answer, summary } = await this.host.extract(snapshot, {
      detector,
      signal: this.signal,
      onEarly: (early) => void (this.#shown = this.#shown.then((view) => this.#showEarly(early, view))),
      onProgress: (progress) => this.#onProgress(progress),
    });
    this.signal.throwIfAborted();
    const answered = this.#elapsed();
    const state = stateOf(summary);
    await this.page.show(state, await this.#shown, answer);
    const clicked = performance.timeOrigin + this.clicked;
    const timings = { clicked, snapshot: packed.ms ?? 0, captured, greeted, answered, shown: this.#elapsed() };
    await keepOf(this.page.tabId, { summary, timings });
    return state;
  }

  /** @param {ProgressAnswer} progress */
  #onProgress({ pages_loaded: pagesLoaded, pages_wanted: pagesWanted }) {
    if (!this.signal.aborted) void showState(this.page.tabId, { name: "working", pagesLoaded, pagesWanted });
  }

  /**
   * Shows what the pages say that have come so far.
   * @param {Result} early
   * @param {ViewMode} before what the page shows now
   * @returns {Promise<ViewMode>}
   */
  async #showEarly({ answer, summary }, before) {
    if (this.signal.aborted) return before;
    const state = stateOf(summary);
    await this.page.show({ ...state, looking: true }, before, { ...answer, early: true });
    return state.name;
  }

  /** @returns {number} milliseconds since the click */
  #elapsed() {
    return performance.now() - this.clicked;
  }
}

/** @type {(summary: Summary) => TabState & {name: ViewMode}} the state in which an answer is first shown */
function stateOf(summary) {
  const doubt = doubtOf(summary);
  const about = { sureness: summary.sureness, morePages: summary.more_pages, ...(doubt && { doubt }) };
  return { name: firstMode(about), ...about };
}

/** @returns {Promise<string | null>} null for the host's own choice */
async function chosenDetector() {
  /** @type {Partial<Choices>} */
  const { detector } = await browser.storage.local.get("detector");
  return detector ?? null;
}
