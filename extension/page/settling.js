"use strict";

/** Waits until a page in a background tab has settled: no new content comes, and it has links. */
sitestencil.settling ??= (() => {
  // Distinguishes the tab from the person's own, should the browser end before it is closed.
  const MARK = "sitestencil-background-tab";

  /**
   * @param {number} quietMs how long no content may come; a page without links is not yet built
   * @param {number} mostMs the longest wait
   * @returns {Promise<{status: number}>} the server's status, 0 if unknown
   */
  function settled(quietMs, mostMs) {
    mark();
    return new Promise((resolve) => {
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let quiet;
      const done = () => {
        observer.disconnect();
        clearTimeout(quiet);
        clearTimeout(late);
        resolve({ status: sitestencil.snapshot.status() });
      };
      const wait = () => {
        clearTimeout(quiet);
        quiet = setTimeout(() => (sitestencil.dom.first(document, "a[href]") ? done() : wait()), quietMs);
      };
      const observer = new MutationObserver(wait);
      observer.observe(document, { subtree: true, childList: true, characterData: true });
      const late = setTimeout(done, mostMs);
      wait();
    });
  }

  function mark() {
    try {
      sessionStorage.setItem(MARK, "");
    } catch {
      // The page has no storage.
    }
  }

  return { settled };
})();
