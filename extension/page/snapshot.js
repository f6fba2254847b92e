"use strict";

/** The snapshot of the live page that the host is sent: host/PROTOCOL.md, "The snapshot". */
sitestencil.snapshot ??= (() => {
  const LONGEST_VALUE = 2048;
  const WHOLE = new Set(["id", "class", "href", "xlink:href"]);
  const WITHOUT_TEXT = new Set(["script", "style", "noscript"]);
  const MORE_THAN_SPACE = /\S/;

  /**
   * Takes the snapshot and, for the answer's indices, keeps hold of the nodes that it names.
   * @param {Document} document
   * @returns {{snapshot: Snapshot, tree: Tree}}
   */
  function take(document) {
    const { dom } = sitestencil;
    const tree = sitestencil.tree.treeOf(document);
    /** @type {Map<string, number>} */
    const numbers = new Map();
    /** @type {number[]} */
    const tags = [];
    /** @type {string[][]} */
    const attributes = [];
    for (const node of tree.elements) {
      const shadow = dom.isShadowRoot(node);
      const name = shadow ? "template" : dom.localName(node);
      let number = numbers.get(name);
      if (number === undefined) numbers.set(name, (number = numbers.size));
      tags.push(number);
      attributes.push(shadow ? ["shadowrootmode", "open"] : attributesOf(node));
    }
    const names = [...numbers.keys()];
    tree.texts = tree.texts.filter(
      ({ node, parent }) => !WITHOUT_TEXT.has(names[tags[parent]]) && MORE_THAN_SPACE.test(dom.data(node)),
    );
    return {
      tree,
      snapshot: {
        url: dom.url(document),
        base: dom.baseUri(document),
        scripting: true,
        doctype: dom.doctype(document)?.name ?? null,
        names,
        tags,
        parents: tree.parents,
        attributes,
        texts: tree.texts.map(({ node, parent, after }) => [parent, after, dom.data(node).toWellFormed()]),
        boxes: boxesOf(tree),
      },
    };
  }

  /**
   * @param {Node} element
   * @returns {string[]}
   */
  function attributesOf(element) {
    const { dom } = sitestencil;
    const names = dom.names(element);
    /** @type {string[]} */
    const flat = [];
    for (const name of names) {
      const value = dom.get(element, name);
      flat.push(name.toWellFormed(), value.length > LONGEST_VALUE && !WHOLE.has(name) ? "" : value.toWellFormed());
    }
    return flat;
  }

  /**
   * Where the elements stand: x, y, width and height in whole pixels from the corner of their own document, scrolled or
   * not. The first box is all that can be scrolled to, as `html` may be no taller than the window.
   * @param {Tree} tree
   * @returns {Array<[number, number, number, number]>}
   */
  function boxesOf({ elements }) {
    const { dom } = sitestencil;
    /** @type {Map<Document | null, DOMRect>} */
    const corners = new Map();
    return elements.map((element, number) => {
      if (number === 0) return [0, 0, dom.scrollWidth(element), dom.scrollHeight(element)];
      if (dom.isShadowRoot(element)) return [0, 0, 0, 0];
      const owner = dom.ownerDocument(element);
      const root = owner && dom.documentElement(owner);
      let corner = corners.get(owner);
      if (!corner && root) corners.set(owner, (corner = dom.rect(root)));
      const { left, top, width, height } = dom.rect(element);
      const box = [left - (corner?.left ?? 0), top - (corner?.top ?? 0), width, height];
      return /** @type {[number, number, number, number]} */ (box.map(Math.round));
    });
  }

  return { take };
})();
