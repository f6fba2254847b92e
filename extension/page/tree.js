"use strict";

/** The page's tree in document order, open shadow roots and same-origin frames included. */
sitestencil.tree ??= (() => {
  const { dom } = sitestencil;
  const ELEMENT = 1;
  const TEXT = 3;
  // Elements that may have a shadow root, beside custom ones.
  const HOSTS = new Set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));

  /**
   * One level of the walk: the remaining children of one element.
   * @typedef {{parent: number, after: number, next: Node | null}} Level
   */

  /**
   * The tree's nodes in the protocol's order. A shadow root counts as an element, the first child of its host. The
   * `html` element of a frame is below the frame element. The panel is left out. The walk keeps its own stack, as
   * scripts nest deeper than parsers do.
   * @type {(document: Document) => Tree}
   */
  function treeOf(document) {
    /** @type {Tree} */
    const tree = { elements: [], parents: [], names: [], roots: new Set(), shadowRoots: new Set(), texts: [] };
    /** @type {Level[]} */
    const levels = [];

    /** @type {(node: Node, parent: number, name: string) => number} */
    const add = (node, parent, name) => {
      tree.elements.push(/** @type {Element | ShadowRoot} */ (node));
      tree.parents.push(parent);
      tree.names.push(name);
      return tree.elements.length - 1;
    };
    /** @type {(node: Node, parent: number) => number} */
    const enter = (node, parent) => {
      const name = dom.localName(node);
      const index = add(node, parent, name);
      const own = { parent: index, after: -1, next: dom.firstChild(node) };
      levels.push(own);
      const shadow = HOSTS.has(name) || name.includes("-") ? dom.shadowRoot(node) : null;
      if (shadow) {
        own.after = add(shadow, index, "template");
        tree.shadowRoots.add(own.after);
        levels.push({ parent: own.after, after: -1, next: dom.firstChild(shadow) });
        return index;
      }
      const frame = name === "iframe" || name === "frame" ? dom.frameRoot(node) : null;
      if (frame) {
        own.next = null;
        tree.roots.add(enter(frame, index));
      }
      return index;
    };

    const root = dom.documentElement(document);
    if (root) tree.roots.add(enter(root, -1));
    for (let level = levels.at(-1); level; level = levels.at(-1)) {
      const node = level.next;
      if (!node) {
        levels.pop();
        continue;
      }
      level.next = dom.nextSibling(node);
      const type = dom.nodeType(node);
      if (type === ELEMENT && sitestencil.panel?.isOwn(node)) continue;
      if (type === ELEMENT) level.after = enter(node, level.parent);
      else if (type === TEXT) tree.texts.push({ node: /** @type {Text} */ (node), parent: level.parent, after: level.after });
    }
    return tree;
  }

  /** The tree as it is drawn: a slotted element or text is below its slot. Where it is drawn comes before it here, too. @type {(tree: Tree) => Tree} */
  function flat(tree) {
    if (!tree.shadowRoots.size) return tree;
    const { elements, names, parents, texts } = tree;
    const hosts = new Set(Array.from(tree.shadowRoots, (root) => parents[root]));
    const slots = new Map(elements.flatMap((node, index) => (names[index] === "slot" ? [[node, index]] : [])));
    /** @type {(node: Element | ShadowRoot | Text, parent: number) => number} */
    const drawnIn = (node, parent) => {
      if (!hosts.has(parent) || dom.isShadowRoot(node) || !dom.isConnected(node)) return parent;
      return slots.get(/** @type {any} */ (dom.assignedSlot(node))) ?? parent;
    };
    return {
      ...tree,
      // The page may have moved a slot behind the element since.
      parents: parents.map((parent, index) => {
        const drawn = drawnIn(elements[index], parent);
        return drawn < index ? drawn : parent;
      }),
      texts: texts.map((place) => ({ ...place, parent: drawnIn(place.node, place.parent) })),
    };
  }

  return { treeOf, flat };
})();
