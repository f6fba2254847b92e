"use strict";

/** Style rules outside the page's text: scripts add rules to sheets, and sheets to documents. */
sitestencil.rules ??= (() => {
  /** The text for a `style` element's current rules. @type {(element: HTMLStyleElement) => string} */
  function textOf(element) {
    return textNow(element.sheet, element.textContent ?? "");
  }

  /** The text for a sheet's current rules. @type {(sheet: CSSStyleSheet | null, text: string) => string} `text`: its source */
  function textNow(sheet, text) {
    const now = rulesOf(sheet);
    return now && !sameRules(now, written(text)) ? now.join("\n") : text;
  }

  /** The rules of the sheets that scripts adopted for a document or a shadow root. @type {(owner: Document | ShadowRoot) => string} */
  function adopted(owner) {
    return adoptedSheets(owner)
      .flatMap((sheet) => rulesOf(sheet) ?? [])
      .join("\n");
  }

  /** Whether changes of a page may fade: its style rules or attributes name transitions, or cannot be read. @type {(tree: Tree) => boolean} */
  function mayFade({ elements, roots, shadowRoots }) {
    const { dom } = sitestencil;
    const owners = [
      ...Array.from(roots, (index) => /** @type {Document} */ (dom.ownerDocument(elements[index]))),
      ...Array.from(shadowRoots, (index) => /** @type {ShadowRoot} */ (elements[index])),
    ];
    return owners.some(
      (owner) =>
        dom.first(owner, "[style*=transition]") !== null || [...owner.styleSheets, ...adoptedSheets(owner)].some(speaksOfTransitions),
    );
  }

  /** @type {(sheet: CSSStyleSheet) => boolean} */
  function speaksOfTransitions(sheet) {
    return rulesOf(sheet)?.some((rule) => rule.includes("transition") || rule.startsWith("@import")) ?? true;
  }

  /** In Firefox, content scripts see this list only through the page's own object, which gives text here. @type {(owner: any) => CSSStyleSheet[]} */
  function adoptedSheets(owner) {
    for (const view of [owner, owner.wrappedJSObject]) {
      try {
        const sheets = Array.from(/** @type {ArrayLike<CSSStyleSheet>} */ (view?.adoptedStyleSheets ?? []));
        if (sheets.length) return sheets;
      } catch {
        // The next view.
      }
    }
    return [];
  }

  /** @type {(sheet: CSSStyleSheet | null) => string[] | null} null if the rules cannot be read */
  function rulesOf(sheet) {
    try {
      return sheet && Array.from(sheet.cssRules, (rule) => String(rule.cssText));
    } catch {
      return null;
    }
  }

  /** @type {(text: string) => string[] | null} the rules of this text, parsed again */
  function written(text) {
    try {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return rulesOf(sheet);
    } catch {
      return null;
    }
  }

  /** @type {(now: string[], before: string[] | null) => boolean} */
  function sameRules(now, before) {
    // A sheet made by scripts cannot import.
    const own = now.filter((rule) => !rule.startsWith("@import"));
    return before !== null && own.length === before.length && own.every((rule, index) => rule === before[index]);
  }

  return { textOf, textNow, adopted, of: rulesOf, mayFade };
})();
