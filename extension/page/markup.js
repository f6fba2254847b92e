"use strict";

/** A live tree as HTML text: the serialisation of the HTML standard (13.3), for what is to be kept of it. */
sitestencil.markup ??= (() => {
  const VOID = new Set(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split(" "),
  );
  const RAW = new Set("style script xmp iframe noembed noframes plaintext noscript".split(" "));
  const EATS_NEWLINE = new Set(["pre", "textarea", "listing"]);

  /**
   * @param {Document} document
   * @param {Choice} choice
   * @returns {string}
   */
  function html(document, choice) {
    const root = sitestencil.dom.documentElement(document);
    /** @type {string[]} */
    const parts = [doctype(document)];
    if (root) element(root, choice, parts);
    return `${parts.join("")}\n`;
  }

  /** @type {(document: Document) => string} */
  function doctype(document) {
    const found = sitestencil.dom.doctype(document);
    if (!found) return "";
    const system = found.systemId ? ` "${found.systemId}"` : "";
    const ids = found.publicId ? ` PUBLIC "${found.publicId}"${system}` : system && ` SYSTEM${system}`;
    return `<!DOCTYPE ${found.name}${ids}>\n`;
  }

  /** @type {(node: Element, choice: Choice, parts: string[]) => void} */
  function element(node, choice, parts) {
    const { dom, rules, values } = sitestencil;
    if (!choice.keeps(node)) return;
    const name = dom.qualifiedName(node);
    const isHtml = dom.isHtml(node, name);
    const frame = dom.frameRoot(node);
    parts.push(`<${name}${attributes(node, choice)}`);
    if (frame) parts.push(` srcdoc="${escapeValue(framed(frame, choice))}"`);
    parts.push(">");
    if (isHtml && VOID.has(name)) return;
    const shadow = dom.shadowRoot(node);
    if (shadow) shadowRoot(shadow, choice, parts);
    const text = values.textOf(node);
    if (isHtml && name === "style") {
      parts.push(styleText(sitestencil.addresses.css(rules.textOf(/** @type {HTMLStyleElement} */ (node)), choice.base)));
    } else if (text !== null) {
      parts.push(text.startsWith("\n") ? "\n" : "", escapeText(text));
    } else if (!frame) {
      if (isHtml && name === "head") parts.push(choice.head);
      children(isHtml && name === "template" ? dom.templateContent(node) : node, choice, parts, isHtml ? name : "");
      if (isHtml && name === "head") parts.push(adopted(/** @type {Document} */ (dom.ownerDocument(node)), choice));
    }
    parts.push(`</${name}>`);
  }

  /** @type {(parent: Node, choice: Choice, parts: string[], name: string) => void} */
  function children(parent, choice, parts, name) {
    const { dom } = sitestencil;
    for (let node = dom.firstChild(parent); node; node = dom.nextSibling(node)) {
      if (dom.nodeType(node) === Node.ELEMENT_NODE) element(/** @type {Element} */ (node), choice, parts);
      else if (dom.nodeType(node) === Node.TEXT_NODE && choice.keepsText(/** @type {Text} */ (node))) {
        const data = dom.data(node);
        if (node === dom.firstChild(parent) && EATS_NEWLINE.has(name) && data.startsWith("\n")) parts.push("\n");
        parts.push(RAW.has(name) ? data : escapeText(data));
      }
    }
  }

  /** @type {(root: ShadowRoot, choice: Choice, parts: string[]) => void} */
  function shadowRoot(root, choice, parts) {
    if (!choice.keeps(root)) return;
    const options = [
      root.delegatesFocus && " shadowrootdelegatesfocus",
      root.clonable && " shadowrootclonable",
      root.serializable && " shadowrootserializable",
    ];
    parts.push(`<template shadowrootmode="open"${options.filter(Boolean).join("")}>`);
    parts.push(adopted(root, choice));
    children(root, choice, parts, "");
    parts.push("</template>");
  }

  /** @type {(root: Element, choice: Choice) => string} */
  function framed(root, choice) {
    const { dom } = sitestencil;
    const document = /** @type {Document} */ (dom.ownerDocument(root));
    return html(document, { ...choice, base: dom.baseUri(document), head: "" });
  }

  /** @type {(node: Element, choice: Choice) => string} */
  function attributes(node, { base }) {
    const { dom, values, addresses } = sitestencil;
    const entered = values.attributesOf(node);
    const isFrame = dom.frameRoot(node) !== null;
    const names = new Set([...dom.names(node), ...Object.keys(entered)]);
    let written = "";
    for (const name of names) {
      if (name.startsWith("data-sitestencil") || (isFrame && name === "src")) continue;
      if (name === "crossorigin" && dom.isHtml(node, "link")) continue;
      const value = name in entered ? entered[name] : addresses.attribute(name, dom.get(node, name), base);
      if (value !== null) written += ` ${name}="${escapeValue(value)}"`;
    }
    return written;
  }

  /** @type {(owner: Document | ShadowRoot, choice: Choice) => string} */
  function adopted(owner, { base }) {
    const text = sitestencil.rules.adopted(owner);
    return text && `<style>${styleText(sitestencil.addresses.css(text, base))}</style>`;
  }

  /** @type {(text: string) => string} text that cannot end the `style` element it is put into */
  function styleText(text) {
    return text.replace(/<\/(?=style)/gi, "<\\/");
  }

  /** @type {(text: string) => string} */
  function escapeText(text) {
    return text.replaceAll("&", "&amp;").replaceAll("\u00a0", "&nbsp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  }

  /** @type {(text: string) => string} */
  function escapeValue(text) {
    return escapeText(text).replaceAll('"', "&quot;");
  }

  return { html, escapeText };
})();
