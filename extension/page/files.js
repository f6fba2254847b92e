"use strict";

/**
 * What the page is drawn with, as far as the page may read it without asking anybody anew: style sheets, images and
 * fonts of its own origin, most of them from the browser's cache, and rules of other sheets that it may read.
 */
sitestencil.files ??= (() => {
  const DRAWN = new Set(["css", "link", "img", "image", "input", "other"]);
  const MOST_FILES = 200;
  const MOST_BYTES = 16_000_000;
  const LARGEST = 5_000_000;
  const AT_A_TIME = 8;
  const WITHIN_MS = 5_000;
  const BYTES_AT_ONCE = 0x8000;

  /**
   * @param {Document} document
   * @param {KnownPage} page
   * @returns {Promise<Array<[string, string]>>} addresses, and bytes in base64
   */
  async function read(document, page) {
    const signal = AbortSignal.timeout(WITHIN_MS);
    const waiting = addressesOf(document, page).slice(0, MOST_FILES);
    /** @type {Array<[string, string]>} */
    const files = [];
    let left = MOST_BYTES;
    const work = async () => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
        const bytes = await bytesAt(url, signal);
        if (!bytes || bytes.length > left) continue;
        left -= bytes.length;
        files.push([url, base64(bytes)]);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    return [...files, ...otherSheets(document)];
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
      const address = shownBy(element);
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

  /** @type {(document: Document) => CSSStyleSheet[]} */
  function sheetsOf(document) {
    return Array.from(sitestencil.dom.styleSheets(document)).filter(({ href }) => href);
  }

  /** @type {(document: Document) => Array<[string, string]>} sheets of other origins whose rules the page may read */
  function otherSheets(document) {
    const { origin } = location;
    return sheetsOf(document)
      .filter(({ href }) => href && URL.canParse(href) && new URL(href).origin !== origin)
      .flatMap((sheet) => {
        const rules = sitestencil.rules.of(sheet);
        return rules ? [/** @type {[string, string]} */ ([sheet.href, base64(new TextEncoder().encode(rules.join("\n")))])] : [];
      });
  }

  /**
   * @param {string} url
   * @param {AbortSignal} signal
   * @returns {Promise<Uint8Array | null>} null for what cannot be had
   */
  async function bytesAt(url, signal) {
    try {
      const answer = await fetch(url, { cache: "force-cache", signal });
      if (!answer.ok || Number(answer.headers.get("content-length")) > LARGEST) return null;
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return bytes.length > LARGEST ? null : bytes;
    } catch {
      return null;
    }
  }

  /** @type {(bytes: Uint8Array) => string} */
  function base64(bytes) {
    let text = "";
    for (let start = 0; start < bytes.length; start += BYTES_AT_ONCE) {
      text += String.fromCharCode(...bytes.subarray(start, start + BYTES_AT_ONCE));
    }
    return btoa(text);
  }

  return { read, shownBy };
})();
