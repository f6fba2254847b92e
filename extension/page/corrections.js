"use strict";

/**
 * A person's corrections of the host's answer, as rules: CSS selectors with template or content, for one page or for
 * pages of one kind. A rule applies to its selector's elements and all below them, and later rules win. The host's
 * answer for these nodes is stored, so that a rule can be undone.
 */
sitestencil.corrections ??= (() => {
  const { dom } = sitestencil;
  const MOST_WORDS = 40;

  /** Resets a page's answer to the host's, then applies the rules. @type {(page: KnownPage, rules: ReadonlyArray<Rule>) => void} */
  function apply(page, rules) {
    restore(page);
    page.rules = [...rules];
    const { tree } = page;
    const numbers = new Map(tree.elements.map((node, number) => [/** @type {Node} */ (node), number]));
    const ends = endsOf(tree);
    page.applied = rules.filter((rule) => {
      if (!applies(page, rule)) return false;
      const named = [...sitestencil.selectors.named(rule.selector)].flatMap((element) => numbers.get(element) ?? []);
      for (const number of named) put(page, number, ends[number], Number(rule.is === "template"));
      return named.length > 0;
    });
    if (page.applied.length || page.about.corrections) page.about = { ...page.about, corrections: page.applied.length };
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

  /** The rules that would switch an element, and everything in it, between template and content. @type {Sitestencil["corrections"]["propose"]} */
  function propose(page, element) {
    const names = sitestencil.selectors.of(page.tree, element, page.ownNames);
    if (!names) return null;
    const is = page.template[element] ? "content" : "template";
    const where = (page.where ??= kindOf(page));
    const about = { is: /** @type {Rule["is"]} */ (is), words: wordsOf(page.tree, element) };
    return {
      onlyPage: { selector: names.exact, ...about, page: page.url },
      allPages: { selector: names.plain, ...about, ...(where.length && { where }) },
      counts: names.counts,
      isMarked: where.some((box) => /[.#]/.test(box)),
      here: changedBy(page, names.plain, Number(is === "template")),
    };
  }

  /** @type {(tree: Tree, element: number) => string} the first words in an element */
  function wordsOf(tree, element) {
    const end = endsOf(tree)[element];
    const first = tree.texts.find(({ node, parent }) => parent >= element && parent < end && dom.data(node).trim());
    return first ? dom.data(first.node).trim().slice(0, MOST_WORDS) : "";
  }

  /** @type {(page: KnownPage) => string[]} */
  function kindOf(page) {
    const { rules } = page;
    restore(page);
    const where = sitestencil.selectors.kindOf(page);
    apply(page, rules);
    return where;
  }

  /** @type {(page: KnownPage, selector: string, isTemplate: number) => number[]} the elements that a rule would switch */
  function changedBy({ tree, template }, selector, isTemplate) {
    const numbers = new Map(tree.elements.map((node, number) => [/** @type {Node} */ (node), number]));
    const ends = endsOf(tree);
    /** @type {number[]} */
    const changed = [];
    let end = 0;
    for (const element of sitestencil.selectors.named(selector)) {
      const number = numbers.get(element);
      if (number === undefined || number < end) continue;
      end = ends[number];
      if (template.subarray(number, end).some((one) => one !== isTemplate)) changed.push(number);
    }
    return changed;
  }

  /** Adds a rule. @type {(page: KnownPage, added: Rule) => Correction} with the rules that it replaces */
  function add(page, added) {
    const correction = { added, removed: page.rules.filter((rule) => isSame(rule, added)) };
    page.corrections.push(correction);
    apply(page, [...page.rules.filter((rule) => !isSame(rule, added)), added]);
    return correction;
  }

  /** Undoes the last correction, or an earlier one that took part. @type {(page: KnownPage) => Correction | null} null if there is none */
  function undo(page) {
    const last = page.applied.at(-1);
    const correction = page.corrections.pop() ?? (last && { added: last, removed: [] });
    if (!correction) return null;
    const { added, removed } = correction;
    apply(page, [...page.rules.filter((rule) => !isSame(rule, added)), ...removed]);
    return correction;
  }

  /** @type {(one: Rule, other: Rule) => boolean} as in rules.js */
  function isSame(one, other) {
    const [first, second] = [one, other].map(({ selector, page, where = [] }) => JSON.stringify([selector, page, where]));
    return first === second;
  }

  /** @type {(page: KnownPage, rule: Rule) => boolean} whether a rule applies to this page */
  function applies({ url }, { off, page = url, where = [] }) {
    return !off && page === url && sitestencil.selectors.isKind(where);
  }

  /** @type {(tree: Pick<Tree, "parents">) => number[]} one past the last element below each */
  function endsOf({ parents }) {
    const ends = parents.map((_, number) => number + 1);
    for (let number = ends.length - 1; number > 0; number--) {
      ends[parents[number]] = Math.max(ends[parents[number]], ends[number]);
    }
    return ends;
  }

  return { apply, propose, add, undo };
})();
