"use strict";

/** Selectors for a person's rules. A rule meets similar elements on the site's other pages: ids, classes and landmarks last there, positions do not. */
sitestencil.selectors ??= (() => {
  // Names of letters; digits in a row belong to one page.
  const NAME = /^-?[A-Za-z_][\w-]*$/;
  const NUMBERED = /\d{3}/;
  const TAG = /^[a-z][a-z0-9-]*$/;
  // Other tags that occur once on one page occur often on the next.
  const LANDMARKS = new Set(["body", "main", "header", "footer", "nav", "aside", "search", "h1"]);

  /**
   * A part of a selector: for one element among its siblings, and for those like it. Both are the same where
   * nothing is counted.
   * @typedef {{exact: string, plain: string, isNamed: boolean}} Step
   */

  /**
   * @param {Pick<Tree, "elements" | "parents">} tree
   * @param {number} number
   * @returns {Names | null} null inside a shadow root or a frame
   */
  function of({ elements, parents }, number) {
    const { dom } = sitestencil;
    /** @type {Step[]} the innermost first */
    const steps = [];
    for (let at = number; at >= 0; at = parents[at]) {
      const node = elements[at];
      if (dom.isShadowRoot(node) || !dom.isConnected(node) || dom.ownerDocument(node) !== document) return null;
      const own = at === 0 ? ":root" : alone(node);
      steps.push(own ? { exact: own, plain: own, isNamed: at > 0 } : step(node));
      if (own) break;
    }
    const named = steps.findIndex(({ isNamed }) => isNamed);
    const unnamed = named < 0 ? steps : steps.slice(0, named);
    const counts = unnamed.some(({ exact, plain }) => exact !== plain);
    const [exact, plain] = /** @type {const} */ (["exact", "plain"]).map((form) => steps.map((one) => one[form]).reverse().join(" > "));
    return { exact, plain: counts ? exact : plain, counts };
  }

  /** @type {(element: Element) => string} a selector without ancestors; empty if there is none */
  function alone(element) {
    const { dom } = sitestencil;
    const id = dom.get(element, "id");
    const tag = dom.localName(element);
    const candidates = [
      ...(isLasting(id) ? [`#${id}`] : []),
      ...classesOf(element).map((name) => `${TAG.test(tag) ? tag : ""}.${name}`),
      ...(LANDMARKS.has(tag) ? [tag] : []),
    ];
    return candidates.find((one) => names(one, element)) ?? "";
  }

  /** @type {(element: Element) => Step} the step that distinguishes an element from its siblings */
  function step(element) {
    const { dom } = sitestencil;
    const tag = dom.localName(element);
    const siblings = siblingsOf(element);
    if (!TAG.test(tag)) return { exact: `:nth-child(${siblings.indexOf(element) + 1})`, plain: "*", isNamed: false };
    const alike = siblings.filter((one) => dom.localName(one) === tag);
    const classes = classesOf(element);
    const having = (/** @type {string} */ name) => alike.filter((one) => classesOf(one).includes(name)).length;
    const name = classes.toSorted((one, other) => having(one) - having(other))[0];
    const plain = name ? `${tag}.${name}` : tag;
    const isAlone = alike.length === 1 || (name && having(name) === 1);
    return { exact: isAlone ? plain : `${plain}:nth-of-type(${alike.indexOf(element) + 1})`, plain, isNamed: Boolean(name) };
  }

  /** @type {(element: Element) => Element[]} */
  function siblingsOf(element) {
    const parent = sitestencil.dom.parentNode(element);
    return parent ? childrenOf(parent) : [element];
  }

  /** @type {(parent: Node) => Element[]} */
  function childrenOf(parent) {
    const { dom } = sitestencil;
    /** @type {Element[]} */
    const children = [];
    for (let node = dom.firstChild(parent); node; node = dom.nextSibling(node)) {
      if (dom.nodeType(node) === Node.ELEMENT_NODE && !sitestencil.panel.isOwn(node)) children.push(/** @type {Element} */ (node));
    }
    return children;
  }

  /** @type {(element: Element) => string} a tag with lasting ids and classes; empty for a tag of another form */
  function boxOf(element) {
    const { dom } = sitestencil;
    const tag = dom.localName(element);
    const id = dom.get(element, "id");
    if (!TAG.test(tag)) return "";
    return `${tag}${isLasting(id) ? `#${id}` : ""}${classesOf(element).map((name) => `.${name}`).join("")}`;
  }

  /** @type {(element: Element) => string[]} */
  function classesOf(element) {
    return [...new Set(sitestencil.dom.get(element, "class").split(/\s+/).filter(isLasting))].sort();
  }

  /** @type {(name: string) => boolean} */
  function isLasting(name) {
    return NAME.test(name) && !NUMBERED.test(name);
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

  return { of, boxOf, childrenOf, named };
})();
