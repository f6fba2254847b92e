/** A tab's page as the background reaches it: its scripts, its styles, and their answers. */

import { NotPossible } from "./errors.js";
import { STYLES } from "./styles.js";

const SCRIPTS = "dom tree snapshot ranges plan view addresses rules values markup save panel main"
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
    const target = { tabId: this.tabId };
    let answer;
    try {
      await browser.scripting.executeScript({ target, files: SCRIPTS });
      answer = await this.#ask("describe", []);
    } catch {
      // Chromium says so here; Firefox may just run nothing.
    }
    if (!answer) throw new NotPossible("the browser keeps extensions out of this page.");
    const description = /** @type {Description} */ (valueOf(answer));
    if (!description.webPage) throw new NotPossible("this is not a web page.");
    return description;
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
    for (const style of STYLES) await browser.scripting.insertCSS({ ...style, target: this.#frames });
    await this.run("show");
  }

  async restore() {
    await this.run("restore");
    await this.removeStyles();
  }

  async removeStyles() {
    for (const style of STYLES) await browser.scripting.removeCSS({ ...style, target: this.#frames });
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
