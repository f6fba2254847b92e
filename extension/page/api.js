"use strict";

/**
 * The browser's interface. If a page has a frame or an element called `browser` as this world begins, Chromium makes no
 * interface of that name, or sets it on the element. The world of a new frame has one, as long as the frame stays.
 */
sitestencil.api ??= (() => {
  /** @type {HTMLElement | null} */
  let holder = null;
  /** @type {HTMLIFrameElement | null} */
  let frame = null;
  const EVERY_MS = 1_000;
  /** Names of the last second, with the work to do after it. @type {Map<string, (() => void) | null>} */
  const busy = new Map();

  /** @returns {typeof browser} */
  function get() {
    if (Object.hasOwn(globalThis, "browser")) return browser;
    if (!frame?.contentWindow) {
      holder?.remove();
      const { create, documentElement } = sitestencil.dom;
      holder = create("div");
      holder.style.setProperty("display", "none", "important");
      frame = create("iframe");
      holder.attachShadow({ mode: "closed" }).append(frame);
      Element.prototype.append.call(/** @type {Element} */ (documentElement(document)), holder);
    }
    return /** @type {any} */ (frame.contentWindow).browser;
  }

  /** Takes the frame out of the page, unless a port or the panel needs it. @param {browser.runtime.Port | null} port */
  function leave(port) {
    if (port || sitestencil.panel.isOpen()) return;
    holder?.remove();
    holder = frame = null;
  }

  /** @returns {typeof browser | undefined} what there is of it now */
  function held() {
    return Object.hasOwn(globalThis, "browser") ? browser : /** @type {any} */ (frame?.contentWindow)?.browser;
  }

  /** Does work at most once a second for each name, so that no page blocks other tabs by messages. The latest work in between follows when the second is over. @type {(name: string, work: () => void) => void} */
  function limit(name, work) {
    if (busy.has(name)) return void busy.set(name, work);
    busy.set(name, null);
    setTimeout(() => {
      const next = busy.get(name);
      busy.delete(name);
      if (next) limit(name, next);
    }, EVERY_MS);
    work();
  }

  return { get, leave, held, isHolder: (/** @type {Node} */ node) => node === holder, limit };
})();
