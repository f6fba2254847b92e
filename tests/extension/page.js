/** A page as the extension's page scripts meet it: jsdom's window in place of the isolated world. */

import { readFileSync, readdirSync } from "node:fs";
import { JSDOM, VirtualConsole } from "jsdom";
import utils from "jsdom/lib/jsdom/living/generated/utils.js";
import { i18n } from "./i18n.js";

const EXTENSION = new URL("../../extension/", import.meta.url);
// As manifest/build.py joins them: the first makes what they share, the last answers.
const NAMES = readdirSync(new URL("page/", EXTENSION)).filter((name) => name.endsWith(".js") && name !== "dom.js" && name !== "main.js").sort();

/**
 * @param {string} html
 * @param {{url?: string, prepare?: (window: any) => void}} [options] `prepare`: makes the page as the scripts find it
 * @returns {{window: any, document: Document, sitestencil: Sitestencil, messages: any[], ports: any[], beats: any[]}} `beats`: what runs again and again
 */
export function openPage(html, { url = "https://example.org/news/a.html", prepare = () => {} } = {}) {
  const virtualConsole = new VirtualConsole();
  virtualConsole.forwardTo(console, { jsdomErrors: "none" });
  const dom = new JSDOM(html, { url, runScripts: "outside-only", pretendToBeVisual: true, virtualConsole });
  const { window } = /** @type {any} */ (dom);
  /** @type {any[]} */
  const messages = [];
  /** @type {any[]} */
  const ports = [];
  /** @type {any[]} */
  const beats = [];
  window.setInterval = (/** @type {any} */ beat) => beats.push(beat);
  window.browser = { i18n: i18n(), runtime: { id: "sitestencil", sendMessage: async (/** @type {any} */ m) => messages.push(m), connect: () => port(ports) } };
  // Node before 25 has no base64 of bytes.
  window.Uint8Array.prototype.toBase64 ??= /** @this {Uint8Array} */ function () {
    return Buffer.from(this).toString("base64");
  };
  // So the marks have one name in all tests.
  const word = Uint8Array.from("sitestencil", (letter) => letter.charCodeAt(0) - 97);
  Object.defineProperty(window, "crypto", { configurable: true, value: { getRandomValues: () => word } });
  // jsdom has no highlights, no navigation timing and no mode of design: as much of them as the scripts use.
  window.performance.getEntriesByType = () => [{ name: url, responseStatus: 203 }];
  Object.defineProperty(window.Document.prototype, "designMode", { get() { return this.body?.dataset.mode ?? "off"; } });
  window.CSS = { highlights: new Map() };
  window.Highlight = class extends Set {
    /** @param {...Range} ranges */
    constructor(...ranges) {
      super(ranges);
    }
  };
  prepare(window);
  for (const name of ["dom.js", ...NAMES, "main.js"]) window.eval(readFileSync(new URL(`page/${name}`, EXTENSION), "utf8"));
  window.matchMedia = () => new window.EventTarget();
  // jsdom draws nothing, and has neither a top layer nor the sheets of shadow roots.
  window.Element.prototype.checkVisibility = () => true;
  window.Range.prototype.getBoundingClientRect = () => new window.DOMRect();
  window.ShadowRoot.prototype.styleSheets = [];
  window.sitestencil.standing.watch = () => {};
  return { window, document: window.document, sitestencil: window.sitestencil, messages, ports, beats };
}

/** @param {any[]} ports */
function port(ports) {
  const made = { said: /** @type {any[]} */ ([]), open: true, postMessage: (/** @type {any} */ m) => made.said.push(m), disconnect: () => (made.open = false), onDisconnect: { addListener: (/** @type {any} */ listener) => (made.drop = listener) }, drop: () => {} };
  ports.push(made);
  return made;
}

/**
 * Dispatches an event as the browser does one that a person causes: a page's own events are not trusted.
 * @template {Event} Kind
 * @param {EventTarget | null | undefined} target
 * @param {Kind} event
 * @returns {Kind}
 */
export function byPerson(target, event) {
  const own = utils.implForWrapper(event);
  own.isTrusted = true;
  utils.implForWrapper(target)._dispatch(own);
  return event;
}

/**
 * Selects an element in the inspect view, and presses a button of the panel there.
 * @param {ReturnType<typeof openPage>} page
 * @param {ReturnType<typeof panelOf>["button"]} button of its panel
 * @param {string} selector
 * @param {"only_page" | "all_pages"} name
 */
export function correct(page, button, selector, name = "all_pages") {
  const { MouseEvent } = page.window;
  byPerson(page.document.querySelector(selector), new MouseEvent("click", { bubbles: true, composed: true, cancelable: true }));
  press(button(name));
}

/** Presses a button as a person does. @param {any} button */
export function press(button) {
  const { MouseEvent } = button.ownerDocument.defaultView;
  byPerson(button, new MouseEvent("click", { bubbles: true, composed: true, cancelable: true }));
}

/**
 * Plain values of what was made in the page's own realm, whose arrays are not this one's.
 * @param {any} value
 * @returns {any}
 */
export function plain(value) {
  return JSON.parse(JSON.stringify(value));
}

/** Asks the page as the background does. @param {ReturnType<typeof openPage>} page */
export function asker({ sitestencil }) {
  return (/** @type {any} */ name, /** @type {any[]} */ ...parameters) => {
    const answer = plain(sitestencil.main.run(name, /** @type {any} */ (parameters)));
    if (!answer.ok) throw new Error(answer.message);
    return answer.value;
  };
}

/** The panel's shadow root, which is closed to the page. @param {ReturnType<typeof openPage>} page */
export function panelOf(page) {
  const attachShadow = page.window.Element.prototype.attachShadow;
  /** @type {{root?: ShadowRoot}} */
  const panel = {};
  page.window.Element.prototype.attachShadow = function (/** @type {ShadowRootInit} */ init) {
    return (panel.root = attachShadow.call(this, init));
  };
  const button = (/** @type {string} */ name) => /** @type {HTMLElement} */ (panel.root?.querySelector(`button[name=${name}]`));
  return { panel, button };
}
