"use strict";

/** The last look at a view: whether the kept text that a person could read on the page still shows. It reads a sample of bounded size. */
sitestencil.painted ??= (() => {
  const { dom } = sitestencil;
  const MOST = 48;
  const LEAST_SHARE = 0.5;
  // Of 255. Text that is so close to its ground is not there for any eye.
  const LEAST_LIGHT = 30;
  const LEAST_SIDE = 2;
  const PICTURES = "img, video, canvas, svg, iframe, object, embed";
  const COLOUR = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/;

  /** Places in texts of these lengths, evenly spaced by characters: each stands for the same share of the text. @type {Sitestencil["painted"]["spaced"]} */
  function spaced(lengths) {
    const step = lengths.reduce((sum, length) => sum + length, 0) / MOST;
    /** @type {number[]} */
    const found = [];
    let end = 0;
    for (const [place, length] of lengths.entries()) {
      end += length;
      while (length && (found.length + 0.5) * step < end) found.push(place);
    }
    return found;
  }

  /** @type {Sitestencil["painted"]["isLost"]} */
  function isLost(before, after) {
    const readable = [...before.keys()].filter((place) => before[place]);
    const kept = readable.filter((place) => after[place] >= before[place]).length;
    return readable.length ? kept < LEAST_SHARE * readable.length : before.length > 0 && !after.some(Boolean);
  }

  /** @type {Sitestencil["painted"]["sample"]} */
  function sample({ elements: [root], texts }, { elements, hiddenTexts }) {
    // Nothing is drawn of a page in a window without a size.
    const isKept = (/** @type {number} */ parent, /** @type {number} */ text) => dom.rect(root).width && elements[parent] && !hiddenTexts[text];
    const nodes = spaced(texts.map(({ node, parent }, text) => (isKept(parent, text) ? dom.data(node).trim().length : 0))).map((text) => texts[text].node);
    return { nodes, states: statesOf(nodes, true) };
  }

  /** @type {Sitestencil["painted"]["isBlank"]} */
  function isBlank({ nodes, states }) {
    const pictures = states.some(Boolean) ? [] : [...dom.all(/** @type {Element} */ (dom.documentElement(document)), PICTURES)];
    return isLost(states, statesOf(nodes, false)) && !pictures.some((picture) => isSeen(picture) && isLarge(picture));
  }

  /** @type {(nodes: ReadonlyArray<Text>, isPage: boolean) => number[]} */
  function statesOf(nodes, isPage) {
    const canvas = canvasOf(/** @type {Element} */ (dom.documentElement(document)));
    return nodes.map((node) => stateOf(node, isPage, canvas));
  }

  /** A page shows its text on some ground, if not one that can be found. Only in the window the browser tells what lies behind. @type {(node: Text, isPage: boolean, canvas: string) => number} */
  function stateOf(node, isPage, canvas) {
    /** The elements that it is drawn in, the innermost first. @type {Element[]} */
    const path = [];
    for (let above = dom.isConnected(node) && dom.drawnIn(node); above; above = dom.drawnIn(above)) path.push(above);
    // What has no box of its own, as a slot, tells nothing.
    const holder = path.find((element) => dom.styleOf(element).display !== "contents");
    if (!holder || !isLarge(node) || dom.styleOf(path[0]).visibility !== "visible") return 0;
    if (path.some((element) => dom.frameRoot(element) && !isSeen(element)) || !Element.prototype.checkVisibility.call(holder, { opacityProperty: true })) return 0;
    const rect = dom.rect(node);
    const behind = /** @type {Element[]} */ (Document.prototype.elementsFromPoint.call(dom.windowOf(node).document, rect.left + rect.width / 2, rect.top + rect.height / 2));
    if (isOnGround(path, behind, rect, canvas)) return 2;
    return isPage && !behind.length ? 0 : 1;
  }

  /** @type {(element: Element) => boolean} */
  const isSeen = (element) => Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true });
  /** @type {(node: Node) => boolean} */
  const isLarge = (node) => Math.min(dom.rect(node).width, dom.rect(node).height) > LEAST_SIDE;

  /** Whether a text or its shadow is told from what is drawn below it. @type {(path: ReadonlyArray<Element>, behind: ReadonlyArray<Element>, rect: DOMRect, canvas: string) => boolean} */
  function isOnGround(path, behind, rect, canvas) {
    const { webkitTextFillColor, textShadow } = dom.styleOf(path[0]);
    const last = /** @type {Element} */ (path.at(-1));
    if (!dom.isHtmlElement(path[0])) return true;
    // The canvas shows the colours of the root and the body, whatever is hidden.
    const drawn = path.filter((element) => dom.styleOf(element).visibility === "visible" || element === last || dom.isHtml(element, "body"));
    const floor = drawn.findIndex((element) => isOpaque(dom.styleOf(element).backgroundColor));
    const above = floor < 0 ? behind : behind.slice(0, behind.indexOf(drawn[floor]) >>> 0);
    const others = above.filter((element) => !path.includes(element) && !sitestencil.panel.isOwn(element));
    const found = [...(floor < 0 ? drawn : drawn.slice(0, floor + 1)), ...others].flatMap((element) => groundsOf(element, rect));
    const grounds = floor < 0 ? [...found, canvas] : found;
    return [webkitTextFillColor, ...coloursIn(textShadow)].some((colour) => grounds.some((ground) => differs(colour, ground)));
  }

  /** The colours that an element draws below a text, with what its styles add; "" for a picture, which may be of any colour. @type {(element: Element, rect: DOMRect) => string[]} */
  function groundsOf(element, { width, height }) {
    /** @type {(style: CSSStyleDeclaration) => string[]} */
    const drawnBy = ({ backgroundColor, backgroundImage, boxShadow }) =>
      [isOpaque(backgroundColor) && backgroundColor, backgroundImage !== "none" && "", ...(boxShadow.includes("inset") ? coloursIn(boxShadow) : [])].filter((colour) => colour !== false);
    const added = ["::before", "::after"].map((name) => dom.windowOf(element).getComputedStyle(element, name));
    // A mark beside the text is no ground.
    const covers = (/** @type {CSSStyleDeclaration} */ style) =>
      Number.parseFloat(style.width) >= LEAST_SHARE * width && Number.parseFloat(style.height) >= LEAST_SHARE * Math.min(height, innerHeight);
    const seen = added.filter((style) => style.content !== "none" && style.visibility === "visible" && style.opacity !== "0" && covers(style));
    return [dom.matches(element, PICTURES) ? [""] : [], ...[dom.styleOf(element), ...seen].map(drawnBy)].flat();
  }

  /** The colour below the whole page, by the colour scheme of its root or its meta element. @type {(root: Element) => string} */
  function canvasOf(root) {
    if (!dom.isHtmlElement(root)) return "rgb(255, 255, 255)";
    const probe = dom.create("i");
    probe.style.cssText = "all: initial !important; display: none !important; color-scheme: inherit !important; background: Canvas !important; transition: none !important";
    Element.prototype.append.call(root, probe);
    const { backgroundColor } = dom.styleOf(probe);
    probe.remove();
    return backgroundColor;
  }

  /** @type {Sitestencil["painted"]["coloursIn"]} */
  const coloursIn = (shadows) => shadows.match(/[a-z-]+\([^)]*\)/g) ?? [];

  /** @param {string} colour */
  const isOpaque = (colour) => Number(COLOUR.exec(colour)?.[4] ?? 1) > 0.5;

  /** @type {Sitestencil["painted"]["differs"]} */
  function differs(colour, ground) {
    const [one, other] = [colour, ground].map((text) => COLOUR.exec(text)?.slice(1).map(Number));
    if (!one || !other) return true;
    return isOpaque(colour) && Math.abs(0.2126 * (one[0] - other[0]) + 0.7152 * (one[1] - other[1]) + 0.0722 * (one[2] - other[2])) >= LEAST_LIGHT;
  }

  return { spaced, isLost, sample, isBlank, differs, coloursIn };
})();
