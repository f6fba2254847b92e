"use strict";

/** Watches for content that comes while a part of the page is hidden. The host judges it, and this merges the answers. Content without a judgement shows. */
sitestencil.later ??= (() => {
  const { dom } = sitestencil;
  const SOON_MS = 300;
  const SELDOM_MS = 20_000;
  // A page can scroll itself and forge events: ignore `scroll`, and trust only `isTrusted` events.
  const BY_THE_PERSON = ["wheel", "touchmove", "pointerdown", "keydown"];
  const UNDECIDED = 128;
  // Looks take no more than a twentieth of the time.
  const MOST_LOOKING = 0.05;

  /** @typedef {Verdicts & Partial<Pick<KnownPage, "scores">>} Judged */

  const NEVER_SHOWN = new Set(["script", "style", "link", "meta", "template", "noscript"]);

  /** @type {AbortController | null} */
  let watching = null;
  let delay = SOON_MS;
  let pause = SOON_MS;
  let isDue = false;

  /**
   * Calls back once, some time after new content has come. A page that changes by itself is checked less and less
   * often, until the person acts.
   * @type {Sitestencil["later"]["watch"]}
   */
  function watch(page, onLater, hasCome = false) {
    const { tree } = page;
    if (hasCome && isDue) return;
    stop();
    const known = new Set(/** @type {Node[]} */ (tree.elements));
    const { signal } = (watching = new AbortController());
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const tell = () => {
      clearTimeout(timer);
      isDue = false;
      onLater();
    };
    const tellLater = () => {
      observer.disconnect();
      isDue = true;
      timer = setTimeout(tell, delay);
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
    lookAgain(page, signal, tell);
    if (hasCome) return tellLater();
    for (const root of sitestencil.view.rootsOf(tree)) {
      observer.observe(root, { childList: true, subtree: true });
      // What moves to another slot is drawn elsewhere.
      root.addEventListener("slotchange", ({ isTrusted }) => isTrusted && tellLater(), { signal });
    }
    const beQuick = (/** @type {Event} */ event) => {
      if (event.isTrusted) hurry();
    };
    for (const name of BY_THE_PERSON) addEventListener(name, beQuick, { capture: true, passive: true, signal });
  }

  /** Looks whether the text still shows after each change that may take it away: of nodes, styles or colours. If it does not with new marks either, this calls back. @type {(page: KnownPage, signal: AbortSignal, onLost: () => void) => void} */
  function lookAgain(page, signal, onLost) {
    const { view } = sitestencil;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const look = () => {
      timer = undefined;
      const start = performance.now();
      // The page may have other colours for the same texts: then they take other paper.
      const isAgain = () => {
        renew(page); // Marks go on the nodes of now: what has come shows, and in Firefox old ones may be dead.
        return view.unmarked(() => true);
      };
      let isLost = true;
      try {
        isLost = view.isBlank(false) && isAgain() && view.isBlank(false);
      } catch {
        // Half of the marks may be there: whoever is called marks anew, or restores the page.
      }
      observer.takeRecords();
      pause = Math.max(isLost ? Math.min(2 * pause, SELDOM_MS) : SOON_MS, (performance.now() - start) / MOST_LOOKING);
      if (isLost) onLost();
    };
    const ask = () => (timer ??= setTimeout(look, pause));
    const observer = new MutationObserver(ask);
    for (const root of view.rootsOf(page.tree)) observer.observe(root, { childList: true, subtree: true, attributeFilter: ["class", "style"] });
    for (const root of [document.documentElement, document.body]) if (root) observer.observe(root, { attributes: true });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ask, { signal });
    signal.addEventListener("abort", () => {
      observer.disconnect();
      clearTimeout(timer);
    });
  }

  function stop() {
    watching?.abort();
    watching = null;
    isDue = false;
  }

  /** @type {(node: Node) => boolean} */
  function mayShow(node) {
    const { panel } = sitestencil;
    const type = dom.nodeType(node);
    if (type === Node.TEXT_NODE) return /\S/.test(dom.data(node));
    return type === Node.ELEMENT_NODE && !panel.isOwn(node) && !NEVER_SHOWN.has(dom.localName(node));
  }

  /** The person has acted: what is new is judged soon. */
  function hurry() {
    delay = pause = SOON_MS;
  }

  /**
   * Brings what is known of a page to its live tree, or to the judged one. Old nodes keep their answer; new ones take
   * the new answer, or stay unjudged. The person's rules are applied anew.
   * @type {Sitestencil["later"]["renew"]}
   */
  function renew(page, now = sitestencil.snapshot.readable(sitestencil.tree.treeOf(document)), judged = null) {
    if (!judged && isSame(page.tree, now)) return;
    const { rules } = page;
    const waits = page.waits || hasNew(page.tree, now);
    if (rules.length) sitestencil.corrections.apply(page, []);
    Object.assign(page, merged(page, now, judged), { waits: waits && !judged });
    if (rules.length) sitestencil.corrections.apply(page, rules);
  }

  /** @type {(one: Tree, other: Tree) => boolean} whether the nodes and their places are the same */
  function isSame(one, other) {
    return (
      one.elements.length === other.elements.length &&
      one.texts.length === other.texts.length &&
      one.elements.every((node, index) => node === other.elements[index] && one.parents[index] === other.parents[index]) &&
      one.texts.every(({ node, parent }, index) => node === other.texts[index].node && parent === other.texts[index].parent)
    );
  }

  /** @type {(before: Tree, now: Tree) => boolean} */
  function hasNew(before, now) {
    const known = new Set([...before.elements, ...before.texts.map(({ node }) => node)]);
    return [...now.elements, ...now.texts.map(({ node }) => node)].some((node) => !known.has(node) && mayShow(node));
  }

  /** @type {(page: KnownPage, now: Tree, judged: Judged | null) => Partial<KnownPage>} */
  function merged(page, now, judged) {
    const numbers = new Map(page.tree.elements.map((node, index) => [node, index]));
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
    const contentTexts = textsOf(page, now, judged, ["template", "contentTexts"], template);
    const mainTexts = textsOf(page, now, judged, ["rest", "mainTexts"], rest);
    const texts = new Set(page.tree.texts.map(({ node }) => node));
    const newTexts = new Set(judged ? [] : now.texts.map(({ node }) => node).filter((node) => !texts.has(node) || page.newTexts.has(node)));
    return { tree: now, template, contentTexts, rest, mainTexts, scores, reasons, unjudged, newTexts };
  }

  /**
   * A text that moved keeps its answer. A new one without a judgement follows the texts that its element had: a page
   * that writes its words anew puts them where they were.
   * @param {KnownPage} page
   * @param {Tree} now
   * @param {Judged | null} judged
   * @param {["template", "contentTexts"] | ["rest", "mainTexts"]} names of the columns
   * @param {Uint8Array} out per element now, 1 for what the first column leaves out
   * @returns {Uint8Array} per text now, 1 if it stays though its element does not
   */
  function textsOf(page, now, judged, [hidden, kept], out) {
    const { elements, texts } = page.tree;
    /** @type {(of: Judged, text: number, parent: number) => number} */
    const stays = (of, text, parent) => of[kept][text] || 1 - of[hidden][parent];
    const known = new Map(texts.map(({ node, parent }, text) => [node, page.unjudged.has(parent) ? 1 : stays(page, text, parent)]));
    const holders = new Set(texts.filter((_, text) => page[kept][text]).map(({ parent }) => elements[parent]));
    return Uint8Array.from(now.texts, ({ node, parent }, text) => {
      if (!out[parent]) return 0;
      const before = known.get(node);
      if (judged && (before === undefined || page.newTexts.has(node))) return stays(judged, text, parent);
      return before ?? Number(holders.has(now.elements[parent]));
    });
  }

  return { watch, stop, hurry, renew };
})();
