"use strict";

/** The page's tree in document order, open shadow roots and same-origin frames included. */
sitestencil.tree ??= (() => {
  const ELEMENT = 1;
  const TEXT = 3;

  /**
   * One level of the walk: the children of one element that are still to come.
   * @typedef {{parent: number, after: number, next: Node | null}} Level
   */

  /**
   * Nodes of the tree as the protocol orders them. A shadow root stands as an element of its own, the first
   * child of its host; the `html` element of a frame stands below the frame element. The panel is not in it. The walk keeps its own
   * stack, as scripts nest deeper than parsers do.
   * @param {Document} document
   * @returns {Tree}
   */
  function treeOf(document) {
    const { dom } = sitestencil;
    /** @type {Tree} */
    const tree = { elements: [], parents: [], texts: [] };
    /** @type {Level[]} */
    const levels = [];

    /** @type {(node: Node, parent: number) => number} */
    const add = (node, parent) => {
      tree.elements.push(/** @type {Element | ShadowRoot} */ (node));
      tree.parents.push(parent);
      return tree.elements.length - 1;
    };
    /** @type {(node: Node, parent: number) => number} */
    const enter = (node, parent) => {
      const index = add(node, parent);
      const own = { parent: index, after: -1, next: dom.firstChild(node) };
      levels.push(own);
      const shadow = dom.shadowRoot(node);
      if (shadow) {
        own.after = add(shadow, index);
        levels.push({ parent: own.after, after: -1, next: dom.firstChild(shadow) });
        return index;
      }
      const frame = dom.frameRoot(node);
      if (frame) {
        own.next = null;
        enter(frame, index);
      }
      return index;
    };

    const root = dom.documentElement(document);
    if (root) enter(root, -1);
    for (let level = levels.at(-1); level; level = levels.at(-1)) {
      const node = level.next;
      if (!node) {
        levels.pop();
        continue;
      }
      level.next = dom.nextSibling(node);
      const type = dom.nodeType(node);
      if (sitestencil.panel.isPanel(node)) continue;
      if (type === ELEMENT) level.after = enter(node, level.parent);
      else if (type === TEXT) tree.texts.push({ node: /** @type {Text} */ (node), parent: level.parent, after: level.after });
    }
    return tree;
  }

  return { treeOf };
})();
