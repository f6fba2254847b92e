"use strict";

/** The paper below the content: hidden elements around it, whose colour alone stays. Dark text of a light column would be lost on a dark page. */
sitestencil.paper ??= (() => {
  const CLEAR = new Set(["", "transparent", "rgba(0, 0, 0, 0)"]);
  const TRANSLUCENT = /^rgba|\//;

  /**
   * @param {Tree} tree
   * @param {ArrayLike<number>} shown per element, 1 for content
   * @param {ArrayLike<number>} markable
   * @returns {number[]} the elements from each piece of content outwards, up to the first that nothing shines through
   */
  function below(tree, shown, markable) {
    const { parents, roots } = tree;
    /** @type {number[]} */
    const papers = [];
    const asked = new Set();
    for (let index = 0; index < shown.length; index++) {
      if (!shown[index] || !markable[index] || roots.has(index)) continue;
      // The canvas shows the root's colour whatever is hidden.
      for (let above = parents[index]; !roots.has(above) && !shown[above] && !asked.has(above); above = parents[above]) {
        asked.add(above);
        const colour = markable[above] ? colourOf(tree, above) : "";
        if (CLEAR.has(colour)) continue;
        papers.push(above);
        if (!TRANSLUCENT.test(colour)) break;
      }
    }
    return papers;
  }

  /** @type {(tree: Tree, index: number) => string} none of a body that gives its colour to the canvas */
  function colourOf(tree, index) {
    const { elements, parents, names, roots } = tree;
    const above = parents[index];
    if (names[index] === "body" && roots.has(above) && CLEAR.has(backgroundOf(elements[above]))) return "";
    return backgroundOf(elements[index]);
  }

  /** @type {(element: Element | ShadowRoot) => string} */
  function backgroundOf(element) {
    return sitestencil.dom.windowOf(element).getComputedStyle(/** @type {Element} */ (element))?.backgroundColor ?? "";
  }

  return { below };
})();
