"use strict";

/** The paper below the content, and the marks of the reading style. */
sitestencil.reading ??= (() => {
  const { dom } = sitestencil;
  const THEME = `${sitestencil.marks.NAME}-theme`;
  const PLACE = `${sitestencil.marks.NAME}-reading`;
  const OPEN = `${sitestencil.marks.NAME}-open`;
  const CLOSED = "[aria-expanded='false']:not([aria-haspopup])";
  const HEADINGS = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "dt"]);
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
    const { display = "", opacity, position, flexDirection } = dom.styleOf(element);
    if (display === "none" || (opacity === "0" && OVER.has(position))) return ["keep"];
    if (WIDE.has(name) && display === "table") return ["wide"];
    return display.endsWith("flex") && flexDirection.startsWith("row") ? ["row"] : [];
  }

  /**
   * The paper below the content: hidden elements around it, whose colour alone stays. Dark text of a light column would
   * be lost on a dark page. A picture stays where the colour does not carry the text.
   * @type {Sitestencil["reading"]["papers"]}
   */
  function papers(tree, shown, markable) {
    const { parents, roots } = tree;
    /** @type {Map<number, Mark>} */
    const papers = new Map();
    const asked = new Set();
    for (let index = 0; index < shown.length; index++) {
      if (!shown[index] || !markable[index] || roots.has(index)) continue;
      // The canvas shows the root's colour whatever is hidden.
      for (let above = parents[index]; !roots.has(above) && !shown[above] && !asked.has(above); above = parents[above]) {
        asked.add(above);
        const [colour, picture] = markable[above] ? groundOf(tree, above) : ["", ""];
        if (CLEAR.has(colour) && !picture) continue;
        const isOpaque = !TRANSLUCENT.test(colour) && !CLEAR.has(colour);
        const isCarried = isOpaque && picture.includes("url(") && sitestencil.grounds.differs(dom.styleOf(tree.elements[index]).webkitTextFillColor ?? "", colour);
        papers.set(above, picture && !isCarried ? "paper-picture" : "paper");
        if (picture || isOpaque) break;
      }
    }
    return papers;
  }

  /** @type {(tree: Tree, index: number) => [colour: string, picture: string]} none of a body that gives its own to the canvas */
  function groundOf({ elements, parents, names, roots }, index) {
    const above = parents[index];
    const isOfCanvas = names[index] === "body" && roots.has(above) && backgroundOf(elements[above]).every((one) => CLEAR.has(one));
    return isOfCanvas ? ["", ""] : backgroundOf(elements[index]);
  }

  /** @type {(element: Element | ShadowRoot) => [colour: string, picture: string]} */
  function backgroundOf(element) {
    const { backgroundColor = "", backgroundImage = "" } = dom.styleOf(element);
    return [backgroundColor, backgroundImage === "none" ? "" : backgroundImage];
  }

  /** Marks the closed parts with text that shows: those with most of it open, the others in print. @type {Sitestencil["reading"]["open"]} */
  function open({ elements, names, parents, texts }, shown) {
    const held = new Uint32Array(elements.length);
    for (const [text, { node, parent }] of texts.entries()) if (shown.elements[parent] && !shown.hiddenTexts[text]) held[parent] += dom.data(node).trim().length;
    for (let index = parents.length - 1; index > 0; index--) held[parents[index]] += held[index];
    const answers = closedAnswers();
    for (const [index, element] of elements.entries()) {
      if (!held[index] || !(names[index] === "details" || (shown.elements[index] && answers.has(element)))) continue;
      const isMost = names[index] === "details" && held[index] > held[0] / 2;
      sitestencil.marks.put(/** @type {Element} */ (element), isMost ? "" : "print", OPEN);
    }
  }

  /** @returns {Set<Node | null>} what the page's buttons open: the elements that they name, or those after them */
  function closedAnswers() {
    const { named } = sitestencil.selectors;
    const opened = [...named(CLOSED)].flatMap((button) => {
      const ids = dom.get(button, "aria-controls").split(/\s+/).filter(Boolean);
      const above = dom.parentNode(button);
      const title = above && HEADINGS.has(dom.localName(above)) ? above : button;
      return ids.length ? ids.flatMap((id) => [...named(`#${CSS.escape(id)}`)]) : [after(title)];
    });
    return new Set([...opened, ...named("[hidden='until-found' i]")]);
  }

  /** @type {(node: Node) => Node | null} the next element beside it */
  function after(node) {
    let next = dom.nextSibling(node);
    while (next && dom.nodeType(next) !== Node.ELEMENT_NODE) next = dom.nextSibling(next);
    return next;
  }

  return { put, papers, open };
})();
