"use strict";

/**
 * Selectors for a person's rules, and the kinds of pages that these apply to. A rule meets similar elements on the site's other
 * pages: ids, classes and landmarks last there, positions do not.
 */
sitestencil.selectors ??= (() => {
  const { dom } = sitestencil;
  // Names of letters; digits in a row belong to one page.
  const NAME = /^-?[A-Za-z_][\w-]*$/;
  const NUMBERED = /\d{3}/;
  // The names that tools make: digits among letters, and what stands behind their marks.
  const HASHED =
    /[a-zA-Z]\d+[a-zA-Z]|\d[a-zA-Z]+\d|(?<![a-zA-Z])[a-z]0\d|^tdi_|^(?:sc|css|svelte|astro)-[a-zA-Z\d]{5,}$|__(?=[a-z\d]*[A-Z])[a-zA-Z\d]{5}$/;
  const TAG = /^[a-z][a-z0-9-]*$/;
  // Other tags that occur once on one page occur often on the next.
  const LANDMARKS = new Set(["body", "main", "header", "footer", "nav", "aside", "search", "h1"]);
  /** @type {ReadonlySet<string>} */
  const NONE = new Set();
  const MOST_BOXES = 32;
  const MOST_OF_IT = 0.8;
  // A text's own elements differ from page to page; these and custom elements hold texts.
  const HOLDERS = new Set("body main article section div form center table tbody tr td".split(" "));

  /**
   * A part of a selector: for one element among its siblings, and for those like it. Both are the same where
   * nothing is counted.
   * @typedef {{exact: string, plain: string, isNamed: boolean}} Step
   */

  /** @type {Sitestencil["selectors"]["of"]} null inside a shadow root or a frame */
  function of({ elements, parents }, number, ownNames = NONE) {
    /** @type {Step[]} the innermost first */
    const steps = [];
    for (let at = number; at >= 0; at = parents[at]) {
      const node = elements[at];
      if (dom.isShadowRoot(node) || !dom.isConnected(node) || dom.ownerDocument(node) !== document) return null;
      const own = at === 0 ? ":root" : alone(node, ownNames);
      steps.push(own ? { exact: own, plain: own, isNamed: at > 0 } : step(node, ownNames));
      if (own) break;
    }
    const named = steps.findIndex(({ isNamed }) => isNamed);
    const unnamed = named < 0 ? steps : steps.slice(0, named);
    const counts = unnamed.some(({ exact, plain }) => exact !== plain);
    const [exact, plain] = /** @type {const} */ (["exact", "plain"]).map((form) => steps.map((one) => one[form]).reverse().join(" > "));
    return { exact, plain: counts ? exact : plain, counts };
  }

  /** @type {(element: Element, ownNames: ReadonlySet<string>) => string} a selector without ancestors; empty if there is none */
  function alone(element, ownNames) {
    const id = dom.get(element, "id");
    const tag = dom.localName(element);
    const candidates = [
      ...(isLasting(id) && !ownNames.has(id) ? [`#${id}`] : []),
      ...classesOf(element, ownNames).map((name) => `${TAG.test(tag) ? tag : ""}.${name}`),
      ...(LANDMARKS.has(tag) ? [tag] : []),
    ];
    return candidates.find((one) => names(one, element)) ?? "";
  }

  /** @type {(element: Element, ownNames: ReadonlySet<string>) => Step} the step that distinguishes an element from its siblings */
  function step(element, ownNames) {
    const tag = dom.localName(element);
    const siblings = childrenOf(/** @type {Node} */ (dom.parentNode(element)));
    if (!TAG.test(tag)) return { exact: `:nth-child(${siblings.indexOf(element) + 1})`, plain: "*", isNamed: false };
    const alike = siblings.filter((one) => dom.localName(one) === tag);
    const classes = classesOf(element, ownNames);
    const having = (/** @type {string} */ name) => alike.filter((one) => classesOf(one).includes(name)).length;
    const name = classes.toSorted((one, other) => having(one) - having(other))[0];
    const plain = name ? `${tag}.${name}` : tag;
    const isAlone = alike.length === 1 || (name && having(name) === 1);
    return { exact: isAlone ? plain : `${plain}:nth-of-type(${alike.indexOf(element) + 1})`, plain, isNamed: Boolean(name) };
  }

  /** @type {(parent: Node) => Element[]} */
  function childrenOf(parent) {
    /** @type {Element[]} */
    const children = [];
    for (let node = dom.firstChild(parent); node; node = dom.nextSibling(node)) {
      if (dom.nodeType(node) === Node.ELEMENT_NODE && !sitestencil.panel.isOwn(node)) children.push(/** @type {Element} */ (node));
    }
    return children;
  }

  /** @type {(element: Element) => string} a tag with lasting ids and classes; empty for a tag of another form */
  function boxOf(element) {
    const tag = dom.localName(element);
    const id = dom.get(element, "id");
    if (!TAG.test(tag)) return "";
    return `${tag}${isLasting(id) ? `#${id}` : ""}${classesOf(element).map((name) => `.${name}`).join("")}`;
  }

  /** @type {(element: Element, ownNames?: ReadonlySet<string>) => string[]} */
  function classesOf(element, ownNames = NONE) {
    return [...new Set(dom.get(element, "class").split(/\s+/).filter((name) => isLasting(name) && !ownNames.has(name)))].sort();
  }

  /** @type {(name: string) => boolean} */
  function isLasting(name) {
    return NAME.test(name) && !NUMBERED.test(name) && !HASHED.test(name);
  }

  /** @type {(selector: string, element: Element) => boolean} */
  function names(selector, element) {
    const [first, ...others] = named(selector);
    return first === element && !others.length;
  }

  /** @type {(selector: string) => Iterable<Element>} the selector's elements; none if it is invalid */
  function named(selector) {
    try {
      return Document.prototype.querySelectorAll.call(document, selector);
    } catch {
      return [];
    }
  }

  /** The kind of a page: the boxes around its main content, such as ["body.single", "main", "article.post"]. Pages that a site makes from one pattern have the same; src/sitestencil/selectors/boxes.py reads them, too. @type {(page: KnownPage) => string[]} */
  function kindOf({ tree, rest, mainTexts }) {
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
      const box = isHolder && holdsIt && boxOf(node);
      if (!box) continue;
      boxes.push(box);
      at = number;
    }
    return boxes;
  }

  /** @type {(boxes: ReadonlyArray<string>) => boolean} whether this page has these boxes in each other */
  function isKind(boxes) {
    const root = dom.documentElement(document);
    let reached = root ? [root] : [];
    for (const box of boxes) {
      const [tag, ...wanted] = box.split(/(?=[.#])/);
      reached = reached.flatMap(childrenOf).filter((child) => dom.localName(child) === tag && hasHalf(child, wanted));
    }
    return reached.length > 0;
  }

  /** @type {(element: Element, wanted: ReadonlyArray<string>) => boolean} whether it has at least half of these ids and classes */
  function hasHalf(element, wanted) {
    const own = new Set([`#${dom.get(element, "id")}`, ...dom.get(element, "class").split(/\s+/).map((name) => `.${name}`)]);
    return 2 * wanted.filter((name) => own.has(name)).length >= wanted.length;
  }

  return { of, named, kindOf, isKind };
})();
