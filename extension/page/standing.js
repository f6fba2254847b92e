"use strict";

/** Where the panel stands, and whether a person can see it there. The person drags it by a handle, or moves it with arrow keys or from corner to corner. */
sitestencil.standing ??= (() => {
  const { dom } = sitestencil;
  const STEP = 24;
  const EDGE = 16;
  const LEAST_DRAG = 4;
  const TEXTS = "p, h1, h2, li, td, dd, pre";
  const MOST_TEXTS = 1000;
  /** @type {Readonly<Record<string, readonly [number, number]>>} */
  const KEYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
  /** @type {ReadonlyArray<Pick<PanelPlace, "side" | "edge">>} */
  const CORNERS = [{ side: "right", edge: "bottom" }, { side: "left", edge: "bottom" }, { side: "left", edge: "top" }, { side: "right", edge: "top" }];
  const LONG_ENOUGH_MS = 300;
  const [LEAST_PAUSE_MS, MORE_PAUSE_MS] = [30, 50];
  const LEAST_ZOOM = 0.5;
  const ON_TOP = ":is(:popover-open, :modal, :fullscreen)";
  // Draws a picture over the page. Within `:is`, a browser need not know it.
  const PICTURE = ":is(:active-view-transition)";
  // In Firefox, the root's filter reaches the top layer. These leave the panel legible: dark modes and tools for weak eyes.
  const FILTER = /^(?:none|(?:(?:(?:grayscale|sepia|saturate|hue-rotate)\([^()]*\)|(?:brightness|opacity)\((?:0?\.[6-9]\d*|1(?:\.[0-5]\d*)?)\)|contrast\((?:0?\.[6-9]|[1-9])\d*(?:\.\d+)?\)|invert\((?:0?\.[09]\d*|[01])\)|blur\((?:0|0?\.\d+|1)px\)) ?){1,3})$/;

  /** @type {HTMLElement | null} */
  let region = null;
  /** The elements that the panel stands above. @type {Set<Element>} */
  let below = new Set();
  /** @type {IntersectionObserver | undefined} */
  let covers;
  let isCovered = false;
  let lastWrong = -Infinity;
  let isWrongPress = false;
  /** The parent of the panel: a modal dialog, where one is open, as it takes all clicks elsewhere. @type {Element | null} */
  let home = null;
  /** The page's root when the panel came: on a page that a script writes anew, the panel is gone. @type {Element | null} */
  let origin = null;
  let onRefused = () => {};

  /** Puts the panel at distances from the nearest corner, so that it stays in windows of other sizes. @type {Sitestencil["standing"]["put"]} */
  function put(region, { side, edge, x, y }) {
    const across = `max(0px, min(${x}px, 100vw - 48px))`;
    const down = `max(0px, min(${y}px, 100vh - 48px))`;
    const inset = [edge === "top" ? down : "auto", side === "right" ? across : "auto", edge === "bottom" ? down : "auto", side === "left" ? across : "auto"];
    for (const logical of ["inset-inline", "inset-block"]) region.style.removeProperty(logical);
    region.style.setProperty("inset", inset.join(" "));
    region.style.setProperty("flex-direction", edge === "top" ? "column" : "column-reverse");
    region.style.setProperty("max-width", `min(320px, 100vw - ${across} - ${EDGE}px)`);
    region.style.setProperty("max-height", `calc(100vh - ${down} - ${EDGE}px)`);
  }

  /** Puts the panel into the corner with no text above it, the line's end if both have some. @type {(region: HTMLElement, direction: "ltr" | "rtl") => void} */
  function putBeside(region, direction) {
    const { width } = dom.rect(region);
    const root = /** @type {Element} */ (dom.documentElement(document));
    const shown = [...dom.all(root, TEXTS)].slice(0, MOST_TEXTS).filter((text) => Element.prototype.checkVisibility.call(text, { visibilityProperty: true }));
    const texts = shown.map(dom.rect);
    const corners = CORNERS.slice(0, 2);
    if (direction === "rtl") corners.reverse();
    const isFree = ({ side = "" }) => {
      const from = side === "left" ? EDGE : root.clientWidth - EDGE - width;
      return !texts.some((text) => text.width && text.left < from + width && text.right > from);
    };
    put(region, { ...(corners.find(isFree) ?? corners[0]), x: EDGE, y: EDGE });
  }

  /** @type {(box: Pick<DOMRect, "left" | "top" | "width" | "height">) => PanelPlace} */
  function placeOf({ left, top, width, height }) {
    const { innerWidth, innerHeight } = window;
    const within = (/** @type {number} */ at, /** @type {number} */ most) => Math.round(Math.max(0, Math.min(at, most)));
    const [x, y] = [within(left, innerWidth - width), within(top, innerHeight - height)];
    const isLeft = x + width / 2 < innerWidth / 2;
    const isTop = y + height / 2 < innerHeight / 2;
    return {
      side: isLeft ? "left" : "right",
      edge: isTop ? "top" : "bottom",
      x: isLeft ? x : within(innerWidth - x - width, innerWidth),
      y: isTop ? y : within(innerHeight - y - height, innerHeight),
    };
  }

  /** Makes an element move the panel. @type {(handle: HTMLElement, region: HTMLElement, move: (place: PanelPlace, isLast: boolean) => void) => void} */
  function handle(handle, region, move) {
    /** @type {{box: DOMRect, x: number, y: number, moved: boolean} | null} */
    let start = null;
    let wasDragged = false;
    const by = (/** @type {DOMRect} */ box, /** @type {number} */ x, /** @type {number} */ y) =>
      placeOf({ left: box.left + x, top: box.top + y, width: box.width, height: box.height });

    handle.addEventListener("pointerdown", (event) => {
      wasDragged = false;
      if (!event.isTrusted || event.button !== 0) return;
      start = { box: dom.rect(region), x: event.clientX, y: event.clientY, moved: false };
      handle.setPointerCapture?.(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!start || !event.isTrusted) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      start.moved ||= Math.hypot(x, y) >= LEAST_DRAG;
      if (start.moved) move(by(start.box, x, y), false);
    });
    const end = (/** @type {PointerEvent} */ event) => {
      if (!start || !event.isTrusted) return;
      wasDragged = start.moved;
      const moved = start.moved && by(start.box, event.clientX - start.x, event.clientY - start.y);
      start = null;
      if (moved) move(moved, true);
    };
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
    // Captured before the button's own listener: a drag is no click.
    handle.addEventListener(
      "click",
      (event) => {
        if (wasDragged) event.stopImmediatePropagation();
        else if (event.isTrusted) move(nextCorner(dom.rect(region)), true);
        wasDragged = false;
      },
      { capture: true },
    );
    handle.addEventListener("keydown", (event) => {
      const step = KEYS[event.key];
      if (!step || !event.isTrusted) return;
      event.preventDefault();
      event.stopPropagation();
      move(by(dom.rect(region), ...step), true);
    });
  }

  /** @type {(box: DOMRect) => PanelPlace} */
  function nextCorner(box) {
    const { side, edge } = placeOf(box);
    const at = CORNERS.findIndex((one) => one.side === side && one.edge === edge);
    return { ...CORNERS[(at + 1) % CORNERS.length], x: EDGE, y: EDGE };
  }

  /**
   * Puts the panel above all that is in the top layer now, and watches it. It stands there in a closed shadow root, where
   * the page's styles and scripts do not reach it. The page can still cover it, or hide the document: then it takes no
   * clicks of a pointer, until it has shown for a moment. Keys count always, as the page cannot move the focus to it.
   * @type {Sitestencil["standing"]["watch"]}
   */
  function watch(panel, refused) {
    [region, isCovered, lastWrong, onRefused] = [panel, false, -Infinity, refused];
    home = origin = dom.documentElement(document);
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

  function forget() {
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
    const mayRise = above.every((element) => element === dom.documentElement(document) || element.matches(":popover-open"));
    if (!mayRise || !panel.isConnected) return;
    panel.popover = "manual";
    panel.hidePopover();
    panel.showPopover();
    below = new Set(onTop());
  }

  const filterOf = () => getComputedStyle(/** @type {Element} */ (dom.documentElement(document))).filter;

  function onTop() {
    return [.../** @type {NodeListOf<Element>} */ (Document.prototype.querySelectorAll.call(document, ON_TOP))];
  }

  /** @param {HTMLElement} panel */
  function look(panel) {
    const root = /** @type {Element} */ (dom.documentElement(document));
    const elements = onTop();
    const above = elements.filter((element) => !below.has(element));
    below = new Set(elements.filter((element) => below.has(element)));
    const isBelow = above.length > 0 || !panel.matches(":popover-open");
    const zoom = panel.currentCSSZoom ?? 1;
    const isDrawn = zoom >= LEAST_ZOOM && panel.checkVisibility() && FILTER.test(filterOf()) && !root.matches(PICTURE);
    // Of a page with a filter, Chromium says that nothing is visible.
    if ((isCovered && filterOf() === "none") || isBelow || !isDrawn) lastWrong = performance.now();
    const within = elements.findLast((element) => element.matches("dialog:modal")) ?? root;
    if (within !== home && root === origin) {
      home = within;
      Element.prototype.prepend.call(home, /** @type {ShadowRoot} */ (panel.getRootNode()).host);
      rise(panel);
    } else if (isBelow) rise(panel, above);
    // The panel is as large as ever, however the page is enlarged.
    if (zoom < 0.99 || zoom > 1.01) panel.style.setProperty("zoom", String((Number.parseFloat(panel.style.getPropertyValue("zoom")) || 1) / zoom));
  }

  /** @param {Event} event */
  function refuse(event) {
    const isKey = event instanceof MouseEvent && event.type === "click" && event.detail === 0;
    if (!region || !event.isTrusted || isKey) return;
    look(region);
    const isWrong = performance.now() - lastWrong < LONG_ENOUGH_MS;
    if (event.type === "pointerdown") isWrongPress = isWrong;
    if (!isWrong && !isWrongPress) return;
    onRefused();
    event.stopImmediatePropagation();
    event.preventDefault();
  }

  return { put, putBeside, placeOf, handle, watch, forget };
})();
