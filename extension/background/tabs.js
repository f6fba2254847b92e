/** What happens in a tab: one click after the other, and at most one extraction at a time. */

import { showState } from "./button.js";
import { HostError, NotPossible } from "./errors.js";
import { openHelp, remember } from "./help.js";
import { Page } from "./page.js";
import { CLICKS, stateAtClick } from "./states.js";

/** @typedef {import("./states.js").State} State */

export class Tabs {
  /** @param {import("./host.js").Host} host */
  constructor(host) {
    this.host = host;
    /** @type {Map<number, AbortController>} */
    this.extractions = new Map();
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
    return this.#inTurn(tabId, async (page) => {
      const { view } = await page.open();
      const { to, effect } = CLICKS[stateAtClick(false, view)];
      if (effect === "extract") return this.#extract(page);
      await page[effect === "show" ? "show" : "restore"]();
      return { name: to };
    });
  }

  /**
   * Saves the template, which is looked for first where nothing is known of the page.
   * @param {number} tabId
   * @returns {Promise<void>}
   */
  save(tabId) {
    if (this.extractions.has(tabId)) return Promise.resolve();
    return this.#inTurn(tabId, async (page) => {
      const { view } = await page.open();
      const state = view === "none" ? await this.#extract(page) : { name: view };
      if (view !== "none" || state.name === "template") await page.run("save");
      return state;
    });
  }

  /**
   * @param {number} tabId
   * @returns {boolean} whether there was anything to cancel
   */
  cancel(tabId) {
    const extraction = this.extractions.get(tabId);
    extraction?.abort(new DOMException("Cancelled.", "AbortError"));
    return extraction !== undefined;
  }

  /**
   * The page went on within its document, or came back from the browser's memory.
   * @param {number} tabId
   * @param {"none" | "original" | "template"} view
   */
  async showView(tabId, view) {
    if (this.extractions.has(tabId)) return;
    if (view !== "template") await new Page(tabId).removeStyles().catch(() => {});
    await showState(tabId, { name: stateAtClick(false, view) });
  }

  /**
   * @param {Page} page
   * @returns {Promise<State>}
   */
  async #extract(page) {
    const extraction = new AbortController();
    const { signal } = extraction;
    this.extractions.set(page.tabId, extraction);
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
      return { name: "template" };
    } catch (error) {
      await page.run("stop").catch(() => {});
      if (signal.aborted || (error instanceof HostError && error.isCancelled)) return { name: "idle" };
      throw error;
    } finally {
      this.extractions.delete(page.tabId);
    }
  }

  /**
   * Does one thing after the other in a tab, and shows on its button how each ended.
   * @param {number} tabId
   * @param {(page: Page) => Promise<State>} work
   * @returns {Promise<void>}
   */
  #inTurn(tabId, work) {
    const page = new Page(tabId);
    const before = this.queues.get(tabId) ?? Promise.resolve();
    const done = before
      .then(() => work(page))
      .catch((error) => this.#failed(page, error))
      .then((state) => showState(tabId, state))
      .finally(() => {
        if (this.queues.get(tabId) === done) this.queues.delete(tabId);
      });
    this.queues.set(tabId, done);
    return done;
  }

  /**
   * @param {Page} page
   * @param {unknown} error
   * @returns {Promise<State>}
   */
  async #failed(page, error) {
    if (error instanceof NotPossible) return { name: "impossible", message: error.message };
    if (!(error instanceof HostError)) console.error(error);
    const { message, detail, needsHelp } = HostError.from(error);
    await remember({ error: { message, detail } });
    if (needsHelp) await openHelp();
    else await page.run("say", message).catch(() => {});
    return { name: "error", message };
  }
}
