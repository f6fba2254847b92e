"use strict";

/** Addresses made absolute, in attributes and in CSS, so that a page works from a file of its own. */
sitestencil.addresses ??= (() => {
  const ADDRESSES = new Set("href src poster action formaction data background cite longdesc xlink:href".split(" "));
  const SOURCE_SETS = new Set(["srcset", "imagesrcset"]);
  const DROPPED = new Set(["nonce", "integrity", "ping", "srcdoc"]);
  const CSS_ADDRESS = /(url\(\s*|@import\s+)(?:"([^"]*)"|'([^']*)'|([^\s"')]+(?=\s*\))))/gi;
  const SCRIPT = /^(javascript|vbscript):/i;

  /**
   * @param {string} reference
   * @param {string} base
   * @returns {string} the reference itself where it is empty, stays within the document, or is no address
   */
  function absolute(reference, base) {
    const trimmed = reference.trim();
    if (!trimmed || trimmed.startsWith("#")) return reference;
    // eslint-disable-next-line no-control-regex -- browsers skip them, so `java\nscript:` is a script too
    if (SCRIPT.test(trimmed.replace(/[\u0000-\u0020]/g, ""))) return "#";
    return URL.parse(trimmed, base)?.href ?? reference;
  }

  /**
   * @param {string} value a `srcset`
   * @param {string} base
   * @returns {string}
   */
  function sourceSet(value, base) {
    const found = [];
    let rest = value;
    for (;;) {
      rest = rest.replace(/^[\s,]+/, "");
      if (!rest) return found.join(", ");
      const [address] = /** @type {RegExpMatchArray} */ (rest.match(/^\S+/));
      rest = rest.slice(address.length);
      let descriptor = "";
      if (!address.endsWith(",")) {
        [descriptor] = /** @type {RegExpMatchArray} */ (rest.match(/^(?:\([^)]*\)|[^,(])*/));
        rest = rest.slice(descriptor.length);
      }
      found.push(`${absolute(address.replace(/,+$/, ""), base)} ${descriptor.trim()}`.trim());
    }
  }

  /**
   * @param {string} text CSS
   * @param {string} base
   * @returns {string}
   */
  function css(text, base) {
    return text.replace(CSS_ADDRESS, (_, opening, double, single, bare) => {
      const reference = double ?? single ?? bare;
      const address = /^(#|data:)/i.test(reference) ? reference : absolute(reference, base);
      return `${opening}"${address.replaceAll('"', "%22")}"`;
    });
  }

  /**
   * @param {string} name
   * @param {string} value
   * @param {string} base
   * @returns {string | null} the value to save, null for an attribute that a saved page must not have
   */
  function attribute(name, value, base) {
    const lower = name.toLowerCase();
    if (lower.startsWith("on") || DROPPED.has(lower)) return null;
    if (ADDRESSES.has(lower)) return absolute(value, base);
    if (SOURCE_SETS.has(lower)) return sourceSet(value, base);
    return lower === "style" ? css(value, base) : value;
  }

  return { absolute, sourceSet, css, attribute };
})();
