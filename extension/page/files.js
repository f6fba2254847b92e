"use strict";

/** The page's style rules as they are now, and its style sheets, images and fonts. */
sitestencil.files ??= (() => {
  const { dom } = sitestencil;
  const DRAWN = new Set(["css", "link", "img", "image", "input", "other"]);
  const BLOB = /blob:https?:\/\/[^\s"'()\\<>]+/g;
  const WITH_BLOB = ["src", "href", "style", "poster", "data", "srcset"].map((name) => `[${name}*="blob:"]`).join();
  const STATE = /:state\(\s*([a-z][\w-]*)\s*\)/gi;
  const MOST_STATES = 50;
  const MOST_FILES = 200;
  const MOST_BYTES = 16_000_000;
  const LARGEST = 5_000_000;
  const AT_A_TIME = 8;
  const WITHIN_MS = 5_000;

  /** Reads style sheets, images and fonts of the page's own origin, most of them from the browser's cache, and adds the rules of other sheets that the page may read. @type {(document: Document, page: KnownPage, cut: (text: string) => string) => Promise<Array<[string, string]>>} addresses, and bytes in base64; `cut`: takes what a person typed out of a text */
  async function filesOf(document, page, cut) {
    const signal = AbortSignal.timeout(WITHIN_MS);
    const waiting = addressesOf(document, page).slice(0, MOST_FILES);
    /** @type {Array<[string, string]>} */
    const files = [];
    const sheets = new Map(sheetsOf(document).map((sheet) => [String(sheet.href), sheet]));
    let left = MOST_BYTES;
    const work = async () => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
        const file = await withRulesOfNow(await fileAt(url, signal), sheets.get(url), cut);
        if (!file || file.size > left) continue;
        left -= file.size;
        files.push([cut(url), await base64(file)]);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    return [...files, ...(await otherSheets(document, cut))];
  }

  /** @type {(document: Document, page: KnownPage) => string[]} */
  function addressesOf(document, { tree, template }) {
    const { origin } = location;
    const ofContent = new Set();
    const own = new Set(sheetsOf(document).map(({ href }) => href ?? ""));
    for (const [index, element] of tree.elements.entries()) {
      const address = shownBy(element) || namedBy(element);
      if (address) (template[index] ? own : ofContent).add(address);
    }
    for (const entry of performance.getEntriesByType("resource")) {
      const { name, initiatorType } = /** @type {PerformanceResourceTiming} */ (entry);
      if (DRAWN.has(initiatorType) && !ofContent.has(name)) own.add(name);
    }
    for (const address of blobsIn(tree)) if (!ofContent.has(address)) own.add(address);
    return [...own].filter((address) => URL.canParse(address) && new URL(address).origin === origin);
  }

  /** @type {(tree: Tree) => string[]} the addresses of files that scripts made, in attributes and style rules */
  function blobsIn(tree) {
    const marked = [...tree.roots, ...tree.shadowRoots].flatMap((index) => Array.from(dom.all(tree.elements[index], WITH_BLOB)));
    const values = marked.flatMap((element) => dom.names(element).map((name) => dom.get(element, name)));
    return [...values, rulesIn(tree)].flatMap((text) => text.match(BLOB) ?? []);
  }

  /** @type {(tree: Tree) => string[]} the states that its style rules ask of custom elements */
  function statesIn(tree) {
    if (!tree.names.some((name) => name.includes("-"))) return [];
    return [...new Set(Array.from(rulesIn(tree).matchAll(STATE), ([, name]) => name))].slice(0, MOST_STATES);
  }

  /** @type {(tree: Tree) => string} the rules of its documents and shadow roots that can be read */
  function rulesIn(tree) {
    return ownersOf(tree).flatMap(sheetsFor).flatMap((sheet) => rulesOf(sheet) ?? []).join("\n");
  }

  /** @type {(owner: Document | ShadowRoot) => CSSStyleSheet[]} */
  function sheetsFor(owner) {
    return [...owner.styleSheets, ...adoptedSheets(owner)];
  }

  /** @type {(tree: Tree) => Array<Document | ShadowRoot>} */
  function ownersOf({ elements, roots, shadowRoots }) {
    const documents = Array.from(roots, (index) => /** @type {Document} */ (dom.ownerDocument(elements[index])));
    return [...documents, ...Array.from(shadowRoots, (index) => /** @type {ShadowRoot} */ (elements[index]))];
  }

  /** @type {(node: Node) => string} the address of the image that an element shows; empty for any other element */
  function shownBy(node) {
    return !dom.isShadowRoot(node) && dom.isHtml(node, "img") ? dom.currentSrc(node) : "";
  }

  /** @type {(node: Node) => string} the address of a video's poster, or of the file with the symbol that an element of SVG shows; empty for any other element */
  function namedBy(node) {
    if (dom.isShadowRoot(node)) return "";
    const base = dom.baseUri(/** @type {any} */ (node));
    const name = dom.isHtml(node, "video") ? dom.get(node, "poster") : dom.localName(node) === "use" ? dom.get(node, "href") || dom.get(node, "xlink:href") : "";
    return name && !name.startsWith("#") && URL.canParse(name, base) ? new URL(name, base).href.split("#", 1)[0] : "";
  }

  /** @type {(document: Document) => CSSStyleSheet[]} */
  function sheetsOf(document) {
    return Array.from(dom.styleSheets(document)).filter(({ href }) => href);
  }

  /** @type {(document: Document, cut: (text: string) => string) => Promise<Array<[string, string]>>} sheets of other origins whose rules the page may read */
  function otherSheets(document, cut) {
    const { origin } = location;
    const readable = sheetsOf(document)
      .filter(({ href }) => href && URL.canParse(href) && new URL(href).origin !== origin)
      .map((sheet) => ({ href: String(sheet.href), rules: rulesOf(sheet) }))
      .filter(({ rules }) => rules);
    return Promise.all(
      readable.map(async ({ href, rules }) => /** @type {[string, string]} */ ([cut(href), await base64(new Blob([cut(rules?.join("\n") ?? "")]))])),
    );
  }

  /** @type {(url: string, signal: AbortSignal) => Promise<Blob | null>} null if it cannot be read */
  async function fileAt(url, signal) {
    try {
      const answer = await fetch(url, { cache: "force-cache", signal });
      if (!answer.ok || Number(answer.headers.get("content-length")) > LARGEST) return null;
      const file = await answer.blob();
      return file.size > LARGEST ? null : file;
    } catch {
      return null;
    }
  }

  /** @type {(file: Blob | null, sheet: CSSStyleSheet | undefined, cut: (text: string) => string) => Promise<Blob | null>} a style sheet with its current rules, after changes by scripts; `sheet`: made from it */
  async function withRulesOfNow(file, sheet, cut) {
    if (!file || !sheet) return file;
    const text = await file.text();
    const now = textNow(sheet, text);
    return now === text ? file : new Blob([cut(now)]);
  }

  /** Uses a reader, as Firefox hides the page's bytes from content scripts. @type {(blob: Blob) => Promise<string>} */
  function base64(blob) {
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.addEventListener("load", () => resolve(String(reader.result).split(",", 2)[1] ?? ""));
      reader.addEventListener("error", () => reject(reader.error));
      reader.readAsDataURL(blob);
    });
  }

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
  function mayFade(tree) {
    return ownersOf(tree).some(
      (owner) => dom.first(owner, "[style*=transition]") !== null || sheetsFor(owner).some(speaksOfTransitions),
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

  return { filesOf, shownBy, textOf, adopted, statesIn, mayFade };
})();
