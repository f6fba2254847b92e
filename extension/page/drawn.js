"use strict";

/**
 * Whether a person can see the panel. It stands in the top layer and in a closed shadow root, where the page's styles and
 * scripts do not reach it. The page can still cover it, or hide the document: then it takes no clicks of a pointer, until
 * it has shown for a moment. Keys count always, as the page cannot move the focus to it.
 */
sitestencil.drawn ??= (() => {
  const LONG_ENOUGH_MS = 300;
  const [LEAST_PAUSE_MS, MORE_PAUSE_MS] = [30, 50];
  const LEAST_ZOOM = 0.5;
  const ON_TOP = ":is(:popover-open, :modal, :fullscreen)";
  // Draws a picture over the page. Within `:is`, a browser need not know it.
  const PICTURE = ":is(:active-view-transition)";
  // In Firefox, the root's filter reaches the top layer; dark modes invert it.
  const CLEAR = /^(?:(?:none|invert\(1\)|hue-rotate\(180deg\)) ?)+$/;

  /** @type {HTMLElement | null} */
  let region = null;
  /** The elements that the panel stands above. @type {Set<Element>} */
  let below = new Set();
  /** @type {IntersectionObserver | undefined} */
  let covers;
  let isCovered = false;
  let lastWrong = -Infinity;
  let isWrongPress = false;

  /** Puts the panel above all that is in the top layer now, and watches it. @param {HTMLElement} panel */
  function watch(panel) {
    [region, isCovered, lastWrong] = [panel, false, -Infinity];
    rise(panel);
    // Chromium alone sees all that can cover the panel; elsewhere `isVisible` is undefined.
    covers = new IntersectionObserver(onCovered, { trackVisibility: true, delay: 100 });
    covers.observe(panel);
    for (const name of ["pointerdown", "click"]) panel.addEventListener(name, refuse, { capture: true });
    const again = () => {
      if (region !== panel) return;
      if (!document.hidden) look(panel);
      // A page cannot foresee the moment.
      setTimeout(again, LEAST_PAUSE_MS + Math.random() * MORE_PAUSE_MS);
    };
    again();
  }

  function stop() {
    covers?.disconnect();
    region = null;
  }

  /** @param {ReadonlyArray<IntersectionObserverEntry>} entries */
  function onCovered(entries) {
    isCovered = entries.at(-1)?.isVisible === false;
    if (isCovered && region) rise(region, onTop());
  }

  /** A film that fills the screen, or a dialog, stays above. @type {(panel: HTMLElement, above?: ReadonlyArray<Element>) => void} */
  function rise(panel, above = []) {
    const mayRise = above.every((element) => element === sitestencil.dom.documentElement(document) || element.matches(":popover-open"));
    if (!mayRise || !panel.isConnected) return;
    panel.popover = "manual";
    panel.hidePopover();
    panel.showPopover();
    below = new Set(onTop());
  }

  function onTop() {
    return [.../** @type {NodeListOf<Element>} */ (Document.prototype.querySelectorAll.call(document, ON_TOP))];
  }

  /** @param {HTMLElement} panel */
  function look(panel) {
    const root = /** @type {Element} */ (sitestencil.dom.documentElement(document));
    const elements = onTop();
    const above = elements.filter((element) => !below.has(element));
    below = new Set(elements.filter((element) => below.has(element)));
    const isBelow = above.length > 0 || !panel.matches(":popover-open");
    const isDrawn = (panel.currentCSSZoom ?? 1) >= LEAST_ZOOM && panel.checkVisibility() && CLEAR.test(getComputedStyle(root).filter) && !root.matches(PICTURE);
    if (isCovered || isBelow || !isDrawn) lastWrong = performance.now();
    if (isBelow) rise(panel, above);
  }

  /** @param {Event} event */
  function refuse(event) {
    const isKey = event instanceof MouseEvent && event.type === "click" && event.detail === 0;
    if (!region || !event.isTrusted || isKey) return;
    look(region);
    const isWrong = performance.now() - lastWrong < LONG_ENOUGH_MS;
    if (event.type === "pointerdown") isWrongPress = isWrong;
    if (!isWrong && !isWrongPress) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }

  return { watch, stop };
})();
