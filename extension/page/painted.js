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
    return { nodes, states: nodes.map(stateOf) };
  }

  /** @type {Sitestencil["painted"]["isBlank"]} */
  function isBlank({ nodes, states }) {
    const pictures = states.some(Boolean) ? [] : [...dom.all(/** @type {Element} */ (dom.documentElement(document)), PICTURES)];
    return isLost(states, nodes.map(stateOf)) && !pictures.some((picture) => isSeen(picture) && isLarge(picture));
  }

  /** @type {(node: Text) => number} */
  function stateOf(node) {
    /** The elements that it is drawn in, the innermost first. @type {Element[]} */
    const path = [];
    for (let above = dom.isConnected(node) && dom.drawnIn(node); above; above = dom.drawnIn(above)) path.push(above);
    // What has no box of its own, as a slot, tells nothing.
    const holder = path.find((element) => dom.styleOf(element).display !== "contents");
    if (!holder || !isLarge(node) || dom.styleOf(path[0]).visibility !== "visible") return 0;
    if (path.some((element) => dom.frameRoot(element) && !isSeen(element)) || !Element.prototype.checkVisibility.call(holder, { opacityProperty: true })) return 0;
    const { left, top, width, height } = dom.rect(node);
    const behind = /** @type {Element[]} */ (Document.prototype.elementsFromPoint.call(dom.windowOf(node).document, left + width / 2, top + height / 2));
    return isOnGround(path, behind.filter((element) => !path.includes(element) && !sitestencil.panel.isOwn(element))) ? 2 : 1;
  }

  /** @type {(element: Element) => boolean} */
  const isSeen = (element) => Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true });
  /** @type {(node: Node) => boolean} */
  const isLarge = (node) => Math.min(dom.rect(node).width, dom.rect(node).height) > LEAST_SIDE;

  /** Whether a text is told from what is drawn below it. A picture may be of any colour. @type {(path: ReadonlyArray<Element>, others: ReadonlyArray<Element>) => boolean} */
  function isOnGround(path, others) {
    const { webkitTextFillColor: colour, textShadow } = dom.styleOf(path[0]);
    const last = /** @type {Element} */ (path.at(-1));
    if (textShadow !== "none" || !dom.isHtmlElement(path[0]) || dom.styleOf(last).colorScheme.includes("dark")) return true;
    for (const element of path) {
      const { backgroundColor, backgroundImage, visibility } = dom.styleOf(element);
      // The canvas shows the colours of the root and the body, whatever is hidden.
      if (visibility !== "visible" && element !== last && !dom.isHtml(element, "body")) continue;
      if (backgroundImage !== "none") return true;
      if (isOpaque(backgroundColor)) return differs(colour, backgroundColor);
    }
    return differs(colour, "rgb(255, 255, 255)") || others.some((element) => dom.matches(element, PICTURES) || differs(dom.styleOf(element).backgroundColor, colour));
  }

  /** @param {string} colour */
  const isOpaque = (colour) => Number(COLOUR.exec(colour)?.[4] ?? 1) > 0.5;

  /** @type {Sitestencil["painted"]["differs"]} */
  function differs(colour, ground) {
    const [one, other] = [colour, ground].map((text) => COLOUR.exec(text)?.slice(1).map(Number));
    if (!one || !other) return true;
    return isOpaque(colour) && Math.abs(0.2126 * (one[0] - other[0]) + 0.7152 * (one[1] - other[1]) + 0.0722 * (one[2] - other[2])) >= LEAST_LIGHT;
  }

  return { spaced, isLost, sample, isBlank, differs };
})();
