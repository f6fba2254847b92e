"use strict";

/** The focus and the selection, as they were before a view. */
sitestencil.focus ??= (() => {
  const { dom } = sitestencil;

  /** @type {Sitestencil["focus"]["now"]} */
  const now = () => ({ element: focused(document), selection: selected() });

  /** @type {Sitestencil["focus"]["back"]} */
  function back({ element, selection }) {
    if (!element || !dom.isConnected(element) || isTaken(element)) return;
    /** @type {HTMLElement} */ (element).focus({ preventScroll: true });
    // Firefox moves the selection along with the focus.
    const now = selected();
    const moved = selection?.some((part, index) => part !== now?.[index]);
    if (!selection || !moved || !dom.isConnected(selection[0]) || !dom.isConnected(selection[2])) return;
    try {
      getSelection()?.setBaseAndExtent(...selection);
    } catch {
      // The page has shortened the text: the selection no longer exists.
    }
  }

  /** @returns {Focus["selection"]} */
  function selected() {
    const selection = getSelection();
    if (!selection?.anchorNode || !selection.focusNode) return null;
    return [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset];
  }

  /** @type {(formerly: Element) => boolean} whether the person has moved the focus */
  function isTaken(formerly) {
    const now = focused(document);
    const frame = now && dom.frameRoot(now);
    return now !== null && !(frame && dom.ownerDocument(frame) === dom.ownerDocument(formerly));
  }

  /** The focused element, in any shadow root or frame. @type {(within: Document | ShadowRoot) => Element | null} */
  function focused(within) {
    const active = dom.activeElement(within);
    if (!active || dom.isHtml(active, "body") || dom.isHtml(active, "html")) return null;
    const frame = dom.frameRoot(active);
    const inner = dom.shadowRoot(active) ?? (frame && dom.ownerDocument(frame));
    return (inner && focused(inner)) ?? active;
  }

  return { now, back };
})();
