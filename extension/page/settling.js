"use strict";

/** When a page in a background tab has built itself: nothing comes into it any more, and it leads somewhere. */
sitestencil.settling ??= (() => {
  // Tells the tab apart from the person's own of the same address, should the browser end before it is closed.
  const MARK = "sitestencil-background-tab";

  /**
   * @param {number} quietMs how long nothing has to come; a page without a link is still being built
   * @param {number} mostMs how long is waited at most
   * @returns {Promise<{status: number}>} the status that the page's server answered with, 0 where it is not known
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
        resolve({ status: status() });
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

  function status() {
    const [entry] = performance.getEntriesByType("navigation");
    return /** @type {PerformanceNavigationTiming | undefined} */ (entry)?.responseStatus ?? 0;
  }

  return { settled };
})();
