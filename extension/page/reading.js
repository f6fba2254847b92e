"use strict";

/** The paper below the content, and the marks of the reading style. */
sitestencil.reading ??= (() => {
  const { dom } = sitestencil;
  const THEME = `${sitestencil.marks.NAME}-theme`;
  const PLACE = `${sitestencil.marks.NAME}-reading`;
  const UNSEEN = 2;
  const OVER = new Set(["absolute", "fixed"]);
  const WIDE = new Set(["table", "pre"]);
  const CLEAR = new Set(["", "transparent", "rgba(0, 0, 0, 0)"]);
  const TRANSLUCENT = /^rgba|\//;

  /**
   * Sets the marks of the reading style: where the rules of page/view.css act. Without a style, the boxes around
   * the content get a mark that acts in print alone.
   * @type {Sitestencil["reading"]["put"]}
   */
  function put({ elements, parents, names, roots }, drawnIn, shown, markable, theme) {
    const holds = Uint8Array.from(shown, (one, index) => (markable[index] ? one : 0));
    for (let index = parents.length - 1; index > 0; index--) if (holds[index]) holds[drawnIn[index]] = 1;
    /** @type {Array<[Node, string, string]>} */
    const marks = [];
    for (const [index, element] of elements.entries()) {
      if (!markable[index] || !holds[index] || !dom.isHtmlElement(element)) continue;
      if (roots.has(index)) {
        if (theme) marks.push([element, THEME, theme]);
      } else if (!theme) {
        if (!shown[index]) marks.push([element, PLACE, "sheet"]);
      } else {
        const above = parents[index];
        const isTop = !shown[above] || roots.has(above) || dom.isShadowRoot(elements[above]);
        const layout = layoutOf(element, names[index]);
        const place = !shown[index] ? (layout[0] === "keep" ? [] : ["frame"]) : isTop ? ["piece"] : [];
        const mark = [...place, ...layout].join(" ");
        if (mark) marks.push([element, PLACE, mark]);
      }
    }
    // Each box is read before the first mark changes any.
    for (const [element, name, value] of marks) sitestencil.marks.put(element, value, name);
  }

  /** @type {(element: Node, name: string) => string[]} what the rules cannot tell: text for screen readers alone, what the page keeps closed, wide tables and code, rows */
  function layoutOf(element, name) {
    const { width, height } = dom.rect(element);
    if (width > 0 && height > 0 && width <= UNSEEN && height <= UNSEEN) return ["keep"];
    const style = dom.windowOf(element).getComputedStyle(/** @type {Element} */ (element));
    if (style?.display === "none" || (style?.opacity === "0" && OVER.has(style.position))) return ["keep"];
    if (WIDE.has(name) && style?.display === "table") return ["wide"];
    return style?.display.endsWith("flex") && style.flexDirection.startsWith("row") ? ["row"] : [];
  }

  /**
   * The paper below the content: hidden elements around it, whose colour alone stays. Dark text of a light column would
   * be lost on a dark page.
   * @type {Sitestencil["reading"]["papers"]}
   */
  function papers(tree, shown, markable) {
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
    return dom.windowOf(element).getComputedStyle(/** @type {Element} */ (element))?.backgroundColor ?? "";
  }

  return { put, papers };
})();
