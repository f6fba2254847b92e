"use strict";

/**
 * What comes into the page while a part of it is hidden: noticed here, judged by the host, and put together with what
 * was known. What cannot be judged is to show.
 */
sitestencil.later ??= (() => {
  const SOON_MS = 300;
  const SELDOM_MS = 20_000;
  // A page can scroll itself, and forge the rest: no `scroll`, and only events that the browser vouches for.
  const BY_THE_PERSON = ["wheel", "touchmove", "pointerdown", "keydown"];
  const UNDECIDED = 128;
  const NEVER_SHOWN = new Set(["script", "style", "link", "meta", "template", "noscript"]);

  /** @type {AbortController | null} */
  let watching = null;
  let delay = SOON_MS;
  let isDue = false;

  /**
   * Calls back some time after something new has come; then it has to be asked to watch again. A page that changes by
   * itself all the time is looked at ever more seldom, until the person does something.
   * @param {KnownPage} page
   * @param {() => void} onLater
   * @param {boolean} [hasCome] whether something new has come already, or is to
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
    for (const root of sitestencil.view.rootsOf(tree)) observer.observe(root, { childList: true, subtree: true });
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
   * What is known of a page as it has become: of nodes that were there, what was known of them; of others, what the
   * answer about the whole page says, or that they cannot be judged.
   * @param {KnownPage} page
   * @param {Tree} now
   * @param {Pick<KnownPage, "template" | "contentTexts" | "scores"> | null} judged the answer about `now`
   * @returns {KnownPage}
   */
  function merged(page, now, judged) {
    const numbers = new Map(page.tree.elements.map((node, index) => [node, index]));
    const texts = new Map(page.tree.texts.map(({ node }, index) => [node, index]));
    const template = new Uint8Array(now.elements.length);
    const scores = page.scores && new Uint8Array(now.elements.length);
    const reasons = page.reasons && /** @type {Uint8Array[]} */ (new Array(now.elements.length));
    /** @type {Set<number>} */
    const unjudged = new Set();
    for (const [index, node] of now.elements.entries()) {
      const before = numbers.get(node);
      const isKnown = before !== undefined && !page.unjudged.has(before);
      if (!isKnown && !judged) unjudged.add(index);
      template[index] = isKnown ? page.template[before] : judged ? judged.template[index] : template[now.parents[index]];
      if (scores) scores[index] = isKnown && page.scores ? page.scores[before] : (judged?.scores?.[index] ?? UNDECIDED);
      if (reasons && isKnown && page.reasons) reasons[index] = page.reasons[before];
    }
    const contentTexts = Uint8Array.from(now.texts, ({ node }, index) => {
      const before = texts.get(node);
      return before === undefined ? (judged?.contentTexts[index] ?? 0) : page.contentTexts[before];
    });
    return { ...page, tree: now, template, contentTexts, scores, reasons, unjudged };
  }

  return { watch, stop, merged };
})();
