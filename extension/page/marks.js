"use strict";

/** The view's marks on the page's elements. If a page removes or adds marks, they are restored once. After the second time the extension reports it and gives up. */
sitestencil.marks ??= (() => {
  const { dom } = sitestencil;
  // Drawn for each page: by a name that is known, a page could tell that the extension is there, and an old mark would count
  // for a newer version. The extension's own example has the rules as they are.
  const WORD = location.protocol.startsWith("http") ? String.fromCharCode(...crypto.getRandomValues(new Uint8Array(11)).map((byte) => 97 + (byte % 26))) : "sitestencil";
  const NAME = `data-${WORD}`;
  const NAMES = namesOf(WORD);
  const OF_MARKS = /^data-([a-z]{11})$/;
  const HIGHLIGHT = highlightOf(WORD);

  /** @type {Map<Node, string>} */
  const own = new Map();
  /** All that has a mark of ours, of whatever name. @type {Set<Node>} */
  const marked = new Set();
  /** @type {Set<HighlightRegistry>} */
  const highlighted = new Set();
  /** @type {MutationObserver | null} */
  let observer = null;
  /** A page may keep a copy of marked elements and put it in after the view: this watches as long as the page lives. */
  const arrivals = new MutationObserver((records) => {
    const removed = new Set(records.flatMap(({ removedNodes }) => [...removedNodes]));
    for (const { target, addedNodes, removedNodes } of records) {
      if (keepsRewritten && [...removedNodes].some(isShown)) rewritten.add(target);
      for (const node of addedNodes) {
        clean(node);
        if (rewritten.has(target) && !removed.has(node) && dom.nodeType(node) === Node.ELEMENT_NODE) put(node, "show");
      }
    }
  });
  /** A page may write its content anew, again and again: what comes in its place shows at once. */
  let keepsRewritten = false;
  /** Where content was that showed. @type {Set<Node>} */
  const rewritten = new Set();
  /** Whether a shadow root of the page is copied with its host. */
  let copiesShadows = false;

  /** @param {string} word @returns {string[]} of all marks */
  function namesOf(word) {
    return ["", "-theme", "-reading", "-open"].map((end) => `data-${word}${end}`);
  }

  /** @param {string} word */
  function highlightOf(word) {
    return `${word}-content`;
  }

  const anyMark = () => NAMES.map((name) => `[${name}]`).join();

  /** @type {(element: Node, value: string, name?: string) => void} */
  function put(element, value, name = NAME) {
    marked.add(element);
    if (name === NAME) own.set(element, value);
    dom.set(element, name, value);
  }

  /** @type {(node: Node) => boolean} */
  const isShown = (node) => own.get(node) === "show" || (dom.nodeType(node) === Node.ELEMENT_NODE && dom.all(/** @type {Element} */ (node), `[${NAME}=show]`).length > 0);

  /** Takes copied marks off a node that has come, and off all in it. @param {Node} node */
  function clean(node) {
    if (dom.nodeType(node) !== Node.ELEMENT_NODE) return;
    /** @type {Array<Element | ShadowRoot>} */
    const roots = [/** @type {Element} */ (node)];
    for (const root of roots) {
      const own = dom.isShadowRoot(root) ? [] : [root];
      for (const element of [...own, ...dom.all(root, copiesShadows ? "*" : anyMark())]) {
        if (!marked.has(element)) for (const name of NAMES) if (dom.has(element, name)) dom.remove(element, name);
        const shadow = copiesShadows && dom.shadowRoot(element);
        if (shadow) roots.push(shadow);
      }
    }
  }

  /** @type {(element: Node) => boolean} */
  const has = (element) => dom.has(element, NAME);

  /** Removes all marks and highlights: from what is in the page now, and from what the page has taken out. @type {(tree: Tree) => void} */
  function takeOff({ elements, roots, shadowRoots }) {
    observer?.disconnect();
    const tops = [...roots, ...shadowRoots].map((index) => elements[index]);
    const here = tops.flatMap((top) => [...(dom.isShadowRoot(top) ? [] : [top]), ...dom.all(top, anyMark())]);
    for (const element of new Set([...marked, ...here])) {
      unlessDead(() => {
        for (const name of NAMES) if (dom.has(element, name)) dom.remove(element, name);
      });
    }
    for (const highlights of highlighted) unlessDead(() => highlights.delete(HIGHLIGHT));
    own.clear();
    rewritten.clear();
    marked.clear();
    highlighted.clear();
  }

  /** Takes off marks of these words and of other earlier ones, now and wherever the page puts a copy in. @param {Set<string>} words */
  function takeOver(words) {
    const registry = registryOf(document);
    if (!registry.size && !words.size) return;
    const tree = sitestencil.tree.treeOf(document);
    const names = new Set(tree.elements.flatMap((node) => (dom.isShadowRoot(node) ? [] : dom.names(node))));
    // A page may have such a name of its own, but no highlight with it. Firefox lists no highlights of scripts that it has ended.
    for (const [, word] of [...names].map((name) => OF_MARKS.exec(name) ?? [])) if (word && registry.has(highlightOf(word))) words.add(word);
    NAMES.push(...[...words].flatMap(namesOf));
    takeOff(tree);
    const registries = Array.from(tree.roots, (root) => registryOf(/** @type {Document} */ (dom.ownerDocument(tree.elements[root]))));
    for (const word of words) for (const one of registries) one.delete(highlightOf(word));
  }

  /** In Firefox, nodes and highlights die with their frame. @param {() => void} work */
  function unlessDead(work) {
    try {
      work();
    } catch {
      // There is nothing to take off.
    }
  }

  /** @type {(document: Document) => HighlightRegistry} */
  const registryOf = (document) => (dom.view(document) ?? window).CSS.highlights;

  /** Hides texts by a highlight, which changes no node. @type {(document: Document, texts: ReadonlyArray<Range>) => void} */
  function highlight(document, texts) {
    const view = dom.view(document);
    if (!view) return;
    view.CSS.highlights.set(HIGHLIGHT, new view.Highlight(...texts));
    highlighted.add(view.CSS.highlights);
  }

  /** @type {Sitestencil["marks"]["watch"]} `roots`: documents and shadow roots; `onUndone`: called at most once */
  function watch(roots, onUndone, keeps) {
    let putBack = false;
    // Also of no text: `takeOver` finds the view by it.
    if (!highlighted.has(registryOf(document))) highlight(document, []);
    keepsRewritten = keeps;
    observer?.disconnect();
    observer = new MutationObserver((records) => {
      const changed = new Set(records.map(({ target }) => target).filter((element) => dom.isConnected(element) && isChanged(element)));
      if (!changed.size) return;
      if (putBack) {
        observer?.disconnect();
        return onUndone();
      }
      putBack = true;
      for (const element of changed) putAgain(element);
    });
    for (const root of roots) {
      observer.observe(root, { attributes: true, attributeFilter: [NAME], subtree: true });
      arrivals.observe(root, { childList: true, subtree: true });
      copiesShadows ||= dom.isShadowRoot(root) && root.clonable;
    }
  }

  /** @type {(element: Node) => boolean} */
  function isChanged(element) {
    return has(element) !== own.has(element) || dom.get(element, NAME) !== (own.get(element) ?? "");
  }

  /** @param {Node} element */
  function putAgain(element) {
    const mark = own.get(element);
    if (mark) dom.set(element, NAME, mark);
    else dom.remove(element, NAME);
  }

  return { WORD, NAME, OF_MARKS, put, has, highlight, takeOff, takeOver, watch };
})();
