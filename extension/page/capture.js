"use strict";

/** Captures the page for saving: host/PROTOCOL.md, "The capture". The host decides what may go into a file. The capture leaves out all that a person typed. */
sitestencil.capture ??= (() => {
  const { dom } = sitestencil;
  const WITHOUT_TEXT = new Set(["script", "noscript"]);
  // Metadata and formulas, which no browser runs.
  const DATA = /^\s*(application\/ld\+json|math\/tex(;.*)?)\s*$/i;

  /** @typedef {Pick<KnownPage, "tree" | "template" | "contentTexts" | "unjudged">} Judged */

  /** @type {Sitestencil["capture"]["take"]} `hides`: the part that the file leaves out */
  function take(document, page, hides) {
    const { tree, snapshot, answer } = sitestencil;
    const now = tree.treeOf(document);
    const cut = sitestencil.typed.cutter(now, page);
    const isContent = hides !== "content";
    const judged = hides === "rest" ? { ...page, template: page.rest, contentTexts: page.mainTexts } : page;
    const template = templateNow(now, judged, isContent);
    const texts = textsOf(now, template, judged, isContent);
    const states = sitestencil.files.statesIn(now);
    const columns = snapshot.of(document, now, (element) => attributesOf(element, states).map((part, index) => (index % 2 ? cut.from(part) : part)));
    /** @type {(pairs: Array<[number, string]>) => Array<[number, string]>} */
    const cutAll = (pairs) => pairs.map(([index, text]) => [index, cut.from(text)]);
    /** @type {Capture} */
    const capture = {
      ...columns,
      url: cut.from(columns.url),
      base: cut.from(columns.base),
      texts: cut.textsOf(texts.map(({ text }) => text)).map((text, number) => [texts[number].text[0], texts[number].text[1], text]),
      template: answer.rangesOf(template),
      template_texts: answer.rangesOf(texts.map(({ isTemplate }) => isTemplate)),
      frame_bases: cutAll(rootsOf(now).map(([index, root]) => [index, dom.baseUri(/** @type {any} */ (root))])),
      adopted_sheets: cutAll(sheetsOf(now)),
      boxes: snapshot.boxesOf(now),
      images: cutAll(imagesOf(now, template, isContent)),
      ...(page.title && { title: cut.from(page.title) }),
    };
    return { capture, cut };
  }

  /**
   * The template of the current page. Nodes without a judgement are content in a file of the content; in a file of
   * the template they follow the node above them.
   * @type {(now: Tree, page: Judged, isContent: boolean) => Uint8Array}
   */
  function templateNow(now, page, isContent) {
    const answers = page.tree.elements.map((_, index) => (!page.unjudged.has(index) ? page.template[index] : isContent ? 0 : undefined));
    const known = new Map(page.tree.elements.map((node, index) => [node, answers[index]]));
    const template = new Uint8Array(now.elements.length);
    for (const [index, node] of now.elements.entries()) {
      template[index] = known.get(node) ?? (index === 0 ? 1 : template[now.parents[index]]);
    }
    return template;
  }

  /** @type {(now: Tree, template: Uint8Array, page: Judged, withData: boolean) => Array<{text: [number, number, string], isTemplate: number}>} */
  function textsOf({ elements, texts }, template, page, withData) {
    const { files } = sitestencil;
    const content = new Set(page.tree.texts.filter((_, number) => page.contentTexts[number]).map(({ node }) => node));
    /** @type {(node: Node) => boolean} */
    const isStyle = (node) => !dom.isShadowRoot(node) && dom.isHtml(node, "style");
    /** @type {Array<{text: [number, number, string], isTemplate: number}>} */
    const captured = texts
      .filter(({ parent }) => !isStyle(elements[parent]) && !isWithoutText(elements[parent], withData))
      .map(({ node, parent, after }) => textOf(parent, after, dom.data(node), template[parent] && !content.has(node)));
    for (const [index, node] of elements.entries()) {
      if (isStyle(node)) captured.push(textOf(index, -1, files.textOf(/** @type {HTMLStyleElement} */ (node)), 1));
    }
    return captured;
  }

  /** @type {(parent: number, after: number, text: string, isTemplate: unknown) => {text: [number, number, string], isTemplate: number}} */
  function textOf(parent, after, text, isTemplate) {
    return { text: [parent, after, text.toWellFormed()], isTemplate: Number(Boolean(isTemplate)) };
  }

  /** @type {(node: Node, withData: boolean) => boolean} */
  function isWithoutText(node, withData) {
    if (dom.isShadowRoot(node) || !WITHOUT_TEXT.has(dom.localName(node))) return false;
    return !(withData && dom.localName(node) === "script" && DATA.test(dom.get(node, "type")));
  }

  /** @type {(now: Tree, template: Uint8Array, ofContent: boolean) => Array<[number, string]>} the current address of each image */
  function imagesOf({ elements }, template, ofContent) {
    return [...elements.entries()]
      .filter(([index]) => Boolean(template[index]) !== ofContent)
      .map(([index, node]) => /** @type {[number, string]} */ ([index, sitestencil.files.shownBy(node).toWellFormed()]))
      .filter(([, address]) => /^(https?|blob):/.test(address));
  }

  /** @type {(now: Tree) => Array<[number, Element]>} the `html` elements of documents, the page's own first */
  function rootsOf({ elements, roots }) {
    return Array.from(roots, (index) => [index, /** @type {Element} */ (elements[index])]);
  }

  /** The rules of adopted sheets, by the element of their shadow root or the `html` element of their document. @type {(now: Tree) => Array<[number, string]>} */
  function sheetsOf(now) {
    const { files } = sitestencil;
    const shadows = Array.from(now.shadowRoots, (index) => [index, now.elements[index]]);
    const owners = [...rootsOf(now).map(([index, root]) => [index, dom.ownerDocument(root)]), ...shadows];
    return owners
      .map(([index, owner]) => /** @type {[number, string]} */ ([index, files.adopted(/** @type {Document} */ (owner)).toWellFormed()]))
      .filter(([, text]) => text);
  }

  /** Names and values in turn, without the view's marks, with the state that scripts gave. @type {(element: Node, states: string[]) => string[]} `states`: that custom elements may have */
  function attributesOf(element, states) {
    const switched = dom.switched(element);
    // Of a field that the page defines, a state may be the person's choice.
    const mayTell = dom.localName(element).includes("-") && !dom.matches(element, ":enabled, :disabled");
    const isOn = mayTell ? states.filter((name) => dom.matches(element, `:state(${name})`)) : [];
    return [
      ...dom
        .names(element)
        .filter((name) => !name.startsWith(sitestencil.marks.NAME) && name !== switched?.name)
        .flatMap((name) => [name.toWellFormed(), dom.get(element, name).toWellFormed()]),
      ...(switched?.isOn ? [switched.name, ""] : []),
      ...isOn.flatMap((name) => [`state--${name.toLowerCase()}`, ""]),
    ];
  }

  /** Puts text into the clipboard, within the few seconds after the person's click in which browsers allow it. @type {(text: string) => Promise<boolean>} whether it is there */
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyByEvent(text); // Pages without https have no `clipboard`, and a page's policy may forbid it.
    }
  }

  /** @type {(text: string) => boolean} */
  function copyByEvent(text) {
    let isCopied = false;
    const onCopy = (/** @type {ClipboardEvent} */ event) => {
      if (!event.isTrusted || !event.clipboardData) return;
      // The page's listeners get neither the event nor a chance to put in another text.
      event.stopImmediatePropagation();
      event.preventDefault();
      event.clipboardData.clearData();
      event.clipboardData.setData("text/plain", text);
      isCopied = true;
    };
    addEventListener("copy", onCopy, { capture: true });
    try {
      return Document.prototype.execCommand.call(document, "copy") && isCopied;
    } finally {
      removeEventListener("copy", onCopy, { capture: true });
    }
  }

  return { take, copy };
})();
