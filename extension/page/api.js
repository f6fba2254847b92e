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

  return { get, leave, isHolder: (/** @type {Node} */ node) => node === holder };
})();
