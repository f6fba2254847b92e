/** The notice of long work, in the page: most answers come before it. */

import { choice } from "./memory.js";

/** @import { Page } from "./page.js" */

const SHOWS_AFTER_MS = 500;

export class Notice {
  /** @type {{pagesLoaded?: number, pagesWanted?: number | null}} */
  #progress = {};
  #shows = false;
  #timer;

  /**
   * @param {Pick<Page, "sayWorking">} page
   * @param {number} clicked the time of the click, by `performance.now()`
   */
  constructor(page, clicked) {
    this.page = page;
    this.#timer = setTimeout(() => {
      this.#shows = true;
      void this.#say();
    }, Math.max(0, clicked + SHOWS_AFTER_MS - performance.now()));
  }

  /** @param {{pagesLoaded: number, pagesWanted: number | null}} progress */
  progress(progress) {
    this.#progress = progress;
    if (this.#shows) void this.#say();
  }

  /** The answer or an error takes its place. */
  end() {
    clearTimeout(this.#timer);
    this.#shows = false;
  }

  async #say() {
    const chosen = await choice("panel");
    if (this.#shows) await this.page.sayWorking(this.#progress, chosen);
  }
}
