"use strict";

/** Reads the page's style sheets, images and fonts of its own origin, most of them from the browser's cache. It adds the rules of other sheets that the page may read. */
sitestencil.files ??= (() => {
  const DRAWN = new Set(["css", "link", "img", "image", "input", "other"]);
  const MOST_FILES = 200;
  const MOST_BYTES = 16_000_000;
  const LARGEST = 5_000_000;
  const AT_A_TIME = 8;
  const WITHIN_MS = 5_000;

  /** @type {(document: Document, page: KnownPage) => Promise<Array<[string, string]>>} addresses, and bytes in base64 */
  async function read(document, page) {
    const signal = AbortSignal.timeout(WITHIN_MS);
    const waiting = addressesOf(document, page).slice(0, MOST_FILES);
    /** @type {Array<[string, string]>} */
    const files = [];
    const sheets = new Map(sheetsOf(document).map((sheet) => [String(sheet.href), sheet]));
    let left = MOST_BYTES;
    const work = async () => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
        const file = await withRulesOfNow(await fileAt(url, signal), sheets.get(url));
        if (!file || file.size > left) continue;
        left -= file.size;
        files.push([url, await base64(file)]);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    return [...files, ...(await otherSheets(document))];
  }

  /**
   * @param {Document} document
   * @param {KnownPage} page
   * @returns {string[]}
   */
  function addressesOf(document, { tree, template }) {
    const { origin } = location;
    const ofContent = new Set();
    const own = new Set(sheetsOf(document).map(({ href }) => href ?? ""));
    for (const [index, element] of tree.elements.entries()) {
      const address = shownBy(element) || posterOf(element);
      if (address) (template[index] ? own : ofContent).add(address);
    }
    for (const entry of performance.getEntriesByType("resource")) {
      const { name, initiatorType } = /** @type {PerformanceResourceTiming} */ (entry);
      if (DRAWN.has(initiatorType) && !ofContent.has(name)) own.add(name);
    }
    return [...own].filter((address) => URL.canParse(address) && new URL(address).origin === origin);
  }

  /** @type {(node: Node) => string} the address of the image that an element shows; empty for any other element */
  function shownBy(node) {
    const { dom } = sitestencil;
    return !dom.isShadowRoot(node) && dom.isHtml(node, "img") ? dom.currentSrc(node) : "";
  }

  /** @type {(node: Node) => string} the address of a video's poster; empty for any other element */
  function posterOf(node) {
    const { dom } = sitestencil;
    const base = dom.baseUri(/** @type {any} */ (node));
    const poster = !dom.isShadowRoot(node) && dom.isHtml(node, "video") ? dom.get(node, "poster") : "";
    return poster && URL.canParse(poster, base) ? new URL(poster, base).href : "";
  }

  /** @type {(document: Document) => CSSStyleSheet[]} */
  function sheetsOf(document) {
    return Array.from(sitestencil.dom.styleSheets(document)).filter(({ href }) => href);
  }

  /** @type {(document: Document) => Promise<Array<[string, string]>>} sheets of other origins whose rules the page may read */
  function otherSheets(document) {
    const { origin } = location;
    const readable = sheetsOf(document)
      .filter(({ href }) => href && URL.canParse(href) && new URL(href).origin !== origin)
      .map((sheet) => ({ href: String(sheet.href), rules: sitestencil.rules.of(sheet) }))
      .filter(({ rules }) => rules);
    return Promise.all(
      readable.map(async ({ href, rules }) => /** @type {[string, string]} */ ([href, await base64(new Blob([rules?.join("\n") ?? ""]))])),
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

  /** @type {(file: Blob | null, sheet?: CSSStyleSheet) => Promise<Blob | null>} a style sheet with its current rules, after changes by scripts; `sheet`: made from it */
  async function withRulesOfNow(file, sheet) {
    if (!file || !sheet) return file;
    const text = await file.text();
    const now = sitestencil.rules.textNow(sheet, text);
    return now === text ? file : new Blob([now]);
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

  return { read, shownBy };
})();
