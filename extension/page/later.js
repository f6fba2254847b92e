"use strict";

/**
 * Watches for content that comes while a part of the page is hidden. The host judges it, and this merges the
 * answers. Content without a judgement shows.
 */
sitestencil.later ??= (() => {
  const SOON_MS = 300;
  const SELDOM_MS = 20_000;
  // A page can scroll itself and forge events: ignore `scroll`, and trust only `isTrusted` events.
  const BY_THE_PERSON = ["wheel", "touchmove", "pointerdown", "keydown"];
  const UNDECIDED = 128;
  const NEVER_SHOWN = new Set(["script", "style", "link", "meta", "template", "noscript"]);

  /** @type {AbortController | null} */
  let watching = null;
  let delay = SOON_MS;
  let isDue = false;

  /**
   * Calls back once, some time after new content has come. A page that changes by itself is checked less and less
   * often, until the person acts.
   * @param {KnownPage} page
   * @param {() => void} onLater
   * @param {boolean} [hasCome] whether new content has come already, or will
   */
  function watch({ tree }, onLater, hasCome = false) {
    if (hasCome && isDue) return;
    stop();
    const known = new Set(/** @type {Node[]} */ (tree.elements));
    const { signal } = (watching = new AbortController());
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const tellLater = () => {
      observer.disconnect();
      isDue = true;
      timer = setTimeout(() => {
        isDue = false;
        onLater();
      }, delay);
      delay = Math.min(2 * delay, SELDOM_MS);
    };
    const observer = new MutationObserver((records) => {
      const isNew = records.some(({ addedNodes }) => [...addedNodes].some((node) => !known.has(node) && mayShow(node)));
      if (isNew) tellLater();
    });
    signal.addEventListener("abort", () => {
      observer.disconnect();
      clearTimeout(timer);
    });
    if (hasCome) return tellLater();
    for (const root of sitestencil.view.rootsOf(tree)) {
      observer.observe(root, { childList: true, subtree: true });
      // What moves to another slot is drawn elsewhere.
      root.addEventListener("slotchange", ({ isTrusted }) => isTrusted && tellLater(), { signal });
    }
    const beQuick = (/** @type {Event} */ event) => {
      if (event.isTrusted) delay = SOON_MS;
    };
    for (const name of BY_THE_PERSON) addEventListener(name, beQuick, { capture: true, passive: true, signal });
  }

  function stop() {
    watching?.abort();
    watching = null;
    isDue = false;
  }

  /** @type {(node: Node) => boolean} */
  function mayShow(node) {
    const { dom, panel } = sitestencil;
    const type = dom.nodeType(node);
    if (type === Node.TEXT_NODE) return /\S/.test(dom.data(node));
    return type === Node.ELEMENT_NODE && !panel.isPanel(node) && !NEVER_SHOWN.has(dom.localName(node));
  }

  /**
   * Merges the answers for a changed page. Old nodes keep theirs; new nodes take the new answer, or stay unjudged.
   * @param {KnownPage} page
   * @param {Tree} now
   * @param {(Verdicts & Pick<KnownPage, "scores">) | null} judged the new answer
   * @returns {KnownPage}
   */
  function merged(page, now, judged) {
    const numbers = new Map(page.tree.elements.map((node, index) => [node, index]));
    const texts = new Map(page.tree.texts.map(({ node }, index) => [node, index]));
    const template = new Uint8Array(now.elements.length);
    const rest = new Uint8Array(now.elements.length);
    const scores = page.scores && new Uint8Array(now.elements.length);
    const reasons = page.reasons && /** @type {Uint8Array[]} */ (new Array(now.elements.length));
    /** @type {Set<number>} */
    const unjudged = new Set();
    for (const [index, node] of now.elements.entries()) {
      const before = numbers.get(node);
      const isKnown = before !== undefined && !page.unjudged.has(before);
      if (!isKnown && !judged) unjudged.add(index);
      template[index] = isKnown ? page.template[before] : judged ? judged.template[index] : template[now.parents[index]];
      rest[index] = isKnown ? page.rest[before] : judged ? judged.rest[index] : template[now.parents[index]];
      if (scores) scores[index] = isKnown && page.scores ? page.scores[before] : (judged?.scores?.[index] ?? UNDECIDED);
      if (reasons && isKnown && page.reasons) reasons[index] = page.reasons[before];
    }
    /** @type {(column: "contentTexts" | "mainTexts") => Uint8Array} */
    const textsOf = (column) =>
      Uint8Array.from(now.texts, ({ node }, index) => {
        const before = texts.get(node);
        return before === undefined ? (judged?.[column][index] ?? 0) : page[column][before];
      });
    const columns = { template, contentTexts: textsOf("contentTexts"), rest, mainTexts: textsOf("mainTexts") };
    return { ...page, tree: now, ...columns, scores, reasons, unjudged };
  }

  return { watch, stop, merged };
})();
