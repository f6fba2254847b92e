"use strict";

/** Where the panel stands: the person drags it by a handle, or moves it with arrow keys or from corner to corner. */
sitestencil.moving ??= (() => {
  const STEP = 24;
  const EDGE = 16;
  const LEAST_DRAG = 4;
  const TEXTS = "p, h1, h2, li, td, dd, pre";
  const MOST_TEXTS = 1000;
  /** @type {Readonly<Record<string, readonly [number, number]>>} */
  const KEYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
  /** @type {ReadonlyArray<Pick<PanelPlace, "side" | "edge">>} */
  const CORNERS = [{ side: "right", edge: "bottom" }, { side: "left", edge: "bottom" }, { side: "left", edge: "top" }, { side: "right", edge: "top" }];

  /**
   * Puts the panel at distances from the nearest corner, so that it stays in windows of other sizes.
   * @param {HTMLElement} region
   * @param {PanelPlace} place
   */
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
    const { dom } = sitestencil;
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
      start = { box: sitestencil.dom.rect(region), x: event.clientX, y: event.clientY, moved: false };
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
        else if (event.isTrusted) move(nextCorner(sitestencil.dom.rect(region)), true);
        wasDragged = false;
      },
      { capture: true },
    );
    handle.addEventListener("keydown", (event) => {
      const step = KEYS[event.key];
      if (!step || !event.isTrusted) return;
      event.preventDefault();
      event.stopPropagation();
      move(by(sitestencil.dom.rect(region), ...step), true);
    });
  }

  /** @type {(box: DOMRect) => PanelPlace} */
  function nextCorner(box) {
    const { side, edge } = placeOf(box);
    const at = CORNERS.findIndex((one) => one.side === side && one.edge === edge);
    return { ...CORNERS[(at + 1) % CORNERS.length], x: EDGE, y: EDGE };
  }

  return { put, putBeside, placeOf, handle };
})();
