/** An extraction in a tab: the snapshot goes to the host, and its early and last answers go to the page; so does the judgement of later content. */

import { keepLast, opensAs, stateOf } from "./choices.js";
import { aboutAnswer, firstMode } from "./modes.js";
import { choice, keepOf, mayRemember } from "./memory.js";
import { workingPanel } from "./panels.js";
import { jsonOf } from "./parts.js";
import { unlessAborted } from "./waiting.js";

/** @import { Host } from "./host.js" */
/** @import { Loader } from "./waiting.js" */
/** @import { Result } from "./parts.js" */
/** @import { Turn } from "./turns.js" */

const SHOWS_AFTER_MS = 500;

export class Extraction {
  /** The page's view until the answer comes. @type {Promise<ViewMode>} */
  #shown;
  /** The progress of long work, which shows in the page: most answers come before it. @type {Parameters<typeof workingPanel>[0]} */
  #progress = {};
  #showsProgress = false;
  #late;

  /**
   * @param {Turn} turn
   * @param {Pick<Host, "hello" | "extract">} host
   * @param {object} options
   * @param {number} options.clicked the time of the click, by `performance.now()`
   * @param {ViewMode} [options.before] the view of an earlier answer
   * @param {FirstView} [options.first] the view of the answer, in place of the one that the person chose for the site
   * @param {boolean} [options.morePages] whether to compare with more pages than are usually enough
   * @param {Loader} [options.loader] loads the pages; without it the host does
   */
  constructor(turn, host, { clicked, before = "original", first, morePages = false, loader }) {
    this.turn = turn;
    this.page = turn.page;
    this.host = host;
    this.clicked = clicked;
    this.first = first;
    this.morePages = morePages;
    this.loader = loader;
    this.#late = setTimeout(() => {
      this.#showsProgress = true;
      void this.#sayProgress();
    }, Math.max(0, SHOWS_AFTER_MS - this.#elapsed()));
    this.#shown = Promise.resolve(before);
  }

  /** @type {(packed: Packed) => Promise<TabState & {name: ViewMode}>} how the page shows its template */
  async run(packed) {
    try {
      return await this.#run(packed);
    } catch (error) {
      this.#endProgress();
      await this.#shown.catch(() => {});
      await this.page.run("stop").catch(() => {});
      await this.page.removeStyles().catch(() => {});
      throw error;
    }
  }

  /** @type {(packed: Packed) => Promise<TabState & {name: ViewMode}>} */
  async #run(packed) {
    const captured = this.#elapsed();
    const snapshot = jsonOf(packed, "page_too_large");
    const [detector = null, remembers, { incognito }] = await unlessAborted(
      Promise.all([choice("detector"), mayRemember(this.page.tabId), browser.tabs.get(this.page.tabId), this.host.hello()]),
      this.turn.signal,
    );
    const greeted = this.#elapsed();
    const { answer, summary } = await this.host.extract(snapshot, {
      detector,
      remembers,
      morePages: this.morePages,
      ...(this.loader && { loader: this.loader }),
      signal: this.turn.signal,
      onEarly: (early) => void (this.#shown = this.#shown.then((view) => this.#showEarly(early, view))),
      onProgress: (progress) => this.#onProgress(progress),
    });
    this.#endProgress();
    const answered = this.#elapsed();
    const tried = { loadedBy: this.loader?.way, links: this.loader?.links, canRender: !incognito, status: packed.status };
    const about = aboutAnswer(summary, !this.morePages, tried);
    const state = await this.#stateOf(about);
    const before = await this.#shown;
    this.turn.settle();
    const shown = await this.page.show(state, before, { answer, about });
    const clicked = performance.timeOrigin + this.clicked;
    const timings = { clicked, snapshot: packed.ms ?? 0, captured, greeted, answered, shown: this.#elapsed() };
    await keepOf(this.page.tabId, { summary, timings });
    return shown;
  }

  /** @param {ProgressAnswer} progress */
  #onProgress({ pages_loaded: pagesLoaded, pages_wanted: pagesWanted }) {
    if (this.turn.signal.aborted) return;
    this.#progress = { pagesLoaded, pagesWanted };
    if (this.#showsProgress) void this.#sayProgress();
    this.turn.work({ pagesLoaded, pagesWanted });
  }

  async #sayProgress() {
    const chosen = await choice("panel");
    if (this.#showsProgress) await this.page.say(workingPanel(this.#progress, chosen));
  }

  /** The answer or an error takes the place of the progress. */
  #endProgress() {
    clearTimeout(this.#late);
    this.#showsProgress = false;
  }

  /** Shows an early answer, from the pages so far. @type {(early: Result, before: ViewMode) => Promise<ViewMode>} `before`: the page's view now */
  async #showEarly({ answer, summary }, before) {
    this.#endProgress();
    const about = aboutAnswer(summary, false);
    const state = await this.#stateOf(about);
    if (this.turn.signal.aborted) return before;
    return (await this.page.show({ ...state, looking: true }, before, { answer: { ...answer, early: true }, about })).name;
  }

  /** @type {(about: AboutAnswer) => Promise<TabState & {name: ViewMode}>} the state in which an answer is first shown */
  async #stateOf(about) {
    const { tabId } = this.page;
    const first = this.first ?? (await opensAs(tabId));
    // A person who asks for more pages has seen the doubt.
    const mode = this.morePages ? first : firstMode(about, first);
    if (mode === "doubtful" && first !== "template") about.asked = first;
    await keepLast(tabId, mode);
    return stateOf(tabId, mode, about);
  }

  /** @returns {number} milliseconds since the click */
  #elapsed() {
    return performance.now() - this.clicked;
  }
}

/** Judges a changed page by its answer. @type {(grown: GrownPage, host: Pick<Host, "apply">) => Promise<Answer | null>} null if it cannot be judged */
export async function judged({ known, now }, host) {
  try {
    const { snapshot, ...answerThen } = known;
    const was = `{"snapshot":${jsonOf(snapshot, "page_too_large")},${JSON.stringify(answerThen).slice(1)}`;
    const { answer, summary } = await host.apply(`{"known":${was},"snapshot":${jsonOf(now, "page_too_large")}}`);
    return summary.fits ? answer : null;
  } catch {
    return null; // The host is gone, or the page is too large now: it shows.
  }
}
