"use strict";

/**
 * A part of the page hidden where it stands, so that the layout stays, and the way back. The rules that act on the
 * marks are background/styles.js; without them, or without marks, the page is untouched.
 */
sitestencil.view ??= (() => {
  const STILL = "data-sitestencil-still";
  const HIGHLIGHT = "sitestencil-content";
  const NEVER_SHOWN = new Set(["head", "script", "style", "link", "meta", "title", "base", "template", "noscript"]);
  // Their text is drawn by the browser itself, where no highlight reaches.
  const OWN_TEXT = new Set(["option", "textarea"]);

  /** @typedef {[Node, number, Node, number]} Selected */
  /** @typedef {{focus: Element | null, selection: Selected | null, scrolled: Scrolled[]}} Before */
  /** @typedef {{node: Element | ShadowRoot, left: number, top: number}} Scrolled */
  /** @type {(Before & {page: KnownPage}) | null} */
  let before = null;

  /**
   * Hides a part of the page. Where something is hidden already, the way back stays as it was.
   * @param {PagePart} part
   * @param {KnownPage} page what the host said of this page's nodes
   * @param {boolean} closeGaps whether what is hidden takes no place either
   * @param {() => void} onUndone called when the page keeps undoing it
   */
  function hide(part, page, closeGaps, onUndone) {
    if (!before) {
      before = { page, focus: focused(document), selection: selected(), scrolled: [] };
      markAll(part, page, closeGaps, onUndone);
      return;
    }
    const earlier = before;
    before = { ...earlier, page };
    withoutTransitions(page.tree, () => {
      takeOff(earlier.page);
      markAll(part, page, closeGaps, onUndone);
    });
    if (!closeGaps) scrollBack(earlier.scrolled);
  }

  /** @type {(...how: Parameters<Sitestencil["view"]["hide"]>) => void} */
  function markAll(part, page, closeGaps, onUndone) {
    if (closeGaps && before && !before.scrolled.length) before.scrolled = scrolledIn(page.tree);
    const { elements, parents, texts } = page.tree;
    const { dom, plan } = sitestencil;
    const shown = plan.without(part, page, texts.map(({ parent }) => parent));
    const never = new Set();
    const roots = new Uint8Array(elements.length);
    const markable = Uint8Array.from(elements, (element, index) => {
      roots[index] = Number(isRoot(element));
      if (dom.isShadowRoot(element) || !dom.isConnected(element)) return 0;
      if (never.has(parents[index]) || NEVER_SHOWN.has(dom.localName(element))) {
        never.add(index);
        return 0;
      }
      return 1;
    });
    const visible = visibility(elements, markable);
    const columns = { parents, shown: shown.elements, visible, markable, roots };
    withoutTransitions(page.tree, () => {
      mark(elements, plan.plan(columns));
      mark(elements, plan.missed({ ...columns, now: visibility(elements, markable) }));
      if (closeGaps) mark(elements, plan.gaps(columns));
      hideTexts(page.tree, shown, closeGaps);
    });
    sitestencil.marks.watch(rootsOf(page.tree), onUndone);
  }

  /** @param {KnownPage} page */
  function takeOff(page) {
    sitestencil.marks.takeOff(page.tree.elements);
    for (const document of documentsOf(page)) highlightsOf(document)?.delete(HIGHLIGHT);
  }

  /**
   * What of the page is scrolled, and how far: what takes no place loses it.
   * @param {Tree} tree
   * @returns {Scrolled[]}
   */
  function scrolledIn({ elements }) {
    const { dom } = sitestencil;
    return elements
      .filter((node) => !dom.isShadowRoot(node))
      .map((node) => ({ node, left: dom.scrollLeft(node), top: dom.scrollTop(node) }))
      .filter(({ left, top }) => left || top);
  }

  /** Brings the page back: no mark, no highlight, and the focus where hiding took it from. */
  function restore() {
    if (!before) return;
    const { page, focus, selection, scrolled } = before;
    const { dom } = sitestencil;
    before = null;
    withoutTransitions(page.tree, () => takeOff(page));
    scrollBack(scrolled);
    if (focus && dom.isConnected(focus) && !isTaken(focus)) {
      /** @type {HTMLElement} */ (focus).focus({ preventScroll: true });
      // Firefox takes the selection along to where the focus goes.
      const now = selected();
      const moved = selection?.some((part, index) => part !== now?.[index]);
      if (selection && moved && dom.isConnected(selection[0]) && dom.isConnected(selection[2])) {
        try {
          getSelection()?.setBaseAndExtent(...selection);
        } catch {
          // The page has shortened the text in the meantime: there is no such selection any more.
        }
      }
    }
  }

  /** @param {Scrolled[]} scrolled */
  function scrollBack(scrolled) {
    const { dom } = sitestencil;
    for (const { node, left, top } of scrolled) if (dom.isConnected(node)) dom.scrollTo(node, left, top);
  }

  /** @returns {Selected | null} */
  function selected() {
    const selection = getSelection();
    if (!selection?.anchorNode || !selection.focusNode) return null;
    return [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset];
  }

  /** @type {(formerly: Element) => boolean} whether the person has put the focus elsewhere meanwhile */
  function isTaken(formerly) {
    const { dom } = sitestencil;
    const now = focused(document);
    const frame = now && dom.frameRoot(now);
    return now !== null && !(frame && dom.ownerDocument(frame) === dom.ownerDocument(formerly));
  }

  /** @type {(element: Node) => boolean} */
  function isRoot(element) {
    const parent = sitestencil.dom.parentNode(element);
    return parent !== null && sitestencil.dom.nodeType(parent) === Node.DOCUMENT_NODE;
  }

  /**
   * @param {ReadonlyArray<Element | ShadowRoot>} elements
   * @param {ArrayLike<number>} markable
   * @returns {Uint8Array} 1 for elements whose `visibility` is `visible`
   */
  function visibility(elements, markable) {
    const { dom } = sitestencil;
    return Uint8Array.from(elements, (element, index) => {
      if (!markable[index]) return 0;
      const style = dom.windowOf(element).getComputedStyle(/** @type {Element} */ (element));
      return Number(style?.visibility !== "hidden" && style?.visibility !== "collapse");
    });
  }

  /** @type {(elements: ReadonlyArray<Element | ShadowRoot>, marks: ReadonlyMap<number, Mark>) => void} */
  function mark(elements, marks) {
    for (const [index, value] of marks) sitestencil.marks.put(elements[index], value);
  }

  /**
   * @param {Tree} tree
   * @param {Shown} shown
   * @param {boolean} closeGaps
   */
  function hideTexts(tree, { elements, hiddenTexts: hidden }, closeGaps) {
    const { dom } = sitestencil;
    const hasShown = new Set(tree.parents.filter((_, index) => elements[index]));
    /** @type {Map<Document, Range[]>} */
    const ranges = new Map();
    const shownIn = new Set(tree.texts.filter((_, number) => !hidden[number]).map(({ parent }) => parent));
    for (const [number, { node, parent }] of tree.texts.entries()) {
      if (!hidden[number] || !dom.isConnected(node)) continue;
      const document = /** @type {Document} */ (dom.ownerDocument(node));
      const range = Document.prototype.createRange.call(document);
      range.selectNodeContents(node);
      const earlier = ranges.get(document);
      if (earlier) earlier.push(range);
      else ranges.set(document, [range]);
      if (!shownIn.has(parent)) markHolder(tree.elements[parent], closeGaps && !hasShown.has(parent));
    }
    for (const [document, own] of ranges) {
      const { Highlight } = /** @type {PageWindow} */ (dom.view(document));
      highlightsOf(document)?.set(HIGHLIGHT, new Highlight(...own));
    }
  }

  /**
   * Hides with an element's text what highlights leave: the line below it, which is the element's own, and text
   * that the browser draws in form fields.
   * @param {Element | ShadowRoot} holder
   * @param {boolean} isGap whether nothing shows in it
   */
  function markHolder(holder, isGap) {
    const { dom, marks } = sitestencil;
    if (dom.isShadowRoot(holder) || marks.has(holder)) return;
    if (isGap) return marks.put(holder, "flat");
    const style = dom.windowOf(holder).getComputedStyle(/** @type {Element} */ (holder));
    if (OWN_TEXT.has(dom.localName(holder))) marks.put(holder, "clear");
    else if (style && style.textDecorationLine !== "none") marks.put(holder, "unline");
  }

  /** @type {(document: Document) => HighlightRegistry | undefined} */
  function highlightsOf(document) {
    return sitestencil.dom.view(document)?.CSS.highlights;
  }

  /** @type {(tree: Tree) => Set<Node>} the documents and shadow roots that elements stand in */
  function rootsOf({ elements }) {
    const { dom } = sitestencil;
    const inside = elements.filter((element) => dom.isConnected(element));
    return new Set(inside.map((element) => (dom.isShadowRoot(element) ? element : /** @type {Document} */ (dom.ownerDocument(element)))));
  }

  /** @type {(page: KnownPage) => Set<Document>} */
  function documentsOf({ tree }) {
    return new Set(tree.texts.map(({ node }) => /** @type {Document} */ (sitestencil.dom.ownerDocument(node))));
  }

  /**
   * Changes what shows at once: a page with `transition: all` would else fade, element by element. What counts is how
   * long transitions take after the change.
   * @param {Tree} tree
   * @param {() => void} change
   */
  function withoutTransitions(tree, change) {
    const { dom, rules } = sitestencil;
    // The rule below makes browsers compute all styles twice more, which takes seconds on a page of 200,000 elements.
    if (!rules.mayFade(tree)) return change();
    const roots = tree.elements.filter((element) => dom.isConnected(element) && isRoot(element));
    for (const root of roots) dom.set(root, STILL, "");
    change();
    settle(roots);
    for (const root of roots) dom.remove(root, STILL);
  }

  /**
   * Has all styles computed now. A computed style alone would not do: Firefox computes no more than it needs for it.
   * @param {ReadonlyArray<Element | ShadowRoot>} roots
   */
  function settle(roots) {
    for (const root of roots) Element.prototype.getBoundingClientRect.call(root);
  }

  /**
   * The element that has the focus, in whatever shadow root or frame.
   * @param {Document | ShadowRoot} within
   * @returns {Element | null}
   */
  function focused(within) {
    const { dom } = sitestencil;
    const active = dom.activeElement(within);
    if (!active || dom.isHtml(active, "body") || dom.isHtml(active, "html")) return null;
    const shadow = dom.shadowRoot(active);
    const frame = dom.frameRoot(active);
    const inner = shadow ?? (frame && dom.ownerDocument(frame));
    return (inner && focused(inner)) ?? active;
  }

  return { hide, restore };
})();
