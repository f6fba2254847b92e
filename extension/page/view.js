"use strict";

/** Hides a part of the page in place, so that the layout stays, and restores it. The rules of page/view.css act on the marks; without rules or marks, the page is unchanged. */
sitestencil.view ??= (() => {
  const { dom } = sitestencil;
  const STILL = `${sitestencil.marks.NAME}-still`;
  const NEVER_SHOWN = new Set(["head", "script", "style", "link", "meta", "title", "base", "template", "noscript", "mask", "clipPath"]);
  // The browser draws their text itself, where no highlight reaches.
  const OWN_TEXT = new Set(["option", "textarea"]);
  const FRAMES = new Set(["frameset", "frame", "iframe"]);
  const UNSEEN = new Set(["hidden", "collapse"]);
  // In a part with `display: none`, browsers compute a style anew from all ancestors. They draw nothing as deep as this.
  const DEEPEST = 1000;
  const [FEW_LOST, MOST_LOST, MOST_LOST_IN_STYLE] = [0.05, 0.3, 0.5]; // a reading style has lines of its own

  /** `scrolled` is null while the view has moved nothing. @typedef {{focus: Focus, scrolled: Scrolled[] | null}} Before */
  /** @typedef {Parameters<Sitestencil["view"]["hide"]>} How */
  /** @type {(Before & {how: How}) | null} */
  let before = null;
  /** Kept texts, as the page showed them. @type {Sample | null} */
  let sample = null;

  /** Hides a part of the page. If a part is hidden already, the way back stays the same. @type {Sitestencil["view"]["hide"]} */
  function hide(part, page, closeGaps, onUndone, reading) {
    const earlier = before;
    /** @type {How} */
    const how = [part, page, closeGaps, onUndone, reading];
    before = { ...(earlier ?? { focus: sitestencil.focus.now(), scrolled: null }), how };
    if (!earlier) return markAll(...how);
    withoutTransitions(page.tree, () => {
      sitestencil.marks.takeOff(page.tree);
      markAll(...how);
    });
    if (part !== "content" || closeGaps || !earlier.scrolled) return;
    sitestencil.scrolling.back(page.tree, earlier.scrolled);
    before.scrolled = null;
  }

  /** Whether the view loses too much text. The gaps stay open where closing them loses some: what a page lays out beside others is squeezed without them. */
  function isBlank(mayOpen = true) {
    if (!before || !sample) return false;
    const [part, page, closeGaps, onUndone, reading] = before.how;
    if (part === "content" && !sample.looks.some(({ state }) => state)) return false;
    const lost = sitestencil.painted.lost(sample);
    if (!mayOpen || !closeGaps || reading || lost <= FEW_LOST) return lost > (reading ? MOST_LOST_IN_STYLE : MOST_LOST);
    hide(part, page, false, onUndone);
    const open = sitestencil.painted.lost(sample);
    if (open >= lost) hide(part, page, true, onUndone);
    return Math.min(open, lost) > MOST_LOST;
  }

  function scrollToContent() {
    if (!before) return;
    const [part, page] = before.how;
    before.scrolled ??= sitestencil.scrolling.positions(page.tree);
    sitestencil.scrolling.toFirst(page.tree, shownOf(part, page, sitestencil.tree.flat(page.tree)));
  }

  /** Runs work on the page without its marks, unseen by the person. @template Value @param {() => Value} work @returns {Value} */
  function unmarked(work) {
    if (!before) return work();
    const { how } = before;
    const { tree } = how[1];
    /** @type {Value[]} */
    const values = [];
    withoutTransitions(tree, () => {
      sitestencil.marks.takeOff(tree);
      values.push(work());
      markAll(...how);
    });
    return values[0];
  }

  /** @type {(...how: How) => void} */
  function markAll(part, page, closeGaps, onUndone, reading) {
    if (closeGaps && before) before.scrolled ??= sitestencil.scrolling.positions(page.tree);
    const { elements, parents, names } = page.tree;
    const { plan } = sitestencil;
    const flat = sitestencil.tree.flat(page.tree);
    const shown = shownOf(part, page, flat);
    sample = sitestencil.painted.sample(page.tree, shown);
    const never = new Set();
    const roots = Uint8Array.from(elements, (_, index) => Number(page.tree.roots.has(index)));
    const markable = Uint8Array.from(elements, (element, index) => {
      if (dom.isShadowRoot(element) || !dom.isConnected(element)) return 0;
      if (never.has(parents[index]) || NEVER_SHOWN.has(names[index])) {
        never.add(index);
        return 0;
      }
      return 1;
    });
    const visible = visibility(page.tree, markable);
    const papers = new Map(part === "content" || reading ? [] : [...sitestencil.reading.papers(flat, shown.elements, markable)].filter(([index]) => visible[index]));
    const stays = Uint8Array.from(shown.elements);
    for (const index of papers.keys()) stays[index] = 1;
    const columns = { parents: flat.parents, shown: stays, visible, markable, roots };
    withoutTransitions(page.tree, () => {
      if (closeGaps && part !== "content") sitestencil.reading.put(page.tree, flat.parents, shown.elements, markable, reading);
      mark(elements, plan.plan(columns));
      mark(elements, papers);
      mark(elements, plan.missed({ ...columns, now: visibility(page.tree, markable) }));
      if (closeGaps) {
        const held = new Set(page.tree.texts.filter(({ node }, text) => !shown.hiddenTexts[text] && node.data.trim()).map(({ parent }) => parent));
        mark(elements, plan.gaps(columns, (index) => page.corrected.has(index) && !shown.elements[index], (index) => held.has(index)));
      }
      hideTexts(page.tree, flat, shown, closeGaps);
      if (part !== "content") sitestencil.reading.open(page.tree, shown);
    });
    // Its pictures of the page before would stand over the view.
    document.activeViewTransition?.skipTransition();
    sitestencil.marks.watch(rootsOf(page.tree), onUndone, part !== "content");
  }

  /** @type {(part: PagePart, page: KnownPage, flat: Tree) => Shown} unjudged elements show in every view, and so do modal dialogs: hidden, they would take all clicks */
  function shownOf(part, page, flat) {
    const { tree } = page;
    const modal = new Set();
    for (const [index, name] of tree.names.entries()) if (modal.has(tree.parents[index]) || (name === "dialog" && dom.matches(tree.elements[index], ":modal"))) modal.add(index);
    const unjudged = modal.size ? page.unjudged.union(modal) : page.unjudged;
    const { elements, hiddenTexts } = sitestencil.plan.without(part, page, holdersOf(tree), holdersOf(flat));
    if (part !== "content") showFrames(tree, elements, hiddenTexts);
    if (!unjudged.size) return { elements, hiddenTexts };
    return {
      elements: elements.map((shown, index) => (unjudged.has(index) ? 1 : shown)),
      hiddenTexts: hiddenTexts.map((hidden, text) => (unjudged.has(tree.texts[text].parent) ? 0 : hidden)),
    };
  }

  /** A hidden frame draws nothing of its document, and in Chromium a hidden frameset draws no frame. @type {(tree: Tree, elements: Uint8Array, hiddenTexts: Uint8Array) => void} */
  function showFrames(tree, elements, hiddenTexts) {
    const { names, texts } = tree;
    const shownIn = new Set(texts.filter((_, number) => !hiddenTexts[number]).map(({ parent }) => parent));
    const holds = holders(tree, (index) => Boolean(elements[index]) && shownIn.has(index));
    for (const [index, name] of names.entries()) if (holds[index] && FRAMES.has(name)) elements[index] = 1;
  }

  /** @type {(tree: Tree) => number[]} */
  const holdersOf = ({ texts }) => texts.map(({ parent }) => parent);

  /** Restores the page: no marks, no highlights, and the focus where it was. */
  function restore() {
    if (!before) return;
    const { focus, scrolled } = before;
    // The page may have changed since the view began.
    const tree = sitestencil.tree.treeOf(document);
    before = null;
    withoutTransitions(tree, () => sitestencil.marks.takeOff(tree));
    if (scrolled) sitestencil.scrolling.back(tree, scrolled);
    sitestencil.focus.back(focus);
  }

  /** @type {(tree: Tree, markable: ArrayLike<number>) => Uint8Array} 1 for elements whose `visibility` is `visible` */
  function visibility({ elements, parents, roots }, markable) {
    /** @type {PageWindow[]} */
    const windows = [];
    const visible = new Uint8Array(elements.length);
    const depths = new Uint32Array(elements.length);
    for (const [index, element] of elements.entries()) {
      const above = parents[index];
      const window = (windows[index] = roots.has(index) ? dom.windowOf(element) : windows[above]);
      depths[index] = index && depths[above] + 1;
      if (!markable[index]) continue;
      if (depths[index] > DEEPEST) visible[index] = visible[above];
      else visible[index] = Number(!UNSEEN.has(window.getComputedStyle(/** @type {Element} */ (element))?.visibility ?? ""));
    }
    return visible;
  }

  /** @type {(elements: ReadonlyArray<Element | ShadowRoot>, marks: ReadonlyMap<number, Mark>) => void} */
  function mark(elements, marks) {
    for (const [index, value] of marks) sitestencil.marks.put(elements[index], value);
  }

  /** @type {(tree: Tree, flat: Tree, shown: Shown, closeGaps: boolean) => void} `flat`: the tree as it is drawn */
  function hideTexts(tree, flat, { elements, hiddenTexts: hidden }, closeGaps) {
    /** @type {Map<Document, Range[]>} */
    const ranges = new Map();
    const shownIn = new Set(tree.texts.filter((_, number) => !hidden[number]).map(({ parent }) => parent));
    const hasShown = holders(flat, (index) => Boolean(elements[index]) || shownIn.has(index));
    for (const [number, { node, parent }] of tree.texts.entries()) {
      if (!hidden[number] || !dom.isConnected(node)) continue;
      const document = /** @type {Document} */ (dom.ownerDocument(node));
      const range = Document.prototype.createRange.call(document);
      range.selectNodeContents(node);
      const earlier = ranges.get(document);
      if (earlier) earlier.push(range);
      else ranges.set(document, [range]);
      if (!shownIn.has(parent)) markHolder(tree.elements[parent], closeGaps && !hasShown[parent]);
    }
    for (const [document, own] of ranges) sitestencil.marks.highlight(document, own);
  }

  /** @type {(tree: Pick<Tree, "parents">, isShown: (index: number) => boolean) => Uint8Array} 1 for elements with a shown one inside */
  function holders({ parents }, isShown) {
    const holds = new Uint8Array(parents.length);
    for (let index = parents.length - 1; index > 0; index--) if (holds[index] || isShown(index)) holds[parents[index]] = 1;
    return holds;
  }

  /**
   * Hides the rests that highlights leave: the line below text, which belongs to the element, and text in form
   * fields.
   * @type {(holder: Element | ShadowRoot, isGap: boolean) => void} `isGap`: whether it shows nothing
   */
  function markHolder(holder, isGap) {
    const { marks } = sitestencil;
    if (dom.isShadowRoot(holder) || marks.has(holder)) return;
    if (isGap) return marks.put(holder, "flat");
    if (OWN_TEXT.has(dom.localName(holder))) marks.put(holder, "clear");
    else if ((dom.styleOf(holder).textDecorationLine ?? "none") !== "none") marks.put(holder, "unline");
  }

  /** @type {(tree: Tree) => Set<Node>} the documents and shadow roots of the elements */
  function rootsOf({ elements, roots, shadowRoots }) {
    const shadows = Array.from(shadowRoots, (index) => elements[index]).filter((root) => dom.isConnected(root));
    const documents = rootElementsOf({ elements, roots }).map((root) => /** @type {Document} */ (dom.ownerDocument(root)));
    return new Set([document, ...documents, ...shadows]);
  }

  /** @type {(tree: Pick<Tree, "elements" | "roots">) => Array<Element | ShadowRoot>} the roots of documents that still exist */
  function rootElementsOf({ elements, roots }) {
    return Array.from(roots, (index) => elements[index]).filter((root) => dom.isConnected(root));
  }

  /**
   * Changes the view at once: a page with `transition: all` would fade, element by element. Only the transitions'
   * duration after the change matters.
   * @type {(tree: Tree, change: () => void) => void}
   */
  function withoutTransitions(tree, change) {
    const { files } = sitestencil;
    // The rule below makes browsers compute all styles twice more: seconds on a page of 200,000 elements.
    if (!files.mayFade(tree)) return change();
    const roots = rootElementsOf(tree);
    for (const root of roots) dom.set(root, STILL, "");
    try {
      change();
      // Makes the browser compute all styles now. Reading one style is not enough: Firefox computes no more than it needs.
      for (const root of roots) Element.prototype.getBoundingClientRect.call(root);
    } finally {
      for (const root of roots) dom.remove(root, STILL);
    }
  }

  return { hide, scrollToContent, isHiding: () => before !== null, isBlank, unmarked, rootsOf, restore };
})();
