"use strict";

/** Scroll positions: as they were before a view, and at the first content. */
sitestencil.scrolling ??= (() => {
  const { dom } = sitestencil;
  const PICTURES = new Set(["img", "picture", "video", "svg", "canvas", "iframe", "object"]);
  const MARGIN = 24;

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

  return { positions, back, toFirst };
})();
