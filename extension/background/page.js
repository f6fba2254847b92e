/** A tab's page as the background reaches it: its scripts, its styles, and their answers. */

import { NotPossible } from "./errors.js";
import { takesUserHighlights } from "./browser.js";
import { stylesFor } from "./styles.js";

const TRIES = 5;
const BETWEEN_TRIES_MS = 50;
const SCRIPTS = "dom tree snapshot ranges plan view rules capture panel main"
  .split(" ")
  .map((name) => `/page/${name}.js`);

/** @typedef {{webPage: boolean, contentType: string, view: "none" | "original" | "template"}} Description */
/** @typedef {{ok: boolean, value?: unknown, message?: string}} PageAnswer */

export class Page {
  /** @param {number} tabId */
  constructor(tabId) {
    this.tabId = tabId;
  }

  /**
   * Brings the scripts into the page, where they are not yet, and asks what it is.
   * @returns {Promise<Description>}
   * @throws {NotPossible}
   */
  async open() {
    let answer = await this.#enter();
    // Chromium tells a page's process of the click's permission too late now and then, most often just after a load.
    for (let tries = 1; !answer && tries < TRIES; tries++) {
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
      answer = await this.#enter();
    }
    if (!answer) throw new NotPossible("the browser keeps extensions out of this page.");
    const description = /** @type {Description} */ (valueOf(answer));
    if (!description.webPage) throw new NotPossible("this is not a web page.");
    return description;
  }

  /** @returns {Promise<PageAnswer | undefined>} nothing where the browser lets no script in */
  async #enter() {
    try {
      await browser.scripting.executeScript({ target: { tabId: this.tabId }, files: SCRIPTS });
      return await this.#ask("describe", []);
    } catch {
      return undefined; // Chromium says so here; Firefox may just run nothing.
    }
  }

  /**
   * Runs one of the commands of page/main.js.
   * @param {string} name
   * @param {...unknown} parameters
   * @returns {Promise<any>}
   */
  async run(name, ...parameters) {
    const answer = await this.#ask(name, parameters);
    if (!answer) throw new Error("The page did not answer.");
    return valueOf(answer);
  }

  /**
   * @param {string} name
   * @param {unknown[]} parameters
   * @returns {Promise<PageAnswer | undefined>}
   */
  async #ask(name, parameters) {
    const [frame] = await browser.scripting.executeScript({
      target: { tabId: this.tabId },
      func: (/** @type {string} */ name, /** @type {unknown[]} */ parameters) =>
        globalThis.sitestencil?.main.run(name, parameters),
      args: /** @type {[string, unknown[]]} */ ([name, parameters]),
    });
    return /** @type {PageAnswer | undefined} */ (frame?.result ?? undefined);
  }

  /** Shows the template: first the rules, which do nothing alone, then the marks, all at once. */
  async show() {
    for (const style of this.#styles) await browser.scripting.insertCSS({ ...style, target: this.#frames });
    await this.run("show");
  }

  async restore() {
    await this.run("restore");
    await this.removeStyles();
  }

  async removeStyles() {
    for (const style of this.#styles) await browser.scripting.removeCSS({ ...style, target: this.#frames });
  }

  get #styles() {
    return stylesFor(takesUserHighlights());
  }

  get #frames() {
    return { tabId: this.tabId, allFrames: true };
  }
}

/**
 * @param {PageAnswer} answer
 * @returns {any}
 */
function valueOf({ ok, value, message }) {
  if (!ok) throw new Error(message);
  return value;
}
