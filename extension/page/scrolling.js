"use strict";

/** Scroll positions: as they were before a view, and at the first content. */
sitestencil.scrolling ??= (() => {
  const { dom } = sitestencil;
  const PICTURES = new Set(["img", "picture", "video", "svg", "canvas", "iframe", "object"]);
  const MARGIN = 24;
  const SCROLLS = /auto|scroll/;

  /** @type {(tree: Tree) => Scrolled[]} all that is scrolled away from its start */
  function positions({ elements }) {
    return elements
      .filter((node) => !dom.isShadowRoot(node) && dom.isConnected(node))
      .map((node) => ({ node, left: dom.scrollLeft(node), top: dom.scrollTop(node) }))
      .filter(({ left, top }) => left || top);
  }

  /** @type {(tree: Tree, scrolled: ReadonlyArray<Scrolled>) => void} */
  function back(tree, scrolled) {
    const earlier = new Set(scrolled.map(({ node }) => node));
    const others = positions(tree).filter(({ node }) => !earlier.has(node)).map(({ node }) => ({ node, left: 0, top: 0 }));
    for (const { node, left, top } of [...others, ...scrolled]) if (dom.isConnected(node)) dom.scrollTo(node, left, top);
  }

  /** Scrolls to the first text or picture that shows. @type {(tree: Tree, shown: Shown) => void} */
  function toFirst({ elements, names, texts }, { elements: isShown, hiddenTexts }) {
    const hasBox = (/** @type {number} */ index, /** @type {Node} */ node = elements[index]) => {
      if (!isShown[index] || dom.isShadowRoot(elements[index]) || !dom.isConnected(node)) return false;
      const { width, height } = dom.rect(node);
      return width > 1 && height > 1;
    };
    const text = texts.find(({ node, parent }, number) => !hiddenTexts[number] && /\S/.test(dom.data(node)) && hasBox(parent, node));
    const end = text ? Math.max(text.parent, text.after) : elements.length;
    const picture = elements.findIndex((_, index) => index < end && PICTURES.has(names[index]) && hasBox(index));
    if (picture >= 0) dom.scrollToStart(elements[picture], MARGIN);
    // A tall picture fills the window.
    if (text && (picture < 0 || dom.rect(text.node).top > dom.windowOf(text.node).innerHeight - 4 * MARGIN)) dom.scrollToStart(text.node, MARGIN);
  }

  /** The height of the window or box in which a text can be scrolled to; 0 if none can. @type {Sitestencil["scrolling"]["roomOf"]} */
  function roomOf(path, { x, y, width, height }) {
    const window = dom.windowOf(path[0]);
    const middle = { x: x + width / 2, y: y + height / 2 };
    let room = window.innerHeight;
    let isOut = false;
    for (const element of path) {
      if (dom.ownerDocument(element) !== window.document) break;
      const { position, display, overflowX, overflowY } = dom.styleOf(element);
      // A box that is taken out of the flow leaves the boxes around it that are not.
      const isLeft = (isOut && position === "static") || display === "inline" || display === "contents" || isViewport(element);
      if (!isLeft && overflowY !== "visible") {
        const box = dom.rect(element);
        const canScroll = SCROLLS.test(overflowY) && dom.scrollHeight(element) > dom.clientHeight(element) + 1;
        const axes = /** @type {const} */ ({ x: [box.x, box.width, SCROLLS.test(overflowX), dom.scrollLeft(element)], y: [box.y, box.height, canScroll, dom.scrollTop(element)] });
        for (const axis of /** @type {Array<keyof typeof axes>} */ (Object.keys(axes))) {
          const [start, size, mayScroll, scrolled] = axes[axis];
          if (middle[axis] >= start && middle[axis] <= start + size) continue;
          if (!mayScroll || middle[axis] + scrolled < start) return 0;
          middle[axis] = start + size / 2;
        }
        if (canScroll) room = Math.min(room, dom.clientHeight(element));
      }
      if (position === "fixed") return middle.y > 0 && middle.y < window.innerHeight ? room : 0;
      if (!isLeft) isOut = position === "absolute";
    }
    return middle.x + window.scrollX > 0 && middle.y + window.scrollY > 0 ? room : 0;
  }

  /** Whether the window scrolls by this element's rules. @param {Element} element */
  function isViewport(element) {
    const root = /** @type {Element} */ (dom.documentElement(/** @type {Document} */ (dom.ownerDocument(element))));
    return element === root || (dom.isHtml(element, "body") && dom.styleOf(root).overflowY === "visible");
  }

  return { positions, back, toFirst, roomOf };
})();
