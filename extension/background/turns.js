/** Work in tabs, one task at a time in each. */

import { showState } from "./button.js";
import { stateOfFailure } from "./help.js";
import { Page } from "./page.js";

export class Turns {
  /** @type {Map<number, AbortController>} */
  #running = new Map();
  /** @type {Map<number, Promise<void>>} */
  #queues = new Map();

  /** @type {(tabId: number) => boolean} whether there is work in a tab */
  isBusy(tabId) {
    return this.#running.has(tabId);
  }

  /** @type {(tabId: number) => Promise<void>} until all work in a tab is done */
  async done(tabId) {
    await this.#queues.get(tabId);
  }

  /** Ends the work in a tab. @type {(tabId: number, reason: Error) => boolean} whether there was any */
  end(tabId, reason) {
    const work = this.#running.get(tabId);
    if (!work || work.signal.aborted) return false;
    work.abort(reason);
    return true;
  }

  /** Does work in a tab that has none. @type {Turns["queue"]} */
  async take(tabId, work) {
    if (!this.isBusy(tabId)) await this.queue(tabId, work);
  }

  /** Does work after the earlier work, and shows its outcome on the tab's button. @type {(tabId: number, work: (page: Page, signal: AbortSignal) => Promise<TabState>) => Promise<void>} */
  queue(tabId, work) {
    const page = new Page(tabId);
    const running = new AbortController();
    this.#running.set(tabId, running);
    const before = this.#queues.get(tabId) ?? Promise.resolve();
    const done = before
      .then(() => work(page, running.signal))
      .catch((error) => stateOfFailure(page, error, running.signal))
      .then((state) => {
        // Before the button changes: whoever sees the end does not mean to cancel by the next click.
        if (this.#running.get(tabId) === running) this.#running.delete(tabId);
        return showState(tabId, state);
      })
      .finally(() => {
        if (this.#queues.get(tabId) === done) this.#queues.delete(tabId);
      });
    this.#queues.set(tabId, done);
    return done;
  }
}
