"use strict";

/** Puts text into the clipboard, within the few seconds after the person's click in which browsers allow it. */
sitestencil.clipboard ??= (() => {
  /** @type {(text: string) => Promise<boolean>} whether it is in the clipboard */
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

  return { copy };
})();
