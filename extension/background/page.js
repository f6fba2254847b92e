/** A tab's page as the background reaches it: its scripts, its styles, and their answers. */

import { NotPossible } from "./errors.js";
import { STYLES } from "./styles.js";

const SCRIPTS = "dom tree snapshot ranges plan view addresses rules values markup save panel main"
  .split(" ")
  .map((name) => `/page/${name}.js`);

/** @typedef {{webPage: boolean, contentType: string, view: "none" | "original" | "template"}} Description */

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
    try {
      await browser.scripting.executeScript({ target: { tabId: this.tabId }, files: SCRIPTS });
    } catch {
      throw new NotPossible("the browser keeps extensions out of this page.");
    }
    const description = await this.run("describe");
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
    const [frame] = await browser.scripting.executeScript({
      target: { tabId: this.tabId },
      func: (/** @type {string} */ name, /** @type {unknown[]} */ parameters) =>
        globalThis.sitestencil.main.run(name, parameters),
      args: /** @type {[string, unknown[]]} */ ([name, parameters]),
    });
    const answer = /** @type {{ok: boolean, value?: any, message?: string} | null} */ (frame?.result);
    if (!answer?.ok) throw new Error(answer?.message ?? "The page did not answer.");
    return answer.value;
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
