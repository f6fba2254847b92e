/** The work in tabs; a click during the work cancels it. */

import { showsIdle } from "./button.js";
import { keepLast, opensAs, press, stateOf } from "./choices.js";
import { HostError } from "./errors.js";
import { Extraction, judged } from "./extraction.js";
import { forgetClosedTabs } from "./memory.js";
import { clickOf, hidesAnything } from "./modes.js";
import { Page } from "./page.js";
import { leftOut, orderOf, undonePanel } from "./panels.js";
import { save, textOfPage } from "./saving.js";
import { Turns } from "./turns.js";
import { unlessAborted } from "./waiting.js";
import { loaderFor } from "./ways.js";

/** @import { Switch } from "./choices.js" */
/** @import { Host } from "./host.js" */
/** @import { Input, Turn } from "./turns.js" */

// Browsers admit no script into a page that is still loading: waiting for it is work, too.
const WORK_SHOWS_AFTER_MS = 200;
const MOST_LOADING_MS = 30_000;

export class Tabs {
  /** @param {Pick<Host, "wake" | "hello" | "extract" | "save" | "apply" | "sites" | "forget">} host */
  constructor(host) {
    this.host = host;
    /** Tabs that have used the host. @type {Set<number>} */
    this.used = new Set();
    this.turns = new Turns();
  }

  /** Handles a click on the button, or a shortcut. @type {(tabId: number, url?: string, key?: FirstView, input?: Input) => Promise<void>} `url`: the page's; `key`: the view that the shortcut shows, or leaves for the page */
  click(tabId, url, key, input = "click") {
    const clicked = performance.now();
    return this.turns.take(tabId, input, async (turn) => {
      this.#wakeHost(tabId, url);
      const arrival = await this.#arrive(turn);
      if (arrival.snapshot) return this.#extract(turn, arrival.snapshot, { clicked, first: key });
      return this.#show(turn, clickOf(arrival.view, await opensAs(tabId), key), arrival);
    });
  }

