"use strict";

/** The marks of the reading style: where the rules of background/reading.js act. Without a style, the boxes around the content get a mark that acts in print alone. */
sitestencil.reading ??= (() => {
  const THEME = "data-sitestencil-theme";
  const PLACE = "data-sitestencil-reading";
  const UNSEEN = 2;
  const OVER = new Set(["absolute", "fixed"]);
  const WIDE = new Set(["table", "pre"]);

  /**
   * @param {Tree} tree
   * @param {ArrayLike<number>} drawnIn per element, the one that it is drawn in
   * @param {ArrayLike<number>} shown per element, 1 for content
   * @param {ArrayLike<number>} markable
   * @param {Reading} [theme]
   */
  function put({ elements, parents, names, roots }, drawnIn, shown, markable, theme) {
    const { dom } = sitestencil;
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
    const { width, height } = sitestencil.dom.rect(element);
    if (width > 0 && height > 0 && width <= UNSEEN && height <= UNSEEN) return ["keep"];
    const style = sitestencil.dom.windowOf(element).getComputedStyle(/** @type {Element} */ (element));
    if (style?.display === "none" || (style?.opacity === "0" && OVER.has(style.position))) return ["keep"];
    if (WIDE.has(name) && style?.display === "table") return ["wide"];
    return style?.display.endsWith("flex") && style.flexDirection.startsWith("row") ? ["row"] : [];
  }

  return { put };
})();
