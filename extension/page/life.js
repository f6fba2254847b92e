"use strict";

/** The life of the extension and of the page: the extension may go while the page shows a view, and the page may come back from the browser's cache. */
sitestencil.life ??= (() => {
  const { dom } = sitestencil;
  const GONE_IS_SEEN_MS = 250;
  const PANELS = ":scope > div, dialog > div";
  /** The view's scroll positions, while the browser keeps the page. @type {Scrolled[] | null} */
  let scrolled = null;

  /** Whether the extension was updated, switched off or removed. Chromium leaves its scripts, and takes their interface away; Firefox ends them. */
  function isGone() {
    const held = sitestencil.api.held();
    return held !== undefined && !held.runtime?.id;
  }

  /** Takes out what Firefox left as it ended earlier scripts. No name of it is known: a page would know it, too. But only ours is in a closed shadow root like this, which Firefox shows to extensions alone. */
  function clearUp() {
    const root = dom.documentElement(document);
    /** @type {Set<string>} */
    const words = new Set();
    for (const host of root ? dom.all(root, PANELS) : []) {
      const word = wordOf(/** @type {any} */ (host).openOrClosedShadowRoot);
      if (!word) continue;
      words.add(word);
      Element.prototype.remove.call(host);
    }
    sitestencil.marks.takeOver(words);
  }

  /** @type {(shadow?: ShadowRoot | null) => string | undefined} the word of the marks, if a panel is in a shadow root */
  function wordOf(shadow) {
    const { OF_MARKS } = sitestencil.marks;
    const panel = shadow?.mode === "closed" && DocumentFragment.prototype.querySelector.call(shadow, "[role=region]");
    const name = panel && dom.names(panel).find((one) => OF_MARKS.test(one) && dom.get(panel, one) === "panel");
    return name ? OF_MARKS.exec(name)?.[1] : undefined;
  }

  /** @type {Sitestencil["life"]["watch"]} */
  function watch({ leave, comeBack, forget }) {
    clearUp();
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
