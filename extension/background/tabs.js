/** The work in tabs; a click during the work cancels it. */

import { showState, showsIdle } from "./button.js";
import { keepLast, opensAs, press, stateOf } from "./choices.js";
import { HostError } from "./errors.js";
import { Extraction, judgeLater } from "./extraction.js";
import { stateOfFailure } from "./help.js";
import { forgetClosedTabs } from "./memory.js";
import { clickOf, hidesAnything } from "./modes.js";
import { Page } from "./page.js";
import { leftOut, orderOf, undonePanel } from "./panels.js";
import { markdownOf, save } from "./saving.js";
import { Turns } from "./turns.js";
import { loaderFor } from "./ways.js";

/** @import { Switch } from "./choices.js" */
/** @import { Host } from "./host.js" */

// Browsers admit no script into a page that is still loading: waiting for it is work, too.
const WORK_SHOWS_AFTER_MS = 200;

export class Tabs {
  /** @param {Pick<Host, "wake" | "hello" | "extract" | "save" | "apply" | "sites" | "forget">} host */
  constructor(host) {
    this.host = host;
    /** Tabs that have used the host. @type {Set<number>} */
    this.used = new Set();
    this.turns = new Turns();
  }

  /** Handles a click on the button, or a shortcut. @type {(tabId: number, url?: string, to?: FirstView) => Promise<void>} `url`: the page's; `to`: the view that the shortcut shows, or leaves for the page */
  click(tabId, url, to) {
    if (this.turns.isBusy(tabId) && this.cancel(tabId)) return Promise.resolve();
    const clicked = performance.now();
    return this.turns.queue(tabId, async (page, signal) => {
      this.#wakeHost(tabId, url);
      const arrival = await this.#arrive(page, signal);
      if (arrival.snapshot) return this.#extract(page, arrival.snapshot, signal, { clicked, first: to });
      if (arrival.view === "none") return { name: "idle" };
      if (to) return this.#show(page, arrival.view === to ? "original" : to, arrival);
      return this.#show(page, clickOf(arrival.view, await opensAs(tabId)), arrival);
    });
  }

  /** Shows a page with a known template in a view mode. @type {(tabId: number, mode: ViewMode) => Promise<void>} */
  show(tabId, mode) {
    return this.turns.take(tabId, async (page, signal) => {
      const arrival = await this.#arrive(page, signal);
      return this.#showIfKnown(page, mode, arrival);
    });
  }

  /** Presses a switch of the panel, and shows this page so. @type {(tabId: number, name: Switch, value?: string) => Promise<void>} */
  toggle(tabId, name, value) {
    return this.turns.take(tabId, async (page, signal) => {
      const arrival = await this.#arrive(page, signal);
      await press(tabId, arrival.view, name, value);
      return this.#showIfKnown(page, arrival.view === "none" ? "original" : arrival.view, arrival);
    });
  }

  /** Looks for the template again, with more pages. @type {(tabId: number) => Promise<void>} */
  loadMore(tabId) {
    const clicked = performance.now();
    return this.turns.take(tabId, async (page, signal) => {
      this.host.wake();
      const { view, about, snapshot } = await this.#arrive(page, signal);
      const before = view === "none" ? "original" : view;
      return this.#extract(page, snapshot ?? (await page.run("snapshot")), signal, { clicked, before, first: about?.asked, morePages: true });
    });
  }

  /**
   * Compares with pages that this extension loads. The first time on a site the person sees the list, and
   * nothing loads before permission. Without a way it takes the way of the page's answer.
   * @type {(tabId: number, way?: Way, allowed?: boolean, links?: ReadonlyArray<string>) => Promise<void>}
   */
  compareBy(tabId, way, allowed = false, links = undefined) {
    const clicked = performance.now();
    return this.turns.take(tabId, async (page, signal) => {
      const { view, about = {} } = await this.#arrive(page, signal);
      if (view === "none") return this.#forgotten(page);
      const by = way ?? about.loadedBy;
      const loader = by && (await loaderFor(by, page, about, allowed, links));
      if (loader === null) return stateOf(tabId, view, about);
      return this.#extract(page, await page.run("snapshot"), signal, { clicked, before: view, first: about.asked, ...(loader && { loader }) });
    });
  }

