/** Work in tabs, one turn at a time in each. The page's view is the truth: at a turn's end the button shows what the page then shows. */

import { showState } from "./button.js";
import { stateOf } from "./choices.js";
import { stateOfFailure } from "./help.js";
import { isMode } from "./modes.js";
import { Page } from "./page.js";

/** A click on the button or its keys, a press in the panel, or news of the page. @typedef {"click" | "press" | "news"} Input */
/** No turn, one whose effect comes in a moment, or one that the button tells of. @typedef {"rest" | "brief" | "working"} Phase */

/** @typedef {(turn: Turn) => Promise<TabState | void>} Work */

/** The effects of inputs. @type {Readonly<Record<Phase, Readonly<Record<Input, "start" | "wait" | "end" | "drop">>>>} */
export const EFFECTS = {
  rest: { click: "start", press: "start", news: "start" },
  brief: { click: "wait", press: "wait", news: "wait" },
  working: { click: "end", press: "drop", news: "wait" },
};

export class Turn {
  /** @type {Phase} */
  phase = "brief";
  #ending = new AbortController();
  signal = this.#ending.signal;

  /** @param {number} tabId */
  constructor(tabId) {
    this.tabId = tabId;
    this.page = new Page(tabId);
  }

  /** Shows on the button that there is work, which a click ends from now on. @param {Pick<TabState, "pagesLoaded" | "pagesWanted">} [progress] */
  work(progress) {
    if (this.signal.aborted) return;
    this.phase = "working";
    void showState(this.tabId, { name: "working", ...progress });
  }

  /** The outcome is there: a click follows it, and no longer prevents it. */
  settle() {
    this.signal.throwIfAborted();
    this.phase = "brief";
  }

  /** @param {Error} [reason] what the button then says, unless it is an `AbortError` */
  end(reason = new DOMException("Cancelled.", "AbortError")) {
    this.phase = "brief";
    this.#ending.abort(reason);
  }
}

export class Turns {
  /** @type {Map<number | undefined, Turn>} */
  #running = new Map();
  /** The inputs that wait, by tab. @type {Map<number, Array<{input: Input, go: () => void}>>} */
  #waiting = new Map();

  /** @type {(tabId?: number) => Turn | undefined} the turn in a tab, if there is one */
  of(tabId) {
    return this.#running.get(tabId);
  }

  /** @type {(tabId: number, input: Input) => string} */
  #effect(tabId, input) {
    return EFFECTS[this.of(tabId)?.phase ?? "rest"][input];
  }

  /**
   * Does what an input does now. A turn's work returns the state for the button, or nothing where the page tells it all.
   * @type {(tabId: number, input: Input, work: Work) => Promise<void>}
   */
  async take(tabId, input, work) {
    const effect = this.#effect(tabId, input);
    if (effect === "end") this.of(tabId)?.end();
    if (effect === "start") await this.#start(tabId, work);
    if (effect !== "wait") return;
    const waiting = this.#waiting.get(tabId) ?? [];
    this.#waiting.set(tabId, waiting);
    await new Promise((resolve) => waiting.push({ input, go: () => resolve(this.take(tabId, input, work)) }));
  }

  /** @type {(tabId: number, work: Work) => Promise<void>} */
  async #start(tabId, work) {
    const turn = new Turn(tabId);
    this.#running.set(tabId, turn);
    try {
      await showTruth(turn.page, await work(turn).catch((error) => stateOfFailure(turn, error)));
    } finally {
      this.#running.delete(tabId);
      this.drain(tabId);
    }
  }

  /** Takes what waited for this phase, in its order. @param {number} tabId */
  drain(tabId) {
    const waiting = this.#waiting.get(tabId) ?? [];
    const next = waiting.findIndex(({ input }) => this.#effect(tabId, input) !== "wait");
    if (next < 0) return;
    waiting.splice(next, 1)[0].go();
    this.drain(tabId);
  }
}

/** Shows a turn's state on the button, and then the page's where it has another view. @type {(page: Page, state: TabState | void) => Promise<void>} */
async function showTruth(page, state) {
  if (state) await showState(page.tabId, state);
  if (state && !isMode(state.name)) return;
  const { view = "none", about } = (await page.describe()) ?? {};
  if (state?.name === view) return;
  await showState(page.tabId, view === "none" ? { name: "idle" } : await stateOf(page.tabId, view, about));
}
