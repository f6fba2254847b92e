"use strict";

/** The life of the extension and of the page: the extension may go while the page shows a view, and the page may come back from the browser's cache. */
sitestencil.life ??= (() => {
  const GONE_IS_SEEN_MS = 250;
  /** The view's scroll positions, while the browser keeps the page. @type {Scrolled[] | null} */
  let scrolled = null;

  /** Whether the extension was updated, switched off or removed. Chromium leaves its scripts, and takes their interface away; Firefox ends them. */
  function isGone() {
    const held = sitestencil.api.held();
    return held !== undefined && !held.runtime?.id;
  }

  /** @type {Sitestencil["life"]["watch"]} */
  function watch({ leave, comeBack, forget }) {
    // No port tells it: they close when the background sleeps, too.
    const look = () => {
      if (!isGone()) return;
      clearInterval(timer);
      forget();
    };
    const timer = setInterval(look, GONE_IS_SEEN_MS);
    // Timers of hidden pages are slow.
    document.addEventListener("visibilitychange", look);
    // In the cache, nobody could restore the page of an extension that goes: a view shows again when the page is back.
    addEventListener("pagehide", ({ isTrusted, persisted }) => {
      if (!isTrusted) return;
      scrolled = persisted && sitestencil.view.isHiding() ? sitestencil.scrolling.positions(sitestencil.tree.treeOf(document)) : null;
      leave(persisted);
    });
    addEventListener("pageshow", ({ isTrusted, persisted }) => {
      if (!isTrusted || !persisted || isGone()) return;
      comeBack();
      if (scrolled) sitestencil.scrolling.back(sitestencil.tree.treeOf(document), scrolled);
    });
  }

  return { isGone, watch };
})();
