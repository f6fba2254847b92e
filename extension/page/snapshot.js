"use strict";

/** Takes the snapshot of the live page for the host: host/PROTOCOL.md, "The snapshot". */
sitestencil.snapshot ??= (() => {
  const { dom } = sitestencil;
  const LONGEST_VALUE = 2048;
  const WHOLE = new Set(["id", "class", "href", "xlink:href"]);
  const WITHOUT_TEXT = new Set(["script", "style", "noscript"]);
  const MORE_THAN_SPACE = /\S/;
  const JSON_LD = "script[type='application/ld+json' i]";
  // White space behind other elements is the source's layout.
  const IN_LINE = new Set(["a", "b", "code", "em", "i", "span", "strong"]);
  const KEEPS_LINES = /^(?:pre(?!serve-spaces)|break-spaces)/;
  const QUOTE = 34;
  const BACKSLASH = 92;
  /** @type {ReadonlyMap<string | null, "svg" | "math">} */
  const NAMESPACES = new Map([
    ["http://www.w3.org/2000/svg", "svg"],
    ["http://www.w3.org/1998/Math/MathML", "math"],
  ]);

  /** Takes the snapshot, and keeps its nodes for the answer's indices. @type {(document: Document, tree?: Tree) => {snapshot: Snapshot, tree: Tree}} */
  function take(document, tree = sitestencil.tree.treeOf(document)) {
    /** @type {Snapshot["texts"]} */
    const texts = readable(tree).texts.map(({ node, parent, after }) => [parent, after, dom.data(node).toWellFormed()]);
    return { tree, snapshot: { ...of(document, tree, attributesOf), texts, boxes: boxesOf(tree), status: status(), json_ld: jsonLdOf(document) } };
  }

  /** @type {(tree: Tree) => Tree} the tree with the texts of a snapshot alone */
  function readable(tree) {
    tree.texts = tree.texts.filter(
      ({ node, parent }) => !WITHOUT_TEXT.has(tree.names[parent]) && MORE_THAN_SPACE.test(dom.data(node)),
    );
    return tree;
  }

  /** The columns of a tree's elements, and facts about the document. @type {Sitestencil["snapshot"]["of"]} `attributesOf`: names and values in turn */
  function of(document, tree, attributesOf) {
    const { elements, parents, names } = tree;
    /** @type {Map<string, number>} */
    const numbers = new Map();
    /** @type {Array<[number, number, "svg" | "math" | "other"]>} */
    const namespaces = [];
    /** @type {number[]} */
    const tags = [];
    /** @type {string[][]} */
    const attributes = [];
    for (const [index, node] of elements.entries()) {
      const shadow = dom.isShadowRoot(node);
      const name = names[index].toWellFormed();
      let number = numbers.get(name);
      if (number === undefined) numbers.set(name, (number = numbers.size));
      tags.push(number);
      attributes.push(shadow ? shadowOptions(node) : attributesOf(node));
      if (!shadow && !dom.isHtmlElement(node)) addTo(namespaces, index, NAMESPACES.get(dom.namespace(node)) ?? "other");
    }
    const doctype = dom.doctype(document);
    return {
      url: dom.url(document),
      base: dom.baseUri(document),
      scripting: true,
      doctype: doctype?.name ?? null,
      public_id: doctype?.publicId ?? null,
      system_id: doctype?.systemId ?? null,
      compat_mode: dom.compatMode(document),
      names: [...numbers.keys()],
      tags,
      parents,
      attributes,
      namespaces,
      lines: linesOf(tree),
    };
  }

  /** JSON-LD that says whether the page is free; its other scripts are not sent. @type {(document: Document) => string[]} */
  function jsonLdOf(document) {
    const root = dom.documentElement(document);
    const scripts = Array.from(root ? dom.all(root, JSON_LD) : [], (script) => dom.textContent(script).toWellFormed());
    return scripts.filter((text) => text.length <= 100_000 && text.includes("isAccessibleForFree")).slice(0, 10);
  }

  /** Ranges of the elements whose own line ends show. The style of the others is not asked for. @type {(tree: Tree) => Array<[number, number]>} */
  function linesOf({ elements, names, texts }) {
    const keeps = new Uint8Array(elements.length);
    const asked = new Set();
    for (const { node, parent, after } of texts) {
      if (asked.has(parent) || WITHOUT_TEXT.has(names[parent]) || !mayShowLines(dom.data(node), names[after])) continue;
      asked.add(parent);
      const drawnIn = dom.drawnIn(node);
      keeps[parent] = Number(drawnIn !== null && KEEPS_LINES.test(dom.styleOf(drawnIn).whiteSpace ?? ""));
    }
    return sitestencil.answer.rangesOf(keeps);
  }

  /** @type {(text: string, before: string | undefined) => boolean} `before`: the name of the element before it */
  function mayShowLines(text, before) {
    return text.includes("\n") && (MORE_THAN_SPACE.test(text) || IN_LINE.has(before ?? ""));
  }

  /** @type {(ranges: Array<[number, number, string]>, index: number, namespace: string) => void} */
  function addTo(ranges, index, namespace) {
    const last = ranges.at(-1);
    if (last && last[1] === index && last[2] === namespace) last[1]++;
    else ranges.push([index, index + 1, namespace]);
  }

  /** @type {(root: ShadowRoot) => string[]} */
  function shadowOptions({ delegatesFocus, clonable, serializable }) {
    return [
      "shadowrootmode",
      "open",
      ...(delegatesFocus ? ["shadowrootdelegatesfocus", ""] : []),
      ...(clonable ? ["shadowrootclonable", ""] : []),
      ...(serializable ? ["shadowrootserializable", ""] : []),
    ];
  }

  /** @type {(element: Node) => string[]} */
  function attributesOf(element) {
    const names = dom.names(element);
    /** @type {string[]} */
    const flat = [];
    for (const name of names) {
      const value = dom.get(element, name);
      flat.push(name.toWellFormed(), value.length > LONGEST_VALUE && !WHOLE.has(name) ? "" : value.toWellFormed());
    }
    return flat;
  }

  /**
   * The elements' boxes: x, y, width and height in whole pixels from the corner of their document, however it is
   * scrolled. The first box is the whole scrollable area, as `html` may be no taller than the window.
   * @type {Sitestencil["snapshot"]["boxesOf"]}
   */
  function boxesOf({ elements, parents, roots }) {
    /** The corner of each element's document in the window. @type {Array<{left: number, top: number}>} */
    const corners = [];
    return elements.map((element, number) => {
      if (!roots.has(number)) corners[number] = corners[parents[number]];
      if (dom.isShadowRoot(element)) return [0, 0, 0, 0];
      const { left, top, width, height } = dom.rect(element);
      if (roots.has(number)) corners[number] = { left, top };
      if (number === 0) return [0, 0, dom.scrollWidth(element), dom.scrollHeight(element)];
      const corner = corners[number];
      return [Math.round(left - corner.left), Math.round(top - corner.top), Math.round(width), Math.round(height)];
    });
  }

  /** @returns {number} the server's status of the page; 0 if unknown, as after a script has changed the address */
  function status() {
    const [entry] = performance.getEntriesByType("navigation");
    const { name = "", responseStatus = 0 } = /** @type {Partial<PerformanceNavigationTiming>} */ (entry ?? {});
    return name.split("#", 1)[0] === location.href.split("#", 1)[0] ? responseStatus : 0;
  }

  /** Packs the page as JSON text for the host, which is ten times as fast as sending objects. For a page over the limits it gives only the size. @type {(columns: Columns & {texts: ReadonlyArray<readonly [number, number, string]>}, mostBytes: number) => Packed} */
  function pack(columns, mostBytes) {
    const characters = charactersOf(columns);
    // Before it is written: no string of a browser holds a page of a gigabyte.
    if (characters > mostBytes) return { bytes: characters };
    const json = JSON.stringify(columns);
    const bytes = bytesOf(json, mostBytes);
    return bytes > mostBytes ? { bytes } : { json };
  }

  /** @type {(json: string, mostBytes: number) => number} how many bytes the host is sent: the text is a string of a message, in which its quotes are escaped */
  function bytesOf(json, mostBytes) {
    const bytes = json.length * 3 > mostBytes ? new Blob([json]).size : json.length * 3;
    if (bytes * 2 <= mostBytes) return bytes;
    let escapes = 0;
    for (let index = 0; index < json.length; index++) {
      const character = json.charCodeAt(index);
      if (character === QUOTE || character === BACKSLASH) escapes++;
    }
    return bytes + escapes;
  }

  /** @type {(columns: Columns & {texts: ReadonlyArray<readonly [number, number, string]>}) => number} how many characters stand in texts and attributes: it is at least as many bytes */
  function charactersOf({ texts, attributes }) {
    let count = 0;
    for (const [, , text] of texts) count += text.length;
    for (const flat of attributes) for (const part of flat) count += part.length;
    return count;
  }

  /** Waits until a page in a background tab has settled: no new content comes, and it has links. @type {Sitestencil["snapshot"]["settled"]} */
  function settled(quietMs, mostMs) {
    return new Promise((resolve) => {
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let quiet;
      const done = () => {
        observer.disconnect();
        clearTimeout(quiet);
        clearTimeout(late);
        resolve({ status: status() });
      };
      const wait = () => {
        clearTimeout(quiet);
        quiet = setTimeout(() => (dom.first(document, "a[href]") ? done() : wait()), quietMs);
      };
      const observer = new MutationObserver(wait);
      observer.observe(document, { subtree: true, childList: true, characterData: true });
      const late = setTimeout(done, mostMs);
      wait();
    });
  }

  return { take, readable, of, boxesOf, status, pack, settled };
})();
