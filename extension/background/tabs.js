/** What happens in a tab: one thing after the other, and a click while it lasts cancels it. */

import { showState } from "./button.js";
import { HostError, NotPossible } from "./errors.js";
import { openHelp } from "./help.js";
import { choice, choose, forgetClosedTabs, keep, stateOf } from "./memory.js";
import { firstMode, hidesAnything } from "./modes.js";
import { LIMITS, unpack } from "./packing.js";
import { Page } from "./page.js";
import { mayRemember } from "./remembering.js";
import { save } from "./saving.js";
import { sessionLoader } from "./session.js";
import { CLICKS, stateAtClick } from "./states.js";
import { aboutAnswer } from "./sureness.js";
import { textOf } from "../texts.js";

/** @import { AboutAnswer, CapturedPage, FetchedPage, PageDescription, TabState, View, ViewMode } from "../messages.js" */
/** @import { Host } from "./host.js" */

// The browser lets no script into a page that is still loading: the wait for it is work, too.
const WORK_SHOWS_AFTER_MS = 200;

export class Tabs {
  /** @param {Pick<Host, "extract" | "save">} host */
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
      const described = await this.#describe(page, signal);
      const click = CLICKS[stateAtClick(false, described.view)];
      if (click.effect === "show") return this.#show(page, click.to, described);
      return this.#extract(page, signal);
    });
  }

  /**
   * Shows a page whose template is known in a view mode.
   * @param {number} tabId
   * @param {ViewMode} mode
   * @returns {Promise<void>}
   */
  show(tabId, mode) {
    if (this.running.has(tabId)) return Promise.resolve();
    return this.#inTurn(tabId, async (page, signal) => {
      const described = await this.#describe(page, signal);
      return described.view === "none" ? { name: "idle" } : this.#show(page, mode, described);
    });
  }

  /**
   * Closes the gaps in pages that hide something, or opens them, and shows this one so.
   * @param {number} tabId
   * @returns {Promise<void>}
   */
  toggleGaps(tabId) {
    if (this.running.has(tabId)) return Promise.resolve();
    return this.#inTurn(tabId, async (page, signal) => {
      const described = await this.#describe(page, signal);
      await choose({ closeGaps: !(await choice("closeGaps")) });
      return described.view === "none" ? { name: "idle" } : this.#show(page, described.view, described);
    });
  }

  /** Looks for the template once more, in more pages than before. @type {(tabId: number) => Promise<void>} */
  loadMore(tabId) {
    if (this.running.has(tabId)) return Promise.resolve();
    return this.#inTurn(tabId, async (page, signal) => {
      await this.#describe(page, signal);
      return this.#extract(page, signal, { morePages: true });
    });
  }

  /**
   * Compares in the person's session; the first time on a site the pages are listed, and none is loaded before it is allowed.
   * @type {(tabId: number, allowed: boolean) => Promise<void>}
   */
  compareInSession(tabId, allowed) {
    if (this.running.has(tabId)) return Promise.resolve();
    return this.#inTurn(tabId, async (page, signal) => {
      const { view, about = {} } = await this.#describe(page, signal);
      if (view === "none") return { name: "idle" };
      const load = await sessionLoader(page, about, allowed);
      return load ? this.#extract(page, signal, { load }) : stateOf(view, about);
    });
  }

  /**
   * Saves the template, which is looked for first where nothing is known of the page.
   * @param {number} tabId
   * @returns {Promise<void>}
   */
  async save(tabId) {
    if (this.running.has(tabId)) return;
    /** @type {CapturedPage | undefined} */
    let captured;
    await this.#inTurn(tabId, async (page, signal) => {
      const { view, about } = await this.#describe(page, signal);
      const state = view === "none" ? await this.#extract(page, signal) : await stateOf(view, about);
      // A guess is saved when it is asked for again, as it is shown.
      if (view !== "none" || state.name !== "doubtful") captured = await page.run("capture", LIMITS);
      return state;
    });
    // From here on the page may change or go.
    if (captured) await save(captured, this.host).catch((error) => this.#workFailed(tabId, error));
  }

  /**
   * @param {number} tabId
   * @returns {boolean} whether there was anything to cancel
   */
  cancel(tabId) {
    if (!this.end(tabId, new DOMException("Cancelled.", "AbortError"))) return false;
    void showState(tabId, { name: "idle" });
    return true;
  }

  /**
   * Ends the work in a tab.
   * @param {number} tabId
   * @param {Error} reason what the button then says, unless it is an `AbortError`
   * @returns {boolean} whether there was any
   */
  end(tabId, reason) {
    const work = this.running.get(tabId);
    if (!work || work.signal.aborted) return false;
    work.abort(reason);
    return true;
  }

  /**
   * The page keeps undoing a view mode.
   * @param {number} tabId
   * @param {ViewMode} mode
   */
  async undone(tabId, mode) {
    await this.queues.get(tabId); // It may come before the button shows the mode.
    if (this.running.has(tabId)) return;
    const page = new Page(tabId);
    const state = { ...(await stateOf(mode)), undone: true };
    await showState(tabId, state);
    await page.sayUndone(state);
  }

  /** The person corrected a page, which shows it already: panel and button say it, too. @param {number} tabId */
  async corrected(tabId) {
    if (this.running.has(tabId)) return;
    await this.#inTurn(tabId, async (page, signal) => {
      const { view, about } = await this.#describe(page, signal);
      if (view === "none") return { name: "idle" };
      const state = await stateOf(view, about);
      await page.renewPanel(state);
      return state;
    });
  }

  /**
   * The browser stopped this background while it worked on a tab's page.
   * @param {number} tabId
   */
  async interrupted(tabId) {
    if (!this.running.has(tabId)) await this.#workFailed(tabId, new HostError("interrupted"));
  }

  /**
   * The page went on within its document, or came back from the browser's memory.
   * @param {number} tabId
   * @param {View} view
   * @param {AboutAnswer} [about]
   */
  async viewChanged(tabId, view, about) {
    if (this.running.has(tabId)) return;
    if (!hidesAnything(view)) await new Page(tabId).removeStyles().catch(() => {});
    await showState(tabId, view === "none" ? { name: "idle" } : await stateOf(view, about));
  }

  /**
   * @param {Page} page
   * @param {AbortSignal} signal
   * @returns {Promise<PageDescription>} what the page shows, once it can be asked
   */
  async #describe(page, signal) {
    const late = setTimeout(() => {
      if (!signal.aborted) void showState(page.tabId, { name: "working" });
    }, WORK_SHOWS_AFTER_MS);
    const described = await page.open().finally(() => clearTimeout(late));
    signal.throwIfAborted();
    return described;
  }

  /**
   * @param {Page} page
   * @param {ViewMode} mode
   * @param {PageDescription} before
   * @returns {Promise<TabState>}
   */
  async #show(page, mode, { view, about }) {
    const state = await stateOf(mode, about);
    await page.show(state, view);
    return state;
  }

  /**
   * @param {Page} page
   * @param {AbortSignal} signal
   * @param {{morePages?: boolean, load?: (url: string) => Promise<FetchedPage>}} [options]
   * @returns {Promise<TabState>}
   */
  async #extract(page, signal, { morePages = false, load } = {}) {
    try {
      await Promise.all([showState(page.tabId, { name: "working" }), forgetClosedTabs()]);
      const [packed, detector = null, remembers] = await Promise.all([page.run("snapshot", LIMITS), choice("detector"), mayRemember(page.tabId)]);
      signal.throwIfAborted();
      const snapshot = unpack(packed, "page_too_large");
      const { answer, summary, canLoadMore } = await this.host.extract(snapshot, {
        detector,
        remembers,
        morePages,
        ...(load && { load }),
        signal,
        onProgress: ({ pages_loaded: pagesLoaded, pages_wanted: pagesWanted }) =>
          void (signal.aborted || showState(page.tabId, { name: "working", pagesLoaded, pagesWanted })),
      });
      signal.throwIfAborted();
      const about = aboutAnswer(summary, !morePages && canLoadMore);
      await page.answer(answer, about);
      // Who asks for more pages has seen what is in doubt.
      const state = await stateOf(morePages ? "template" : firstMode(about), about);
      await page.show(state, "original");
      await keep({ summary });
      return state;
    } catch (error) {
      await page.run("stop").catch(() => {});
      throw error;
    }
  }

  /**
   * Does one thing after the other in a tab, and shows on its button how each ended.
   * @param {number} tabId
   * @param {(page: Page, signal: AbortSignal) => Promise<TabState>} work
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
  async #workFailed(tabId, error) {
    await showState(tabId, await this.#failed(new Page(tabId), error, new AbortController().signal)).catch(() => {});
  }

  /**
   * @param {Page} page
   * @param {unknown} thrown
   * @param {AbortSignal} signal
   * @returns {Promise<TabState>}
   */
  async #failed(page, thrown, signal) {
    const error = signal.aborted ? signal.reason : thrown;
    if (error?.name === "AbortError" || (error instanceof HostError && error.isCancelled)) return { name: "idle" };
    if (error instanceof NotPossible) return { name: "impossible", problem: error.reason };
    if (!(error instanceof HostError)) console.error(error);
    const { phrase: problem, detail, needsHelp } = HostError.from(error);
    await keep({ error: { problem, detail } });
    if (needsHelp) await openHelp();
    else await page.say(textOf(problem));
    return { name: "error", problem };
  }
}
