"use strict";

/** The reasons for an element's verdict, in words: host/PROTOCOL.md, "reasons". */
sitestencil.reasons ??= (() => {
  const { dom } = sitestencil;
  const SHARES = 4;
  const RULE = 4;
  const PAGES = 5;
  const NOWHERE = "inspect_rule_nowhere";
  const RULES = [
    "",
    "inspect_rule_contents",
    NOWHERE,
    "inspect_rule_text",
    "inspect_rule_body",
    "inspect_rule_not_compared",
    "inspect_rule_form",
    "inspect_rule_equal",
    "inspect_rule_landmark",
    "inspect_rule_links",
  ];

  /** @type {Sitestencil["reasons"]["decode"]} a row for each element; `reasons`: as the host sends them; `length`: how many elements there are */
  function decode({ width, rows }, length) {
    const bytes = sitestencil.answer.bytesOf(rows, width * length);
    return Array.from({ length }, (_, index) => bytes.subarray(index * width, (index + 1) * width));
  }

  /** @type {(page: KnownPage, element: number) => string[]} its name, verdict, confidence and reason, and the pages that have it */
  function linesOf(page, element) {
    const row = page.reasons?.[element];
    if (page.corrected.has(element)) {
      const said = page.template[element] ? "inspect_corrected_template" : "inspect_corrected_content";
      return [nameOf(page.tree.elements[element]), text(said)];
    }
    const why = row ? whyLines(row, page.pages) : [text(whyNot(page, element))];
    const around = aroundOf(page)[element] ? [text("inspect_around")] : [];
    return [nameOf(page.tree.elements[element]), verdictOf(page, element), ...around, ...why];
  }

  /** @type {(page: KnownPage) => Uint8Array} per element, 1 for content that is around the main content */
  function aroundOf(page) {
    const flat = sitestencil.tree.flat(page.tree);
    return sitestencil.plan.around(page, flat, flat.texts.map(({ parent }) => parent));
  }

  /** The reason why an element has no row. @type {(page: KnownPage, element: number) => string} */
  function whyNot({ unjudged, reasons }, element) {
    if (unjudged.has(element)) return "inspect_later";
    return reasons ? "inspect_later_judged" : "inspect_votes";
  }

  /** @type {(row: Uint8Array, pages: ReadonlyArray<string>) => string[]} */
  function whyLines(row, pages) {
    const rule = RULES[row[RULE]];
    if (rule === NOWHERE) return [text(rule)];
    const shares = [...row.subarray(1, SHARES)].map((share) => String(Math.round(share / 2.55)));
    const agreeing = pages.filter((_, page) => (row[PAGES + (page >> 3)] >> (page & 7)) & 1);
    return [
      ...(rule ? [text(rule)] : []),
      agreeing.length
        ? text("inspect_pages", String(agreeing.length), String(pages.length), agreeing.map(shortAddress).join(", "))
        : text("inspect_pages_none"),
      text("inspect_shares", ...shares),
    ];
  }

  /** @type {Sitestencil["reasons"]["previewOf"]} what the rules for a selected element would change */
  function previewOf({ reasons }, element, proposal) {
    if (!proposal) return [text("inspect_no_rule")];
    const { onlyPage, allPages, counts, isMarked, here } = proposal;
    const row = reasons?.[element];
    return [
      counted(`inspect_preview_${onlyPage.is}`, here.length),
      ...(row && !row.subarray(PAGES).some(Boolean) ? [text("inspect_only_here")] : []),
      ...(counts ? [text("inspect_counts")] : []),
      ...(isMarked ? [] : [text("inspect_unmarked")]),
      ...(sitestencil.api.get().extension?.inIncognitoContext ? [text("inspect_private")] : []),
      text("inspect_rule", allPages.selector),
      ...(onlyPage.selector === allPages.selector ? [] : [text("inspect_only_page")]),
    ];
  }

  /** @type {(page: KnownPage, element: number) => string} */
  function verdictOf({ template, scores }, element) {
    const isTemplate = template[element];
    if (!scores) return text(isTemplate ? "inspect_template_voted" : "inspect_content_voted");
    const score = scores[element] / 2.55;
    return text(isTemplate ? "inspect_template" : "inspect_content", String(Math.round(isTemplate ? score : 100 - score)));
  }

  /** @type {(node: Element | ShadowRoot) => string} in the form of a selector */
  function nameOf(node) {
    if (dom.isShadowRoot(node)) return "#shadow-root";
    const id = dom.get(node, "id");
    const [first] = dom.get(node, "class").split(/\s+/).filter(Boolean);
    return `${dom.localName(node)}${id && `#${id}`}${first ? `.${first}` : ""}`;
  }

  /** @type {(address: string) => string} */
  function shortAddress(address) {
    const { pathname, search } = new URL(address);
    return pathname + search;
  }

  /** @type {(name: string, ...values: string[]) => string} */
  function text(name, ...values) {
    return sitestencil.api.get().i18n.getMessage(name, values);
  }

  /** @type {(name: string, count: number) => string} as `textOf` of texts.js */
  function counted(name, count) {
    const form = new Intl.PluralRules(text("language")).select(count);
    return text(`${name}_${form}`, String(count)) || text(`${name}_other`, String(count));
  }

  return { decode, linesOf, previewOf, aroundOf };
})();
