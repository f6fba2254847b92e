"use strict";

// The first of the page's scripts. They run in the extension's isolated world, in the order of background/page.js,
// and share one object there. A page may name a form field `attributes` or `parentNode`, and then `form.attributes`
// is that field. So the scripts read the page through the prototypes' own getters.

// A page's element of this name would stand in the way, or go when the page removes it.
if (!Object.hasOwn(globalThis, "sitestencil")) {
  Object.defineProperty(globalThis, "sitestencil", { value: /** @type {Sitestencil} */ ({}) });
}

sitestencil.dom ??= (() => {
  /** @type {(prototype: object, name: string) => (node: Node) => any} */
  function getter(prototype, name) {
    const get = /** @type {() => any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
    return (node) => get.call(node);
  }

  /** @template {string} Name @param {object} prototype @param {...Name} names */
  const getters = (prototype, ...names) =>
    /** @type {Record<Name, (node: Node) => any>} */ (Object.fromEntries(names.map((name) => [name, getter(prototype, name)])));

  const { matches, hasAttribute, getAttribute, getAttributeNames, setAttribute, removeAttribute } = Element.prototype;
  const frameDocument = getter(HTMLIFrameElement.prototype, "contentDocument");
  const oldFrameDocument = getter(HTMLFrameElement.prototype, "contentDocument");
  const createElement = /** @type {(this: Document, name: string) => any} */ (Document.prototype.createElement);
  const boundingRect = /** @type {(this: Node) => DOMRect} */ (Element.prototype.getBoundingClientRect);
  const scrollTo = /** @type {(this: Node, where: ScrollToOptions) => void} */ (Element.prototype.scrollTo);
  const activeElement = getter(Document.prototype, "activeElement");
  const shadowRootOf = getter(Element.prototype, "shadowRoot");
  const slotOf = getter(Element.prototype, "assignedSlot");
  const slotOfText = getter(Text.prototype, "assignedSlot");
  /** @type {WeakSet<Node>} */
  const shadowRoots = new WeakSet();
  const querySelector = [Document, DocumentFragment].map(
    ({ prototype }) => /** @type {(this: Node, selector: string) => Element | null} */ (prototype.querySelector),
  );
  const [allIn, allInFragment] = [Element, DocumentFragment].map(
    ({ prototype }) => /** @type {(this: Node, selector: string) => NodeListOf<Element>} */ (prototype.querySelectorAll),
  );
  const [isChecked, formOfInput, kindOf] = ["checked", "form", "type"].map((name) => getter(HTMLInputElement.prototype, name));
  const [isSelected, place] = ["selected", "index"].map((name) => getter(HTMLOptionElement.prototype, name));
  const [formOfSelect, isMultiple] = ["form", "multiple"].map((name) => getter(HTMLSelectElement.prototype, name));
  const closest = /** @type {(this: Node, selector: string) => Element | null} */ (Element.prototype.closest);
  const isConnected = getter(Node.prototype, "isConnected");
  // A browser does not tell whether a person switched what is disabled now.
  const MAY_BE_CHOSEN = ":user-valid, :user-invalid, :disabled";
  const XHTML = "http://www.w3.org/1999/xhtml";

  /** @param {Node} node */
  function rangeOf(node) {
    const range = Document.prototype.createRange.call(dom.ownerDocument(node));
    range.selectNode(node);
    return range;
  }

  /** @type {Sitestencil["dom"]} */
  const dom = {
    ...getters(Node.prototype, "nodeType", "firstChild", "nextSibling", "parentNode", "ownerDocument", "textContent"),
    ...getters(Element.prototype, "localName", "scrollLeft", "scrollTop", "scrollWidth", "scrollHeight", "clientHeight"),
    ...getters(Document.prototype, "documentElement", "doctype", "title", "compatMode", "contentType", "styleSheets", "designMode"),
    isConnected(node) {
      try {
        return isConnected(node);
      } catch {
        return false; // In Firefox, nodes die with their frame.
      }
    },
    namespace: getter(Element.prototype, "namespaceURI"),
    shadowRoot(element) {
      const root = shadowRootOf(element);
      if (root) shadowRoots.add(root);
      return root;
    },
    assignedSlot: (node) => (dom.nodeType(node) === Node.TEXT_NODE ? slotOfText : slotOf)(node),
    data: getter(CharacterData.prototype, "data"),
    url: getter(Document.prototype, "URL"),
    baseUri: getter(Node.prototype, "baseURI"),
    view: getter(Document.prototype, "defaultView"),
    activeElement: (within) => (dom.isShadowRoot(within) ? within.activeElement : activeElement(within)),
    rect: (node) => (dom.nodeType(node) === Node.TEXT_NODE ? rangeOf(node).getBoundingClientRect() : boundingRect.call(node)),
    scrollTo: (element, left, top) => scrollTo.call(element, { left, top, behavior: "instant" }),
    /** Scrolls whatever holds an element or text, so that its top is this far below the window's. */
    scrollToStart(node, margin) {
      const holder = dom.nodeType(node) === Node.TEXT_NODE ? dom.parentNode(node) : node;
      const place = holder && dom.nodeType(holder) === Node.ELEMENT_NODE ? holder : null;
      if (place) Element.prototype.scrollIntoView.call(/** @type {Element} */ (place), { block: "start", inline: "nearest", behavior: "instant" });
      // A holder can begin far above its text, and a page can add margins.
      dom.windowOf(node).scrollBy({ top: rangeOf(node).getBoundingClientRect().top - margin, behavior: "instant" });
    },
    value: getter(HTMLInputElement.prototype, "value"),
    kind: kindOf,
    textValue: getter(HTMLTextAreaElement.prototype, "value"),
    textDefault: getter(HTMLTextAreaElement.prototype, "defaultValue"),
    currentSrc: getter(HTMLImageElement.prototype, "currentSrc"),

    /** Remembers the results of `shadowRoot`: reading each node's type is slow in Firefox. */
    isShadowRoot: /** @returns {node is ShadowRoot} */ (node) => shadowRoots.has(node),
    first: (root, selector) => querySelector[Number(dom.isShadowRoot(root))].call(root, selector),
    all: (root, selector) => (dom.isShadowRoot(root) ? allInFragment : allIn).call(root, selector),
    has: (element, name) => hasAttribute.call(element, name),
    get: (element, name) => getAttribute.call(element, name) ?? "",
    names: (element) => getAttributeNames.call(element),
    matches(element, selector) {
      try {
        return matches.call(element, selector);
      } catch {
        return null;
      }
    },
    /** The state of a box or an option outside of forms, as an attribute. null for other elements, and where a person may have chosen. */
    switched(element) {
      const owner = dom.isHtml(element, "option") ? closest.call(element, "select") : dom.isHtml(element, "input") ? element : null;
      if (!owner || dom.matches(owner, MAY_BE_CHOSEN) !== false) return null;
      if (owner !== element) {
        const isOn = isSelected(element) && (place(element) > 0 || isMultiple(owner));
        return formOfSelect(owner) ? null : { name: "selected", isOn };
      }
      const [kind, isOn] = [kindOf(element), isChecked(element)];
      // A radio button is off also where a person chose another one.
      const isTold = kind === "checkbox" || (kind === "radio" && isOn);
      return isTold && !formOfInput(element) ? { name: "checked", isOn } : null;
    },
    set: (element, name, value) => setAttribute.call(element, name, value),
    remove: (element, name) => removeAttribute.call(element, name),

    isHtml: (element, name) => dom.localName(element) === name && dom.isHtmlElement(element),
    isHtmlElement: (element) => dom.namespace(element) === XHTML,

    /** The `html` element of a frame's document, if the frame is of the page's own origin. */
    frameRoot(element) {
      const name = dom.localName(element);
      if ((name !== "iframe" && name !== "frame") || !dom.isHtmlElement(element)) return null;
      try {
        const document = name === "iframe" ? frameDocument(element) : oldFrameDocument(element);
        const root = document && dom.documentElement(document);
        return root && dom.isHtml(root, "html") ? root : null;
      } catch {
        return null;
      }
    },

    /** The element that a node is drawn in: its slot, its parent, the host of its shadow root, or the frame of its document. */
    drawnIn(node) {
      const above = dom.assignedSlot(node) ?? dom.parentNode(node);
      if (!above || dom.nodeType(above) === Node.ELEMENT_NODE) return /** @type {Element | null} */ (above);
      return dom.isShadowRoot(above) ? above.host : (dom.view(/** @type {Document} */ (above))?.frameElement ?? null);
    },

    windowOf: (element) => dom.view(/** @type {Document} */ (dom.ownerDocument(element))) ?? window,
    styleOf: (element) => dom.windowOf(element).getComputedStyle(/** @type {Element} */ (element)) ?? {},
    create: (name) => createElement.call(document, name),
  };
  return dom;
})();