  /**
   * Saves the content where its view shows, and otherwise the template. On an unknown page it looks for that first.
   * @type {(tabId: number, options?: {asks?: boolean}) => Promise<void>} `options`: whether the person is asked what the file is to be
   */
  async save(tabId, options) {
    /** @type {CapturedPage | undefined} */
    let captured;
    /** @type {PagePart} */
    let hides = "content";
    const clicked = performance.now();
    await this.turns.take(tabId, async (page, signal) => {
      this.#wakeHost(tabId);
      const { view, about, snapshot } = await this.#arrive(page, signal);
      const state = snapshot
        ? await this.#extract(page, snapshot, signal, { clicked })
        : await stateOf(tabId, /** @type {ViewMode} */ (view), about);
      // A guess is saved only after a second request, as it is shown.
      if (!snapshot || state.name !== "doubtful") {
        hides = leftOut(state);
        captured = { ...(await page.run("capture", hides)), ...(hides === "content" && { files: await page.run("files") }) };
      }
      return state;
    });
    // From here on the page may change or close.
    if (captured) await save(captured, this.host, { ...options, hides }).catch((error) => this.#workFailed(tabId, error));
  }

  /** Copies the content as Markdown, and says so in the panel. @type {(tabId: number) => Promise<void>} */
  copy(tabId) {
    return this.turns.take(tabId, async (page, signal) => {
      const { view, about } = await this.#arrive(page, signal);
      if (view === "none") return this.#forgotten(page);
      const state = await stateOf(tabId, view, about);
      const captured = await page.run("capture", leftOut(state));
      const isCopied = await page.run("copy", await markdownOf(captured, this.host));
      await page.say(orderOf({ ...state, copied: isCopied ? "yes" : "no" }).panel);
      return state;
    });
  }

  /** @type {(tabId: number) => boolean} whether there was anything to cancel */
  cancel(tabId) {
    if (!this.end(tabId, new DOMException("Cancelled.", "AbortError"))) return false;
    void showState(tabId, { name: "idle" });
    return true;
  }

  /** Cancels the work in a tab. @type {(tabId: number, reason: Error) => boolean} whether there was any; `reason`: what the button then says, unless it is an `AbortError` */
  end(tabId, reason) {
    return this.turns.end(tabId, reason);
  }

  /** Handles new content in a page with a hidden part; a click goes first. @type {(tabId: number) => Promise<void>} */
  async grown(tabId) {
    await this.turns.done(tabId);
    if (this.turns.isBusy(tabId)) return;
    const state = await judgeLater(new Page(tabId), this.host, (name, about) => stateOf(tabId, name, about)).catch(() => null);
    if (state && !this.turns.isBusy(tabId)) await showState(tabId, state);
  }

  /** Reports that the page keeps undoing a view mode. @type {(tabId: number, mode: ViewMode) => Promise<void>} */
  async undone(tabId, mode) {
    await this.turns.done(tabId); // This can come before the button shows the mode.
    if (this.turns.isBusy(tabId)) return;
    const page = new Page(tabId);
    const state = { ...(await stateOf(tabId, mode)), undone: true };
    await showState(tabId, state);
    await page.say(undonePanel(state));
  }

  /** Shows a correction, and tells panel and button of it; the inspect view shows it already. @param {number} tabId */
  async corrected(tabId) {
    await this.turns.take(tabId, async (page, signal) => {
      const { view, about } = await this.#arrive(page, signal);
      if (view === "none") return this.#forgotten(page);
      const state = await stateOf(tabId, view, about);
      if (hidesAnything(view)) return page.show(state, view);
      await page.say(orderOf(state).panel);
      return state;
    });
  }

  /** Reports that the browser stopped this background during work on a page. @type {(tabId: number) => Promise<void>} */
  async interrupted(tabId) {
    if (this.turns.isBusy(tabId)) return;
    await new Page(tabId).removeStyles().catch(() => {});
    await this.#workFailed(tabId, new HostError("interrupted"));
  }

  /** Handles a page that changed its address, or came back from the browser's memory. @type {(tabId: number, view: View, about?: AboutAnswer) => Promise<void>} */
  async viewChanged(tabId, view, about) {
    if (this.turns.isBusy(tabId)) return;
    if (!hidesAnything(view)) await new Page(tabId).removeStyles().catch(() => {});
    await showState(tabId, view === "none" ? { name: "idle" } : await stateOf(tabId, view, about));
  }

  /** @returns {Promise<boolean>} whether the tab in front has used the host */
  async isUsedInFront() {
    const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
    return tab?.id !== undefined && this.used.has(tab.id);
  }

  /** Starts the host, if needed, while the page is asked. @type {(tabId: number, url?: string) => void} */
  #wakeHost(tabId, url) {
    showsIdle(tabId).then((isIdle) => void (isIdle && this.host.wake(url)), () => {});
  }

  /** @type {(page: Page, signal: AbortSignal) => Promise<PageArrival>} the page's state, once it can be asked */
  async #arrive(page, signal) {
    const late = setTimeout(() => {
      if (!signal.aborted) void showState(page.tabId, { name: "working" });
    }, WORK_SHOWS_AFTER_MS);
    const arrival = await page.open().finally(() => clearTimeout(late));
    if (signal.aborted && arrival.snapshot) await page.run("stop");
    signal.throwIfAborted();
    return arrival;
  }

  /** @type {(page: Page, mode: ViewMode, arrival: PageArrival) => Promise<TabState>} */
  async #showIfKnown(page, mode, arrival) {
    return arrival.view === "none" ? this.#forgotten(page) : this.#show(page, mode, arrival);
  }

  /** Handles a page that has lost its answer. @type {(page: Page) => Promise<TabState>} */
  async #forgotten(page) {
    await page.run("stop");
    return { name: "idle" };
  }

  /** @type {(page: Page, mode: ViewMode, before: PageArrival) => Promise<TabState>} */
  async #show(page, mode, { view, about }) {
    await keepLast(page.tabId, mode);
    return page.show(await stateOf(page.tabId, mode, about), view);
  }

  /** @type {(page: Page, packed: Packed, signal: AbortSignal, options: ConstructorParameters<typeof Extraction>[3]) => Promise<TabState>} */
  async #extract(page, packed, signal, options) {
    void showState(page.tabId, { name: "working" });
    this.used.add(page.tabId);
    return new Extraction(page, this.host, signal, options).run(packed).finally(() => forgetClosedTabs());
  }

  /** @type {(tabId: number, error: unknown) => Promise<void>} */
  async #workFailed(tabId, error) {
    await showState(tabId, await stateOfFailure(new Page(tabId), error, new AbortController().signal)).catch(() => {});
  }
}
