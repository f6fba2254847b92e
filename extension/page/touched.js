"use strict";

/**
 * Where a person typed. The scripts come with the first click, so they hear only what is typed later; of what was typed
 * before, the browser's own pseudo-classes tell. Values that a script set are the page's.
 */
sitestencil.touched ??= (() => {
  const { dom } = sitestencil;
  const NOT_TYPED = new Set("hidden checkbox radio range color file submit reset button image".split(" "));
  const EDITABLE = '[contenteditable]:not([contenteditable="false" i])';
  const USED = ":user-valid, :user-invalid, :focus:read-write";
  // Editors draw in these, and lists of comments beside a field in others.
  const DRAWN_IN = "div, span, pre";
  const NOT_DRAWN = "p, h1, h2, h3, h4, h5, h6, li, article, section, main, table, form, label, button, a, input, select";
  // Tools that keep passwords fill these by scripts.
  const SECRET = "input:is([type=password i], [autocomplete*=username i], [autocomplete*=password i], [autocomplete*=cc- i], [autocomplete*=one-time i])";
  const LEVELS = 2;
  const LEAST_FIELD = 20;
  const MOST_WRITTEN = 1000;

  /** The order of the last input in each field. @type {WeakMap<EventTarget, number>} */
  const touched = new WeakMap();
  let inputs = 0;

  /** The value of each field after its last input: a page may put a new field with this value in its place. @type {Map<number, string>} */
  const written = new Map();

  /** The fields whose last input put something in: if one is empty now, the page emptied it. @type {WeakSet<EventTarget>} */
  const filled = new WeakSet();

  function onInput(/** @type {Event} */ event) {
    if (!event.isTrusted) return;
    const [field] = event.composedPath();
    written.delete(touched.get(field) ?? 0);
    touched.set(field, ++inputs);
    written.set(inputs, valueOf(/** @type {Node} */ (field)));
    written.delete(inputs - MOST_WRITTEN);
    if (event.type !== "input") return;
    if (/** @type {InputEvent} */ (event).inputType?.startsWith("insert")) filled.add(field);
    else filled.delete(field);
  }

  /** A frame keeps its window for another document, without the listeners. Twice the same counts once. @type {(window: Window) => void} */
  function listen(window) {
    for (const name of ["input", "change"]) window.addEventListener(name, onInput, { capture: true, passive: true });
  }

  /** @type {(node: Node) => boolean} whether a person has typed anything in the window of a node: browsers count these events from its beginning */
  const isActive = (node) => dom.windowOf(node).performance.eventCounts?.get("input") !== 0;

  /** @type {Sitestencil["touched"]["readIn"]} */
  function readIn(tree) {
    const { elements, parents, names, roots, shadowRoots } = tree;
    for (const root of roots) listen(dom.windowOf(elements[root]));
    const hidden = closedIn(elements.filter((node, index) => names[index].includes("-") || touched.has(node)));
    const fields = [...elements.filter((_, index) => names[index] === "input" || names[index] === "textarea"), ...hidden].filter(isTyped);
    const marked = [...roots, ...shadowRoots].flatMap((index) => [elements[index], ...dom.all(elements[index], EDITABLE)]);
    const editors = elements.flatMap((node, index) => (names[index] === "textarea" ? (editorOf(node) ?? []) : []));
    const places = new Set([...marked.filter(isEditable), ...editors]);
    /** @type {Array<Node | undefined>} */
    const around = [];
    if (places.size) for (const [index, node] of elements.entries()) around.push(around[parents[index]] ?? (places.has(node) ? node : undefined));
    const latest = fields.sort((a, b) => (touched.get(b) ?? 0) - (touched.get(a) ?? 0));
    return { values: [...latest.map(valueOf), ...hidden.filter(isEditable).map((node) => dom.textContent(node))], around };
  }

  /** @type {(hosts: Iterable<Node>) => Element[]} what stands in closed shadow roots of custom elements */
  function closedIn(hosts) {
    // Firefox has a property of this name, Chromium a function.
    const api = /** @type {any} */ (sitestencil.api.held())?.dom;
    /** @type {Element[]} */
    const found = [];
    for (const list of [hosts, found]) {
      for (const host of list) {
        if (!dom.isHtmlElement(host) || !(dom.localName(host).includes("-") || touched.has(host)) || (list === hosts && dom.shadowRoot(host))) continue;
        const root = dom.shadowRoot(host) ?? /** @type {any} */ (host).openOrClosedShadowRoot ?? api?.openOrClosedShadowRoot(host);
        const inner = root ? [...DocumentFragment.prototype.querySelectorAll.call(root, "*")] : [];
        // Events do not tell which of its fields they come from.
        for (const one of inner) {
          if (touched.has(host)) touched.set(one, touched.get(host) ?? 0);
          found.push(one);
        }
      }
    }
    return found;
  }

  /** @type {(node: Node) => boolean} */
  function isEditable(node) {
    if (dom.isShadowRoot(node) || !isActive(node)) return false;
    return dom.matches(node, EDITABLE) === true || (dom.isHtml(node, "html") && dom.designMode(/** @type {Document} */ (dom.ownerDocument(node))) === "on");
  }

  /** @type {(field: Node) => boolean} */
  function isDrawn(field) {
    const { width, height } = dom.rect(field);
    return Math.min(width, height) > LEAST_FIELD && dom.styleOf(field).opacity !== "0";
  }

  /** Many editors empty the field that has the focus, and draw its text themselves: mostly a small or clear one. @type {(field: Node) => Node | null} what they draw it in */
  function editorOf(field) {
    if (valueOf(field) !== "" || !isUsed(field) || (isDrawn(field) && !filled.has(field))) return null;
    let place = dom.parentNode(field);
    for (let level = 0; place && level < LEVELS; level++, place = dom.parentNode(place)) {
      if (dom.nodeType(place) !== Node.ELEMENT_NODE || !(dom.localName(place).includes("-") || dom.matches(place, DRAWN_IN))) return null;
      if (dom.all(/** @type {Element} */ (place), NOT_DRAWN).length) return null;
      if (dom.textContent(place).trim()) return place;
    }
    return null;
  }

  /** @type {(node: Node) => string} the value of a field for text; empty for all else */
  function valueOf(node) {
    if (dom.isHtml(node, "textarea")) return dom.textValue(node);
    return dom.isHtml(node, "input") && !NOT_TYPED.has(dom.kind(node)) ? dom.value(node) : "";
  }

  /** @type {(field: Node) => boolean} */
  function isUsed(field) {
    return touched.has(field) || dom.matches(field, SECRET) === true || dom.matches(field, ":autofill") === true || (isActive(field) && dom.matches(field, USED) === true);
  }

  /** Of a field that a script has disabled since, the browser tells nothing. @type {(node: Node) => boolean} */
  function isTyped(node) {
    const value = valueOf(node);
    if (value === "") return false;
    const before = dom.isHtml(node, "textarea") ? dom.textDefault(node) : dom.get(node, "value");
    return isUsed(node) || [...written.values()].includes(value) || (value !== before && isActive(node) && dom.matches(node, ":disabled") === true);
  }

  listen(window);
  return { readIn };
})();
