"use strict";

/** Cuts what a person typed, and each copy that the page made of it, out of what is saved. */
sitestencil.typed ??= (() => {
  const { dom } = sitestencil;
  const SHORTEST = 4;
  const LONGEST = 200;
  const MOST = 200;
  const NOT_TYPED = new Set("hidden checkbox radio range color file submit reset button image".split(" "));
  const EDITABLE = '[contenteditable]:not([contenteditable="false" i])';
  const USED = ":user-valid, :user-invalid, :focus";
  const NOTHING = /(?!)/;
  const LONE_WORD = /^[\p{L}\p{M}\p{N}]+$/u;
  // Their texts have the verdict of what is around them, and no other page is known to have them.
  const NOT_COMPARED = new Set("title select optgroup option datalist".split(" "));

  /** @type {(tree: Tree) => string[]} what stands in fields and not in the page's defaults, and in elements that a person can edit */
  function valuesIn({ elements, names, parents, roots, shadowRoots, texts }) {
    const fields = elements.filter((node, index) => (names[index] === "input" || names[index] === "textarea") && isTyped(node));
    const isAny = [...roots, ...shadowRoots].some((index) => isEditable(elements[index]) || dom.all(elements[index], EDITABLE).length);
    if (!isAny) return fields.map(valueOf);
    const inEditable = maskOf(elements, parents);
    return [...fields.map(valueOf), ...texts.filter(({ parent }) => inEditable[parent]).map(({ node }) => dom.data(node))];
  }

  /** @type {(elements: Tree["elements"], parents: number[]) => boolean[]} */
  function maskOf(elements, parents) {
    /** @type {boolean[]} */
    const inEditable = [];
    for (const [index, node] of elements.entries()) inEditable.push(Boolean(inEditable[parents[index]]) || isEditable(node));
    return inEditable;
  }

  /**
   * Texts of the template stay, as other pages have them. All else that the page had when it was compared loses
   * only copies of what a person had typed by then.
   * @type {Sitestencil["typed"]["cutter"]}
   */
  function cutter(now, { known, typed = [] }) {
    const values = valuesIn(now);
    if (!values.length && !typed.length) return { isWritten: () => false, from: (text) => text };
    /** @type {Partial<Snapshot>} */
    const { names = [], tags = [], parents = [], attributes = [], texts = [], url = "" } = JSON.parse(known?.snapshot.json ?? "{}");
    /** @type {boolean[]} */
    const isCompared = [];
    for (const [index, tag] of tags.entries()) {
      const isRoot = names[tag] === "html" || attributes[index][0] === "shadowrootmode";
      isCompared.push(!index || (isCompared[parents[index]] && !isRoot && !NOT_COMPARED.has(names[tag])));
    }
    const isTemplate = sitestencil.answer.mask(known?.template ?? [], attributes.length);
    const isContent = sitestencil.answer.mask(known?.content_texts ?? [], texts.length);
    const own = new Set(texts.flatMap(([parent, , text], number) => (isCompared[parent] && isTemplate[parent] && !isContent[number] ? [text] : [])));
    const seen = new Set([...attributes.flat(), ...texts.map(([, , text]) => text), url]);
    const inEditable = maskOf(now.elements, now.parents);
    const [all, early] = [copiesOf([...values.filter((value) => !own.has(value)), ...typed]), copiesOf(typed)];
    return {
      isWritten: (parent, text) => inEditable[parent] && !own.has(text),
      from: (text) => (own.has(text) ? text : text.replace((seen.has(text) ? early : all) ?? NOTHING, "")),
    };
  }

  /** @type {(node: Node) => boolean} */
  function isEditable(node) {
    return !dom.isShadowRoot(node) && dom.matches(node, EDITABLE) === true;
  }

  /** @type {(node: Node) => string} the value of a field for text; empty for all else */
  function valueOf(node) {
    if (dom.isHtml(node, "textarea")) return dom.textValue(node);
    return dom.isHtml(node, "input") && !NOT_TYPED.has(dom.kind(node)) ? dom.value(node) : "";
  }

  /** Scripts may write a value into the page's default: then the browser's word tells, once a person has touched the page. @type {(node: Node) => boolean} */
  function isTyped(node) {
    const value = valueOf(node);
    const before = dom.isHtml(node, "textarea") ? dom.textDefault(node) : dom.get(node, "value");
    return value !== "" && (value !== before || (navigator.userActivation?.hasBeenActive !== false && dom.matches(node, USED) === true));
  }

  /** @type {(values: string[]) => RegExp | null} what finds each value, its lines, and its forms in addresses, rules and data */
  function copiesOf(values) {
    const parts = values.flatMap((value) => [value, ...value.split("\n")]).flatMap((part) => part.trim().match(new RegExp(`.{1,${LONGEST}}`, "gsu")) ?? []);
    const found = [...new Set(parts)].filter((part) => part.trim().length >= SHORTEST).sort((a, b) => b.length - a.length);
    const patterns = found.slice(0, MOST).flatMap((part) => [...new Set(formsOf(part.toWellFormed()))].map(patternOf));
    return patterns.length ? new RegExp(patterns.join("|"), "gu") : null;
  }

  /** @type {(part: string) => string[]} */
  function formsOf(part) {
    const encoded = [encodeURIComponent(part), encodeURI(part), String(new URLSearchParams([["", part]])).slice(1)];
    const plus = encoded.map((one) => one.replaceAll("%20", "+"));
    const small = [...encoded, ...plus].map((one) => one.replace(/%../g, (code) => code.toLowerCase()));
    return [part, JSON.stringify(part).slice(1, -1), CSS.escape?.(part) ?? part, ...encoded, ...plus, ...small];
  }

  /** @type {(form: string) => string} a lone word or number is no part of a longer one; white space may differ */
  function patternOf(form) {
    const pattern = form.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === "-" ? "\\x2d" : `\\${sign}`)).replace(/\s+/g, "\\s+");
    return LONE_WORD.test(form) ? `(?:(?<![\\p{L}\\p{M}\\p{N}])|(?<=%[\\dA-Fa-f]{2}))${pattern}(?![\\p{L}\\p{M}\\p{N}])` : pattern;
  }

  return { valuesIn, cutter };
})();
