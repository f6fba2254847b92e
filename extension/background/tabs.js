/** What happens in a tab: one thing after the other, and a click while it lasts cancels it. */

import { showState } from "./button.js";
import { HostError, NotPossible } from "./errors.js";
import { openHelp, remember } from "./help.js";
import { Page } from "./page.js";
import { save } from "./saving.js";
import { CLICKS, stateAtClick } from "./states.js";

/** @typedef {import("./states.js").State} State */

// The browser lets no script into a page that is still loading: the wait for it is work, too.
const WORK_SHOWS_AFTER_MS = 200;

export class Tabs {
  /** @param {import("./host.js").Host} host */
  constructor(host) {
    this.host = host;
    /** @type {Map<number, AbortController>} */
    this.running = new Map();
    /** @type {Map<number, Promise<void>>} */
    this.queues = new Map();
  }

  /**
   * A click on the button, or its shortcut.
   * @param {number} tabId
   * @returns {Promise<void>}
   */
  click(tabId) {
    if (this.cancel(tabId)) return Promise.resolve();
    return this.#inTurn(tabId, async (page, signal) => {
      const view = await this.#view(page, signal);
      const { to, effect } = CLICKS[stateAtClick(false, view)];
      if (effect === "extract") return this.#extract(page, signal);
      await page[effect === "show" ? "show" : "restore"]();
      return { name: to };
    });
  }

  /**
   * Saves the template, which is looked for first where nothing is known of the page.
   * @param {number} tabId
   * @returns {Promise<void>}
   */
  async save(tabId) {
    if (this.running.has(tabId)) return;
    /** @type {{capture: Capture, title: string} | undefined} */
    let captured;
    await this.#inTurn(tabId, async (page, signal) => {
      const view = await this.#view(page, signal);
      const state = view === "none" ? await this.#extract(page, signal) : /** @type {State} */ ({ name: view });
      captured = await page.run("capture");
      return state;
    });
    // From here on the page may change or go.
    if (captured) await save(captured, this.host).catch((error) => this.#saveFailed(tabId, error));
  }

  /**
   * @param {number} tabId
   * @returns {boolean} whether there was anything to cancel
   */
  cancel(tabId) {
    const work = this.running.get(tabId);
    if (!work || work.signal.aborted) return false;
    work.abort(new DOMException("Cancelled.", "AbortError"));
    void showState(tabId, { name: "idle" });
    return true;
  }

  /**
   * The page went on within its document, or came back from the browser's memory.
   * @param {number} tabId
   * @param {"none" | "original" | "template"} view
   */
  async showView(tabId, view) {
    if (this.running.has(tabId)) return;
    if (view !== "template") await new Page(tabId).removeStyles().catch(() => {});
    await showState(tabId, { name: stateAtClick(false, view) });
  }

  /**
   * @param {Page} page
   * @param {AbortSignal} signal
   * @returns {Promise<View>} what the page shows, once it can be asked
   */
  async #view(page, signal) {
    const late = setTimeout(() => {
      if (!signal.aborted) void showState(page.tabId, { name: "working" });
    }, WORK_SHOWS_AFTER_MS);
    const { view } = await page.open().finally(() => clearTimeout(late));
    signal.throwIfAborted();
    return view;
  }

  /**
   * @param {Page} page
   * @param {AbortSignal} signal
   * @returns {Promise<State>}
   */
  async #extract(page, signal) {
    try {
      await showState(page.tabId, { name: "working" });
      const [snapshot, { detector = null }] = await Promise.all([
        page.run("snapshot"),
        browser.storage.local.get("detector"),
      ]);
      signal.throwIfAborted();
      const { template, content_texts, summary } = await this.host.extract(snapshot, {
        detector,
        signal,
        onProgress: ({ pages_loaded: pagesLoaded, pages_wanted: pagesWanted }) =>
          void (signal.aborted || showState(page.tabId, { name: "working", pagesLoaded, pagesWanted })),
      });
      signal.throwIfAborted();
      await page.run("answer", { template, content_texts });
      await page.show();
      await remember({ summary });
      return { name: "template", summary };
    } catch (error) {
      await page.run("stop").catch(() => {});
      throw error;
    }
  }

  /**
   * Does one thing after the other in a tab, and shows on its button how each ended.
   * @param {number} tabId
   * @param {(page: Page, signal: AbortSignal) => Promise<State>} work
   * @returns {Promise<void>}
   */
  #inTurn(tabId, work) {
    const page = new Page(tabId);
    const running = new AbortController();
    this.running.set(tabId, running);
    const before = this.queues.get(tabId) ?? Promise.resolve();
    const done = before
      .then(() => work(page, running.signal))
      .catch((error) => this.#failed(page, error, running.signal))
      .then((state) => {
        // Before the button says so: who sees the end of the work does not mean to cancel it by the next click.
        if (this.running.get(tabId) === running) this.running.delete(tabId);
        return showState(tabId, state);
      })
      .finally(() => {
        if (this.queues.get(tabId) === done) this.queues.delete(tabId);
      });
    this.queues.set(tabId, done);
    return done;
  }

  /**
   * @param {number} tabId
   * @param {unknown} error
   */
  async #saveFailed(tabId, error) {
    await showState(tabId, await this.#failed(new Page(tabId), error, new AbortController().signal)).catch(() => {});
  }

  /**
   * @param {Page} page
   * @param {unknown} error
   * @param {AbortSignal} signal
   * @returns {Promise<State>}
   */
  async #failed(page, error, signal) {
    if (signal.aborted || (error instanceof HostError && error.isCancelled)) return { name: "idle" };
    if (error instanceof NotPossible) return { name: "impossible", message: error.message };
    if (!(error instanceof HostError)) console.error(error);
    const { message, detail, needsHelp } = HostError.from(error);
    await remember({ error: { message, detail } });
    if (needsHelp) await openHelp();
    else await page.run("say", message).catch(() => {});
    return { name: "error", message };
  }
}
