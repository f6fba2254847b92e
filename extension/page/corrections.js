"use strict";

/**
 * A person's corrections of the host's answer, as rules: CSS selectors with template or content. A rule holds for
 * its selector's elements and all below them, and later rules win. The host's answer for these nodes is stored, so
 * that a rule can be undone.
 */
sitestencil.corrections ??= (() => {
  // Names of letters; digits in a row belong to one page.
  const NAME = /^-?[A-Za-z_][\w-]*$/;
  const NUMBERED = /\d{3}/;
  const TAG = /^[a-z][a-z0-9-]*$/;
  // Other tags that occur once on one page occur often on the next.
  const LANDMARKS = new Set(["body", "main", "header", "footer", "nav", "aside", "search", "h1"]);

  /**
   * Resets a page's answer to the host's, then applies the rules.
   * @param {KnownPage} page
   * @param {ReadonlyArray<Rule>} rules
   */
  function apply(page, rules) {
    restore(page);
    page.rules = [...rules];
    const { tree } = page;
    const numbers = new Map(tree.elements.map((node, number) => [/** @type {Node} */ (node), number]));
    const ends = endsOf(tree);
    for (const { selector, is } of rules) {
      for (const element of named(selector)) {
        const number = numbers.get(element);
        if (number !== undefined) put(page, number, ends[number], Number(is === "template"));
      }
    }
    for (const [number, { parent }] of tree.texts.entries()) {
      const before = page.corrected.get(parent);
      if (!before || !(page.contentTexts[number] || page.mainTexts[number])) continue;
      before.texts.push([number, page.contentTexts[number], page.mainTexts[number]]);
      page.contentTexts[number] = page.mainTexts[number] = 0;
    }
  }

  /** Resets a page's answer to the host's. @param {KnownPage} page */
  function restore(page) {
    for (const [number, { template, rest, score, texts }] of page.corrected) {
      page.template[number] = template;
      page.rest[number] = rest;
      if (page.scores) page.scores[number] = score;
      for (const [text, ...before] of texts) [page.contentTexts[text], page.mainTexts[text]] = before;
    }
    page.corrected.clear();
  }

  /** @type {(page: KnownPage, start: number, end: number, isTemplate: number) => void} */
  function put({ template, rest, scores, corrected }, start, end, isTemplate) {
    for (let number = start; number < end; number++) {
      const before = { template: template[number], rest: rest[number], score: scores?.[number] ?? 0, texts: [] };
      if (!corrected.has(number)) corrected.set(number, before);
      template[number] = rest[number] = isTemplate;
      if (scores) scores[number] = 255 * isTemplate;
    }
  }

  /**
   * Switches an element and all below it between template and content.
   * @param {KnownPage} page
   * @param {number} element
   * @returns {Correction | null} the new rule and those that it replaces; null for an element without a selector
   */
  function flip(page, element) {
    const selector = selectorOf(page.tree, element);
    if (!selector) return null;
    /** @type {Rule} */
    const added = { selector, is: page.template[element] ? "content" : "template" };
    const removed = page.rules.filter((rule) => rule.selector === selector);
    apply(page, [...page.rules.filter((rule) => rule.selector !== selector), added]);
    return { added, removed };
  }

  /** @param {KnownPage} page @param {Correction} correction the latest one */
  function undo(page, { added, removed }) {
    const kept = page.rules.filter((rule) => rule.selector !== added.selector);
    apply(page, [...kept, ...removed]);
  }

  /**
   * A short, stable selector for one element. It should match similar elements on the site's other pages, so ids
   * and classes come before numbers.
   * @param {Pick<Tree, "elements" | "parents">} tree
   * @param {number} number
   * @returns {string} empty inside a shadow root or a frame
   */
  function selectorOf({ elements, parents }, number) {
    const { dom } = sitestencil;
    /** @type {string[]} */
    const steps = [];
    for (let at = number; at >= 0; at = parents[at]) {
      const node = elements[at];
      if (dom.isShadowRoot(node) || dom.ownerDocument(node) !== document || !dom.isConnected(node)) return "";
      if (at === 0) return [":root", ...steps.reverse()].join(" > ");
      const own = alone(node);
      if (own) return [own, ...steps.reverse()].join(" > ");
      steps.push(step(node));
    }
    return "";
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
    return candidates.find((one) => names(document, one, element)) ?? "";
  }

  /** @type {(element: Element) => string} the step that distinguishes an element from its siblings */
  function step(element) {
    const { dom } = sitestencil;
    const tag = dom.localName(element);
    const siblings = siblingsOf(element);
    if (!TAG.test(tag)) return `:nth-child(${siblings.indexOf(element) + 1})`;
    const alike = siblings.filter((one) => dom.localName(one) === tag);
    if (alike.length === 1) return tag;
    const single = classesOf(element).find((name) => alike.filter((one) => classesOf(one).includes(name)).length === 1);
    return single ? `${tag}.${single}` : `${tag}:nth-of-type(${alike.indexOf(element) + 1})`;
  }

  /** @type {(element: Element) => Element[]} */
  function siblingsOf(element) {
    const { dom } = sitestencil;
    /** @type {Element[]} */
    const siblings = [];
    const parent = dom.parentNode(element);
    for (let node = parent && dom.firstChild(parent); node; node = dom.nextSibling(node)) {
      if (dom.nodeType(node) === Node.ELEMENT_NODE && !sitestencil.panel.isPanel(node)) siblings.push(/** @type {Element} */ (node));
    }
    return siblings;
  }

  /** @type {(element: Element) => string[]} */
  function classesOf(element) {
    return sitestencil.dom.get(element, "class").split(/\s+/).filter(isLasting).sort();
  }

  /** @type {(name: string) => boolean} */
  function isLasting(name) {
    return NAME.test(name) && !NUMBERED.test(name);
  }

  /** @type {(within: Document, selector: string, element: Element) => boolean} */
  function names(within, selector, element) {
    const [first, ...others] = Document.prototype.querySelectorAll.call(within, selector);
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

  /** @type {(tree: Pick<Tree, "parents">) => number[]} one past the last element below each */
  function endsOf({ parents }) {
    const ends = parents.map((_, number) => number + 1);
    for (let number = ends.length - 1; number > 0; number--) {
      ends[parents[number]] = Math.max(ends[parents[number]], ends[number]);
    }
    return ends;
  }

  return { apply, flip, undo, selectorOf };
})();
