"use strict";

/** The template as a file: the live page without its content, scripts and addresses of its own. */
sitestencil.save ??= (() => {
  const NEVER_KEPT = new Set(["script", "noscript", "base"]);
  // What a head says of this page only: it describes content, and no page built on the template.
  const PAGE_LINKS = new Set("canonical prev next shortlink amphtml alternate bookmark pingback".split(" "));
  const LOADED_FOR_SCRIPTS = new Set("modulepreload preload prefetch prerender dns-prefetch preconnect".split(" "));
  const SITE_META = new Set(
    "viewport theme-color color-scheme generator application-name msapplication-tilecolor referrer".split(" "),
  );
  const LONGEST_NAME = 100;

  /**
   * Saves the template by a download.
   * @param {Document} document
   * @param {KnownPage} page
   * @returns {string} the file's name
   */
  function save(document, page) {
    const name = fileName(location.hostname, sitestencil.dom.title(document));
    const address = URL.createObjectURL(new Blob([html(document, page)], { type: "text/html" }));
    const link = sitestencil.dom.create("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return name;
  }

  /**
   * @param {Document} document
   * @param {KnownPage} page
   * @returns {string}
   */
  function html(document, page) {
    const { dom, markup, tree } = sitestencil;
    const now = tree.treeOf(document);
    const template = templateNow(now, page);
    const kept = keptNodes(now, template);
    const contentTexts = new Set(page.tree.texts.filter((_, number) => page.contentTexts[number]).map(({ node }) => node));
    const texts = new Set(
      now.texts.filter(({ node, parent }) => template[parent] && !contentTexts.has(node)).map(({ node }) => node),
    );
    const title = markup.escapeText(`Template of ${location.hostname}`);
    return markup.html(document, {
      // What stands in a `template` element is in no tree of the page.
      keeps: (node) => kept.has(node) || (!dom.isConnected(node) && !isDropped(node)),
      keepsText: (node) => texts.has(node) || !dom.isConnected(node),
      base: dom.baseUri(document),
      head: `<meta charset="utf-8">\n<title>${title}</title>\n`,
    });
  }

  /**
   * What of the page as it is now is template: a node that came later is what the node above it is.
   * @param {Tree} now
   * @param {KnownPage} page
   * @returns {Uint8Array}
   */
  function templateNow(now, page) {
    const known = new Map(page.tree.elements.map((node, index) => [node, page.template[index]]));
    const template = new Uint8Array(now.elements.length);
    for (const [index, node] of now.elements.entries()) {
      template[index] = known.get(node) ?? (index === 0 ? 1 : template[now.parents[index]]);
    }
    return template;
  }

  /**
   * The nodes to write: template, and the containers around it.
   * @param {Tree} now
   * @param {Uint8Array} template
   * @returns {Set<Node>}
   */
  function keptNodes({ elements, parents }, template) {
    const { panel } = sitestencil;
    const keep = new Uint8Array(elements.length);
    for (let index = elements.length - 1; index >= 0; index--) {
      const node = elements[index];
      if (panel.isPanel(node) || isDropped(node)) continue;
      if (template[index] || isStyle(node)) keep[index] = 1;
      if (keep[index] && index > 0) keep[parents[index]] = 1;
    }
    return new Set(elements.filter((_, index) => keep[index]));
  }

  /** @type {(node: Node) => boolean} */
  function isDropped(node) {
    const { dom } = sitestencil;
    if (dom.isShadowRoot(node)) return false;
    const name = dom.localName(node);
    if (NEVER_KEPT.has(name)) return true;
    if (dom.isHtml(node, "link")) {
      const relations = dom.get(node, "rel").toLowerCase().split(/\s+/);
      return relations.some((one) => PAGE_LINKS.has(one) || LOADED_FOR_SCRIPTS.has(one)) && !relations.includes("stylesheet");
    }
    if (dom.isHtml(node, "meta")) return !SITE_META.has(dom.get(node, "name").toLowerCase());
    return dom.isHtml(node, "title");
  }

  /** @type {(node: Node) => boolean} what the template's look may hang on, wherever it stands */
  function isStyle(node) {
    const { dom } = sitestencil;
    if (dom.isShadowRoot(node)) return false;
    if (dom.isHtml(node, "style")) return true;
    return dom.isHtml(node, "link") && dom.get(node, "rel").toLowerCase().split(/\s+/).includes("stylesheet");
  }

  /**
   * @param {string} host
   * @param {string} title
   * @returns {string} a name that every system takes
   */
  function fileName(host, title) {
    const words = [host, title]
      // eslint-disable-next-line no-control-regex -- no system takes them in a name
      .map((part) => part.replace(/[\u0000-\u001f\u007f-\u009f"*/:<>?\\|~%]+/g, " ").replace(/\s+/g, " ").trim())
      .filter(Boolean);
    const short = [...words.join(" - ").toWellFormed()].slice(0, LONGEST_NAME).join("");
    return `${short.replace(/^[.\s]+|[.\s]+$/g, "") || "page"} - template.html`;
  }

  return { save, html, fileName };
})();
