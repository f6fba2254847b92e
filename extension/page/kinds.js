"use strict";

/**
 * The kind of a page: the boxes around its main content, such as ["body.single", "main", "article.post"]. Pages that a
 * site makes from one pattern have the same; src/sitestencil/corrections/kinds.py reads them, too.
 */
sitestencil.kinds ??= (() => {
  const MOST_BOXES = 32;
  const MOST_OF_IT = 0.8;
  // A text's own elements differ from page to page; these and custom elements hold texts.
  const HOLDERS = new Set("body main article section div form center table tbody tr td".split(" "));

  /** @type {(page: KnownPage) => string[]} */
  function of({ tree, rest, mainTexts }) {
    const { dom, selectors } = sitestencil;
    const { elements, parents, names, texts } = tree;
    const letters = new Float64Array(elements.length);
    for (const [number, { node, parent }] of texts.entries()) {
      if (dom.isConnected(node) && (!rest[parent] || mainTexts[number])) letters[parent] += dom.data(node).trim().length;
    }
    for (let number = elements.length - 1; number > 0; number--) letters[parents[number]] += letters[number];
    /** @type {string[]} */
    const boxes = [];
    let at = 0;
    for (let number = 1; number < elements.length && boxes.length < MOST_BOXES; number++) {
      const node = elements[number];
      if (parents[number] !== at || dom.isShadowRoot(node) || !dom.isConnected(node)) continue;
      const isHolder = HOLDERS.has(names[number]) || names[number].includes("-");
      const holdsIt = letters[0] ? letters[number] >= MOST_OF_IT * letters[0] : names[number] === "body";
      const box = isHolder && holdsIt && selectors.boxOf(node);
      if (!box) continue;
      boxes.push(box);
      at = number;
    }
    return boxes;
  }

  /** @type {(boxes: ReadonlyArray<string>) => boolean} whether this page has these boxes in each other */
  function has(boxes) {
    const { dom, selectors } = sitestencil;
    const root = dom.documentElement(document);
    let reached = root ? [root] : [];
    for (const box of boxes) {
      const [tag, ...wanted] = box.split(/(?=[.#])/);
      reached = reached.flatMap(selectors.childrenOf).filter((child) => dom.localName(child) === tag && hasHalf(child, wanted));
    }
    return reached.length > 0;
  }

  /** @type {(element: Element, wanted: ReadonlyArray<string>) => boolean} whether it has at least half of these ids and classes */
  function hasHalf(element, wanted) {
    const { dom } = sitestencil;
    const own = new Set([`#${dom.get(element, "id")}`, ...dom.get(element, "class").split(/\s+/).map((name) => `.${name}`)]);
    return 2 * wanted.filter((name) => own.has(name)).length >= wanted.length;
  }

  return { of, has };
})();
