"use strict";

/** The colours below a text. */
sitestencil.grounds ??= (() => {
  const { dom } = sitestencil;
  const LEAST_COVER = 0.5;
  // Of 255. Text that is so close to its ground is not there for any eye.
  const LEAST_LIGHT = 30;
  // A shadow tells a text from its ground where it is as sharp as the text, in pixels.
  const MOST_BLUR = 6;
  const MOST_APART = 4;
  const WHITE = "rgb(255, 255, 255)";
  const PICTURES = "img, video, canvas, svg, iframe, object, embed";
  const COLOUR = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/;
  const SHADOW = /([a-z-]+\([^)]*\)) (-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px(?: (-?[\d.]+)px)?( inset)?/g;

  /** @type {Sitestencil["grounds"]["boxesOf"]} */
  function boxesOf(elements) {
    return elements.flatMap((element) => {
      if (dom.isShadowRoot(element) || !dom.isConnected(element)) return [];
      const box = dom.rect(element);
      const outer = box.width || box.height ? shadowsIn(dom.styleOf(element).boxShadow ?? "").filter(({ isInset }) => !isInset) : [];
      const reaches = outer.map(({ x, y, spread }) => new DOMRect(box.x + x - spread, box.y + y - spread, box.width + 2 * spread, box.height + 2 * spread));
      return [box, ...reaches].filter(({ width, height }) => width > 0 && height > 0).map((reach) => ({ element, box: reach, isShadow: reach !== box }));
    });
  }

  /** @type {(box: DOMRect, x: number, y: number) => boolean} */
  const holds = ({ left, right, top, bottom }, x, y) => left <= x && x <= right && top <= y && y <= bottom;

  /** Whatever is drawn where a text is, at whatever depth: no browser tells what takes no pointer, or lies outside of the window. @type {(path: ReadonlyArray<Element>, rect: DOMRect, boxes: ReadonlyArray<Box>) => Array<Pick<Box, "element" | "isShadow">>} */
  function coversOf(path, rect, boxes) {
    const view = dom.windowOf(path[0]);
    const [x, y, middle] = [rect.x + rect.width / 2, rect.y + rect.height / 2, view.innerHeight / 2];
    const isInside = y >= 0 && y < view.innerHeight;
    // What stays in the window lies below all that is scrolled there.
    const covers = boxes.filter(({ element, box }) => dom.ownerDocument(element) === view.document && (holds(box, x, y) || (!isInside && holds(box, x, middle) && isFixed(element))));
    const hits = /** @type {Element[]} */ (Document.prototype.elementsFromPoint.call(view.document, x, y)).map((element) => ({ element, isShadow: false }));
    return [...covers, ...hits].filter(({ element }) => !path.includes(element) && !sitestencil.panel.isOwn(element) && isSeen(element));
  }

  /** @type {Sitestencil["grounds"]["pathOf"]} */
  function pathOf(node) {
    const path = [];
    for (let above = dom.isConnected(node) && dom.drawnIn(node); above; above = dom.drawnIn(above)) path.push(above);
    return path;
  }

  /** @type {(element: Element) => boolean} */
  const isFixed = (element) => [element, ...pathOf(element)].some((one) => dom.styleOf(one).position === "fixed");

  /** @type {Sitestencil["grounds"]["isSeen"]} */
  const isSeen = (element) => Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true });

  /** @type {Sitestencil["grounds"]["isClear"]} */
  function isClear(path, rect, canvas, boxes) {
    const { webkitTextFillColor, textShadow } = dom.styleOf(path[0]);
    const last = /** @type {Element} */ (path.at(-1));
    if (!dom.isHtmlElement(path[0])) return true;
    const near = shadowsIn(textShadow).filter(({ x, y, blur }) => blur <= MOST_BLUR && Math.hypot(x, y) <= MOST_APART);
    const isTold = (/** @type {string} */ ground) => [webkitTextFillColor, ...near.map(({ colour }) => colour)].some((colour) => differs(colour, ground));
    // The canvas shows the colours of the root and the body, whatever is hidden.
    const drawn = path.filter((element) => dom.styleOf(element).visibility === "visible" || element === last || dom.isHtml(element, "body"));
    const floor = drawn.findIndex((element) => isOpaque(dom.styleOf(element).backgroundColor));
    const own = (floor < 0 ? drawn : drawn.slice(0, floor + 1)).flatMap((element) => groundsOf(element, rect));
    if ((floor < 0 ? [...own, canvas] : own).some(isTold)) return true;
    const isAbove = (/** @type {Element} */ element) => floor < 0 || pathOf(element).includes(drawn[floor]);
    return coversOf(path, rect, boxes()).some(({ element, isShadow }) => isAbove(element) && groundsOf(element, rect, isShadow).some(isTold));
  }

  /** The colours that an element draws below a text, with what its styles add; "" for what may be of any colour, as a picture. @type {(element: Element, rect: DOMRect, isShadow?: boolean) => string[]} */
  function groundsOf(element, { width, height }, isShadow = false) {
    const shadows = (/** @type {string} */ text, isInset = !isShadow) => shadowsIn(text).filter((shadow) => shadow.isInset === isInset).map(({ colour }) => colour);
    const style = dom.styleOf(element);
    if (isShadow) return shadows(style.boxShadow);
    /** @type {(style: CSSStyleDeclaration) => string[]} */
    const drawnBy = ({ backgroundColor, backgroundImage, boxShadow, backdropFilter = "none", mixBlendMode }) => {
      const isAny = backgroundImage !== "none" || backdropFilter !== "none" || mixBlendMode !== "normal";
      return [...(isOpaque(backgroundColor) ? [backgroundColor] : []), ...(isAny ? [""] : []), ...shadows(boxShadow)];
    };
    const added = ["::before", "::after"].map((name) => dom.windowOf(element).getComputedStyle(element, name));
    // A mark beside the text is no ground.
    const covers = (/** @type {CSSStyleDeclaration} */ { width: wide, height: high }) =>
      Number.parseFloat(wide) >= LEAST_COVER * width && Number.parseFloat(high) >= LEAST_COVER * Math.min(height, innerHeight);
    const seen = added.filter((one) => one.content !== "none" && one.visibility === "visible" && one.opacity !== "0" && covers(one));
    return [dom.matches(element, PICTURES) ? [""] : [], ...[style, ...seen].map(drawnBy)].flat();
  }

  /** @type {Sitestencil["grounds"]["canvasOf"]} */
  function canvasOf(root) {
    if (!dom.isHtmlElement(root)) return WHITE;
    const meta = dom.first(/** @type {Document} */ (dom.ownerDocument(root)), "meta[name=color-scheme i]");
    const { colorScheme } = dom.styleOf(root);
    const schemes = colorScheme === "normal" && meta ? dom.get(meta, "content") : colorScheme;
    const isDark = schemes.includes("dark") && (!schemes.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
    return isDark ? "rgb(18, 18, 18)" : WHITE;
  }

  /** @type {Sitestencil["grounds"]["shadowsIn"]} */
  const shadowsIn = (text) =>
    [...text.matchAll(SHADOW)].map(([, colour, x, y, blur, spread, inset]) => ({ colour, x: Number(x), y: Number(y), blur: Number(blur), spread: Number(spread ?? 0), isInset: inset !== undefined }));

  /** @param {string} colour */
  const isOpaque = (colour) => Number(COLOUR.exec(colour)?.[4] ?? 1) > 0.5;

  /** @type {Sitestencil["grounds"]["differs"]} */
  function differs(colour, ground) {
    const [one, other] = [colour, ground].map((text) => COLOUR.exec(text)?.slice(1).map(Number));
    if (!one || !other) return true;
    return isOpaque(colour) && Math.abs(0.2126 * (one[0] - other[0]) + 0.7152 * (one[1] - other[1]) + 0.0722 * (one[2] - other[2])) >= LEAST_LIGHT;
  }

  return { boxesOf, pathOf, isSeen, isClear, canvasOf, shadowsIn, differs, PICTURES };
})();
