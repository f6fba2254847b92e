"use strict";

/**
 * Whether a person can see the panel. A page can make it transparent, or move it under a click: then, and for a moment
 * after, the panel takes no clicks and no keys.
 */
sitestencil.drawn ??= (() => {
  const LONG_ENOUGH_MS = 300;
  const LEAST_PAUSE_MS = 30;
  const MORE_PAUSE_MS = 50;
  /** Computed values with which an element hides, moves or cuts nothing. @type {Readonly<Record<string, RegExp>>} */
  const PLAIN = {
    opacity: /^1$/,
    transform: /^none$/,
    translate: /^none$/,
    rotate: /^none$/,
    scale: /^none$/,
    "clip-path": /^none$/,
    "mask-image": /^none$/,
    "mix-blend-mode": /^normal$/,
    visibility: /^visible$/,
  };
  // Dark modes invert the whole page.
  const AROUND = { ...PLAIN, filter: /^none$|^invert\([\d.]+\)( hue-rotate\([\d.]+deg\))?$/ };
  const HOST = { ...PLAIN, filter: /^none$/, display: /^block$/, zoom: /^(1|normal)$/, overflow: /^visible$/, position: /^fixed$/, "pointer-events": /^auto$/ };
  const ON_TOP = ":is(:popover-open, :modal, :fullscreen)";

  /** @type {{host: HTMLElement, root: ShadowRoot, observer: MutationObserver, box: string} | null} */
  let watched = null;
  let lastWrong = -Infinity;

  /** Watches a panel; its listeners hear a click or key only while it can be seen. @type {(host: HTMLElement, root: ShadowRoot) => void} */
  function watch(host, root) {
    const observer = new MutationObserver(() => (lastWrong = performance.now()));
    observer.observe(host, { attributes: true });
    const made = (watched = { host, root, observer, box: "" });
    for (const name of ["click", "pointerdown", "keydown"]) root.addEventListener(name, refuse, { capture: true });
    lastWrong = -Infinity;
    const again = () => {
      if (watched !== made) return;
      if (!document.hidden) look();
      setTimeout(Math.random() < 0.5 ? again : () => requestAnimationFrame(again), LEAST_PAUSE_MS + Math.random() * MORE_PAUSE_MS);
    };
    again();
  }

  /** Has the extension change the panel, which is no move of the page's. @type {(work: () => void) => void} */
  function change(work) {
    if (watched?.box) look();
    work();
    if (!watched) return;
    watched.observer.takeRecords();
    watched.box = boxOf(watched.host);
  }

  function look() {
    if (!watched) return;
    const { host, observer } = watched;
    const box = boxOf(host);
    const moved = watched.box !== "" && box !== watched.box;
    if (observer.takeRecords().length || moved || !looksRight(host)) lastWrong = performance.now();
    watched.box = box;
  }

  /** @type {(host: HTMLElement) => string} */
  function boxOf(host) {
    const { x, y, width, height } = sitestencil.dom.rect(host);
    return [x, y, width, height].map(Math.round).join(" ");
  }

  /** @type {(host: HTMLElement) => boolean} */
  function looksRight(host) {
    const around = /** @type {Element | null} */ (sitestencil.dom.documentElement(document));
    if (!around || sitestencil.dom.parentNode(host) !== around) return false;
    const { left, top, right, bottom } = sitestencil.dom.rect(host);
    const isInWindow = left < innerWidth && top < innerHeight && right >= 0 && bottom >= 0;
    return isInWindow && isPlain(around, AROUND) && isPlain(host, HOST) && !isCovered(host);
  }

  /** @type {(element: Element, allowed: Readonly<Record<string, RegExp>>) => boolean} */
  function isPlain(element, allowed) {
    const style = getComputedStyle(element);
    return Object.entries(allowed).every(([name, values]) => {
      const value = style.getPropertyValue(name); // Empty: unknown to the browser.
      return !value || values.test(value);
    });
  }

  /** @type {(host: HTMLElement) => boolean} whether an element of the top layer can stand over the panel */
  function isCovered(host) {
    const { left, top, right, bottom } = sitestencil.dom.rect(host);
    return [...Document.prototype.querySelectorAll.call(document, ON_TOP)].some((element) => {
      const other = sitestencil.dom.rect(element);
      return other.left < right && other.right > left && other.top < bottom && other.bottom > top;
    });
  }

  /** Keys have no point; Escape may always close the panel. @param {Event} event */
  function refuse(event) {
    if (!watched || !event.isTrusted || (event instanceof KeyboardEvent && event.key === "Escape")) return;
    look();
    const isSeen = performance.now() - lastWrong >= LONG_ENOUGH_MS;
    if (isSeen && (!(event instanceof MouseEvent) || event.detail === 0 || isHit(event))) return;
    event.stopImmediatePropagation();
    if (event.type === "click") event.preventDefault();
  }

  /** @param {MouseEvent} event */
  function isHit({ clientX, clientY, target }) {
    const { host, root } = /** @type {NonNullable<typeof watched>} */ (watched);
    if (Document.prototype.elementFromPoint.call(document, clientX, clientY) !== host) return false;
    const there = root.elementFromPoint(clientX, clientY);
    return target instanceof Node && (target === there || target.contains(there));
  }

  function stop() {
    watched?.observer.disconnect();
    watched = null;
  }

  return { watch, change, stop };
})();
