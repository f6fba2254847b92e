/** A tab's page from the background's side: its scripts, styles and answers. */

import { reasonOf, takesUserHighlights } from "./browser.js";
import { rulesOf } from "./choices.js";
import { HostError, NotPossible } from "./errors.js";
import { hidesAnything } from "./modes.js";
import { blankPanel, orderOf } from "./panels.js";

const TRIES = 5;
const BETWEEN_TRIES_MS = 50;
// All of page/ in one file, made by manifest/build.py: each file costs some milliseconds.
const SCRIPTS = ["/page.js"];

export class Page {
  /** The browser's words why it admits no script. */
  #refusal = "";

  /** The word of the page's marks. @type {string | undefined} */
  #word;

  /** @param {number} tabId */
  constructor(tabId) {
    this.tabId = tabId;
  }

  /**
   * Injects the scripts, if they are missing, and asks for the page's state. For an unknown page they add the
   * snapshot.
   * @returns {Promise<PageArrival>}
   * @throws {NotPossible}
   */
  async open() {
    let reply = await this.#enter();
    // Chromium sometimes tells a page's process of the click's permission too late, mostly just after a load.
    for (let tries = 1; !reply && tries < TRIES; tries++) {
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
      reply = await this.#enter();
    }
    if (!reply) {
      const tab = await browser.tabs.get(this.tabId).catch(() => null);
      throw new NotPossible(tab ? reasonOf(tab, this.#refusal) : "impossible_kept_out");
    }
    const description = valueOf(reply);
    this.#word = description.word;
    // The panel shows by it (page/panel.js).
    const css = `[data-${this.#word}="panel"] { visibility: visible !important; }`;
    if (description.isFirst) await browser.scripting.insertCSS({ css, target: { tabId: this.tabId }, origin: "USER" }).catch(() => {});
    if (!description.webPage) throw new NotPossible(description.pdf ? "impossible_pdf" : "impossible_no_web_page");
    return description;
  }

  /** @returns {Promise<PageReply<PageArrival> | undefined>} undefined if the browser admits no script */
  async #enter() {
    try {
      const [frame] = await browser.scripting.executeScript({ target: { tabId: this.tabId }, files: SCRIPTS });
      return /** @type {PageReply<PageArrival> | null | undefined} */ (frame?.result) ?? undefined;
    } catch (error) {
      this.#refusal = String(error);
      return undefined; // Chromium throws here; Firefox may run nothing.
    }
  }

  /**
   * Runs one of the commands of page/main.js.
   * @template {keyof PageCommands} Name
   * @param {Name} name
   * @param {Parameters<PageCommands[Name]>} parameters
   * @returns {Promise<Awaited<ReturnType<PageCommands[Name]>>>}
   */
  async run(name, ...parameters) {
    const [frame] = await browser.scripting.executeScript({
      target: { tabId: this.tabId },
      injectImmediately: true, // A new page may take long to load.
      // Before the scripts are in the page, an element of the page may answer to this name.
      func: (/** @type {Name} */ name, /** @type {Parameters<PageCommands[Name]>} */ parameters) =>
        Object.hasOwn(globalThis, "sitestencil") ? globalThis.sitestencil?.main.run(name, parameters) : undefined,
      args: [name, parameters],
    });
    const reply = /** @type {PageReply<Awaited<ReturnType<PageCommands[Name]>>> | null | undefined} */ (frame?.result);
    if (!reply) throw new DOMException("It is another page by now.", "AbortError");
    return valueOf(reply);
  }

  /** @returns {Promise<PageDescription | undefined>} undefined for a page without the scripts */
  async describe() {
    return this.run("describe").catch(() => undefined);
  }

  /**
   * Shows the page in a state's view mode. The rules act only on marks: they come before the first mark and go
   * after the last.
   * @param {TabState & {name: ViewMode}} state
   * @param {View} before the page's view now
   * @param {{answer: Answer, about: AboutAnswer}} [news] the host's answer, if it is new
   * @returns {Promise<TabState & {name: ViewMode}>} the state with the corrections that took part
   */
  async show(state, before, news) {
    const hides = hidesAnything(state.name);
    const [rules = []] = await Promise.all([news && rulesOf(this.tabId), hides && !hidesAnything(before) && this.#insertStyles()]);
    // The panel says how many corrections took part, which the page knows.
    const corrected = news && rules.length ? { ...state, ...(await this.run("answer", news.answer, news.about, rules)) } : state;
    const isBlank = await this.run("show", orderOf(corrected), ...(news && !rules.length ? [news] : [])).catch(async (error) => {
      await this.removeStyles().catch(() => {}); // The page has restored itself.
      throw error;
    });
    if (isBlank) return this.showBlank(corrected);
    if (!hides && hidesAnything(before)) await this.removeStyles();
    return corrected;
  }

  /** Says that a view would have been blank; the page shows already. @type {(state: TabState & {name: ViewMode}) => Promise<TabState & {name: ViewMode}>} */
  async showBlank(state) {
    await Promise.all([this.removeStyles(), this.say(blankPanel(state))]);
    return { ...state, name: "original", blank: state.name };
  }

  /** Shows a panel in the page, if possible. @type {(panel?: PanelContent) => Promise<void>} */
  async say(panel) {
    if (panel) await this.run("say", panel).catch(() => {});
  }

  async #insertStyles() {
    await Promise.all((await this.#styles()).map((style) => browser.scripting.insertCSS(style)));
  }

  async removeStyles() {
    await Promise.all((await this.#styles()).map((style) => browser.scripting.removeCSS(style)));
  }

  async #styles() {
    const word = (this.#word ??= await this.run("word"));
    const [view, css] = await Promise.all(["view", "texts"].map((name) => rulesFor(name, word)));
    const target = { tabId: this.tabId, allFrames: true };
    const texts = { target, css };
    return [
      { target, css: view, origin: /** @type {const} */ ("USER") },
      { ...texts, origin: /** @type {const} */ ("AUTHOR") },
      ...(takesUserHighlights() ? [{ ...texts, origin: /** @type {const} */ ("USER") }] : []),
    ];
  }
}

/** @type {(name: string, word: string) => Promise<string>} a style sheet of page/ with the word of a page's marks */
async function rulesFor(name, word) {
  const file = await fetch(browser.runtime.getURL(`/page/${name}.css`));
  return (await file.text()).replaceAll("sitestencil", word);
}

/** @template Value @param {PageReply<Value>} reply @returns {Value} */
function valueOf(reply) {
  if (!reply.ok && reply.isRewritten) throw new HostError("answered", "", ["error_page_changed"]);
  if (!reply.ok) throw new Error(reply.message);
  return reply.value;
}