  /** Shows a page with a known template in a view mode. @type {(tabId: number, mode: ViewMode) => Promise<void>} */
  show(tabId, mode) {
    return this.turns.take(tabId, "press", async (turn) => this.#show(turn, mode, await this.#known(turn)));
  }

  /** Presses a switch of the panel, and shows this page so. @type {(tabId: number, name: Switch, value?: string) => Promise<void>} */
  toggle(tabId, name, value) {
    return this.turns.take(tabId, "press", async (turn) => {
      const known = await this.#known(turn);
      await press(tabId, known.view, name, value);
      return this.#show(turn, known.view, known);
    });
  }

  /** Looks for the template again, with more pages. @type {(tabId: number) => Promise<void>} */
  loadMore(tabId) {
    const clicked = performance.now();
    return this.turns.take(tabId, "press", async (turn) => {
      this.host.wake();
      const { view, about, snapshot } = await this.#arrive(turn);
      const before = view === "none" ? "original" : view;
      return this.#extract(turn, snapshot ?? (await turn.page.run("snapshot")), { clicked, before, first: about?.asked, morePages: true });
    });
  }

  /**
   * Compares with pages that this extension loads. The first time on a site the person sees the list, and
   * nothing loads before permission. Without a way it takes the way of the page's answer.
   * @type {(tabId: number, way?: Way, allowed?: boolean, links?: ReadonlyArray<string>) => Promise<void>}
   */
  compareBy(tabId, way, allowed = false, links = undefined) {
    const clicked = performance.now();
    return this.turns.take(tabId, "press", async (turn) => {
      const { view, about = {} } = await this.#known(turn);
      const by = way ?? about.loadedBy;
      const loader = by && (await loaderFor(by, turn.page, about, allowed, links));
      if (loader === null) return stateOf(tabId, view, about);
      return this.#extract(turn, await turn.page.run("snapshot"), { clicked, before: view, first: about.asked, ...(loader && { loader }) });
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
    await this.turns.take(tabId, "press", async (turn) => {
      this.#wakeHost(tabId);
      const { view, about, snapshot } = await this.#arrive(turn);
      const state = snapshot
        ? await this.#extract(turn, snapshot, { clicked })
        : await stateOf(tabId, /** @type {ViewMode} */ (view), about);
      // A guess is saved only after a second request, as it is shown.
      if (!snapshot || state.name !== "doubtful") {
        hides = leftOut(state);
        captured = { ...(await turn.page.run("capture", hides)), ...(hides === "content" && { files: await turn.page.run("files") }) };
        if (captured.typed.length) await turn.page.say(orderOf(/** @type {TabState & {name: ViewMode}} */ ({ ...state, typed: captured.typed })).panel);
      }
      return state;
    });
    // From here on the page may change or close.
    if (captured) await save(captured, this.host, { ...options, hides }).catch((error) => this.turns.take(tabId, "news", () => Promise.reject(HostError.from(error))));
  }

  /** Copies the content as Markdown, or the rules of the site, and says so in the panel. @type {(tabId: number, what?: "markdown" | "rules") => Promise<void>} */
  copy(tabId, what = "markdown") {
    return this.turns.take(tabId, "press", async (turn) => {
      const { view, about } = await this.#known(turn);
      const state = await stateOf(tabId, view, about);
      const captured = await turn.page.run("capture", what === "rules" ? "content" : leftOut(state));
      const { text, proved } = await textOfPage(captured, this.host, what === "rules" ? { format: what, pages: state.compared ?? [] } : undefined);
      const isCopied = await turn.page.run("copy", text);
      const news = isCopied && (proved === undefined ? { typed: captured.typed } : { proved });
      await turn.page.say(orderOf({ ...state, copied: isCopied ? "yes" : "no", ...news }).panel);
      return state;
    });
  }

  /** Handles new content in a page with a hidden part. @type {(tabId: number) => Promise<void>} */
  async grown(tabId) {
    const page = new Page(tabId);
    const grown = await page.run("grown").catch(() => null);
    if (!grown) return;
    const answer = await judged(grown, this.host);
    const about = { ...grown.about, later: /** @type {"judged" | "shown"} */ (answer ? "judged" : "shown") };
    await this.turns.take(tabId, "news", async () => {
      const state = await stateOf(tabId, grown.mode, about);
      const isShown = await page.run("judged", { ...(answer && { answer }), about, order: orderOf(state) });
      return isShown === "blank" ? page.showBlank(state) : isShown ? state : undefined;
    });
  }

  /** Reports that the page keeps undoing a view mode. @type {(tabId: number, mode: ViewMode) => Promise<void>} */
  undone(tabId, mode) {
    return this.turns.take(tabId, "news", async ({ page }) => {
      const state = { ...(await stateOf(tabId, mode)), undone: true };
      const isShown = (await page.describe())?.view === mode;
      if (isShown) await page.say(undonePanel(state));
      return isShown ? state : undefined;
    });
  }

  /** Shows a correction, and tells panel and button of it; the inspect view shows it already. @param {number} tabId */
  async corrected(tabId) {
    await this.turns.take(tabId, "press", async (turn) => {
      const { view, about } = await this.#known(turn);
      const state = await stateOf(tabId, view, about);
      if (hidesAnything(view)) return turn.page.show(state, view);
      await turn.page.say(orderOf(state).panel);
      return state;
    });
  }

  /** Handles a page that changed its address, came back from the browser's memory, or lost its work. @type {(tabId: number, error?: HostError) => Promise<void>} `error`: why it lost that */
  changed(tabId, error) {
    return this.turns.take(tabId, "news", async ({ page }) => {
      const { view = "none" } = (await page.describe()) ?? {};
      if (!hidesAnything(view)) await page.removeStyles().catch(() => {});
      if (error && view === "none") throw error;
    });
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

  /** @type {(turn: Turn) => Promise<PageArrival>} the page's state, once it can be asked */
  async #arrive(turn) {
    const { page, signal, tabId } = turn;
    const timers = [
      setTimeout(() => turn.work(), WORK_SHOWS_AFTER_MS),
      setTimeout(() => turn.end(new HostError("answered", "", ["error_still_loading"])), MOST_LOADING_MS),
    ];
    const opened = page.open();
    const isLate = () => signal.aborted && (this.turns.of(tabId) ?? turn) === turn;
    opened.then(({ snapshot }) => (snapshot && isLate() ? page.run("stop") : undefined)).catch(() => {});
    return unlessAborted(opened, signal).finally(() => timers.forEach(clearTimeout));
  }

  /** @type {(turn: Turn) => Promise<PageArrival & {view: ViewMode}>} the state of a page that still has its answer */
  async #known(turn) {
    const arrival = await this.#arrive(turn);
    const { view } = arrival;
    if (view !== "none") return { ...arrival, view };
    await turn.page.run("stop");
    throw new DOMException("The page has lost its answer.", "AbortError");
  }

  /** @type {(turn: Turn, mode: ViewMode, before: Pick<PageArrival, "view" | "about">) => Promise<TabState>} */
  async #show(turn, mode, { view, about }) {
    turn.settle();
    await keepLast(turn.tabId, mode);
    return turn.page.show(await stateOf(turn.tabId, mode, about), view);
  }

  /** @type {(turn: Turn, packed: Packed, options: ConstructorParameters<typeof Extraction>[2]) => Promise<TabState>} */
  async #extract(turn, packed, options) {
    turn.work();
    this.turns.drain(turn.tabId); // Who has clicked again meanwhile does not want it.
    this.used.add(turn.tabId);
    return new Extraction(turn, this.host, options).run(packed).finally(() => forgetClosedTabs());
  }
}
