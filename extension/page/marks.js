"use strict";

/**
 * The view's marks on the page's elements. If a page removes or adds marks, they are restored once. After the
 * second time the extension reports it and gives up.
 */
sitestencil.marks ??= (() => {
  const NAME = "data-sitestencil";

  /** @type {Map<Node, Mark>} */
  const own = new Map();
  /** @type {MutationObserver | null} */
  let observer = null;

  /** @type {(element: Node, mark: Mark) => void} */
  function put(element, mark) {
    own.set(element, mark);
    sitestencil.dom.set(element, NAME, mark);
  }

  /** @type {(element: Node) => boolean} */
  function has(element) {
    return sitestencil.dom.has(element, NAME);
  }

  /**
   * Removes all marks, even the page's own.
   * @param {ReadonlyArray<Element | ShadowRoot>} elements
   */
  function takeOff(elements) {
    observer?.disconnect();
    own.clear();
    for (const element of elements) {
      if (!sitestencil.dom.isShadowRoot(element) && has(element)) sitestencil.dom.remove(element, NAME);
    }
  }

  /**
   * @param {Iterable<Node>} roots documents and shadow roots
   * @param {() => void} onUndone called at most once
   */
  function watch(roots, onUndone) {
    let putBack = false;
    observer?.disconnect();
    observer = new MutationObserver((records) => {
      const changed = new Set(records.map(({ target }) => target).filter(isChanged));
      if (!changed.size) return;
      if (putBack) {
        observer?.disconnect();
        return onUndone();
      }
      putBack = true;
      for (const element of changed) putAgain(element);
    });
    for (const root of roots) observer.observe(root, { attributes: true, attributeFilter: [NAME], subtree: true });
  }

  /** @type {(element: Node) => boolean} */
  function isChanged(element) {
    return has(element) !== own.has(element) || sitestencil.dom.get(element, NAME) !== (own.get(element) ?? "");
  }

  /** @param {Node} element */
  function putAgain(element) {
    const mark = own.get(element);
    if (mark) sitestencil.dom.set(element, NAME, mark);
    else sitestencil.dom.remove(element, NAME);
  }

  return { put, has, takeOff, watch };
})();
