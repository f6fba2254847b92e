"use strict";

/** The background's commands to a page, and the page's answer, which lives as long as the document. */
sitestencil.main ??= (() => {
  const { dom, messenger } = sitestencil;
  // Browsers send at most 64 MiB in one message to a program; the host takes no more in several.
  const LIMITS = { elements: 300_000, bytes: 64 * 1024 * 1024 - 64 * 1024 };
  const WEB_PAGES = new Set(["text/html", "application/xhtml+xml"]);

  /** @type {KnownPage | null} */
  let page = null;
  /** The view that shows. @type {ViewOrder} */
  let shown = { mode: "original" };
  /** @type {Pending | null} */
  let pending = null;
  /** The changed page, while the host judges it. @type {Tree | null} */
  let grown = null;
  let hasArrived = false;
  /** Thrown for an answer to a page that a script has written anew meanwhile. */
  const REWRITTEN = new Error("The page is no longer the one of the snapshot.");

  /** @type {PageCommands} */
  const commands = {
    word: () => sitestencil.marks.WORD,
    describe() {
      forgetIfMoved();
      const type = dom.contentType(document);
      const isWebPage = WEB_PAGES.has(type) && location.protocol.startsWith("http");
      return { webPage: isWebPage, ...(type === "application/pdf" && { pdf: true }), view: view(), ...(page && { about: page.about }) };
    },

    /** The open port tells the background when this document closes. */
    snapshot(limits = LIMITS) {
      const start = performance.now();
      restore();
      const tree = sitestencil.tree.treeOf(document);
      if (tree.elements.length > limits.elements) return { elements: tree.elements.length };
      const { snapshot } = sitestencil.snapshot.take(document, tree);
      const packed = sitestencil.snapshot.pack(snapshot, limits.bytes);
      if (packed.json === undefined) return packed;
      forget();
      pending = { tree, url: address(), packed, typed: sitestencil.typed.valuesIn(tree) };
      messenger.open();
      return { ...packed, ms: performance.now() - start, status: snapshot.status };
    },

    answer(answer, about, rules = []) {
      if (!pending) throw new Error("The answer is to no snapshot of this page.");
      if (!dom.isConnected(pending.tree.elements[0])) throw REWRITTEN;
      page = sitestencil.answer.pageOf(pending, answer, about);
      if (rules.length) sitestencil.corrections.apply(page, rules);
      if (!answer.early) end();
      return page.about;
    },

    stop() {
      if (pending) forget();
      else end();
    },

    show(order, news) {
      if (news) commands.answer(news.answer, news.about);
      return orRestored(() => showNow(order));
    },

    grown(limits = LIMITS) {
      if (!page || !sitestencil.view.isHiding()) return null;
      sitestencil.later.renew(page);
      const { tree, about, known } = page;
      const now = orRestored(() => sitestencil.view.unmarked(() => sitestencil.snapshot.take(document, tree).snapshot));
      grown = tree;
      return { mode: shown.mode, about, known, now: sitestencil.snapshot.pack(now, limits.bytes) };
    },

    judged({ answer, about, order }) {
      if (!page || !grown || shown.mode !== order.mode) return false;
      Object.assign(page, { about, waits: false });
      sitestencil.later.renew(page, grown, answer ? sitestencil.answer.verdictsOf(answer, grown) : null);
      return commands.show({ ...order, panel: sitestencil.panel.isOpen() ? order.panel : undefined }) ? "blank" : true;
    },

    capture(hides, limits = LIMITS) {
      const { capture, cut } = sitestencil.capture.take(document, current(), hides);
      const title = cut.from(dom.title(document));
      return { capture: sitestencil.snapshot.pack(capture, limits.bytes), url: dom.url(document), title, typed: cut.news() };
    },

    files: () => sitestencil.files.filesOf(document, current(), cut()),
    copy: (text) => sitestencil.capture.copy(text),
    load: (url) => sitestencil.session.load(url),
    leadsToPage: (url) => sitestencil.session.leadsToPage(url),
    settled: (quietMs, mostMs) => sitestencil.snapshot.settled(quietMs, mostMs),

    say(panel) {
      shown = { ...shown, panel: { ...panel, buttons: panel.buttons.filter(({ name }) => name !== "retry" || !page) } };
      sitestencil.panel.open(/** @type {PanelContent} */ (shown.panel), press);
      sitestencil.inspect.refresh();
    },
  };

  /** @type {(order: ViewOrder) => boolean} whether the view would have been blank, so that the page shows */
  function showNow(order) {
    const page = current();
    const { hides, closeGaps = false, reading, startsAtContent, inspects, panel } = order;
    sitestencil.inspect.stop();
    sitestencil.later.stop();
    grown = null;
    if (!panel) sitestencil.panel.close();
    if (hides) sitestencil.view.hide(hides, page, closeGaps, () => messenger.notify("undone", () => (shown.mode === order.mode ? { type: "undone", mode: order.mode } : null)), reading);
    else sitestencil.view.restore();
    const isBlank = hides !== undefined && sitestencil.view.isBlank();
    if (startsAtContent && !isBlank && (shown.mode !== order.mode || shown.reading !== reading)) sitestencil.view.scrollToContent();
    if (isBlank) sitestencil.view.restore();
    else if (panel) sitestencil.panel.open(panel, press);
    if (inspects) sitestencil.inspect.start(page, leave);
    if (shown.mode !== order.mode) sitestencil.later.hurry();
    shown = isBlank ? { mode: "original" } : order;
    if (hides && !isBlank) sitestencil.later.watch(page, tellGrown, page.waits);
    messenger.leave();
    return isBlank;
  }

  /** Does work that marks the page. Half of its marks would leave the page as nobody has seen it. @template Value @param {() => Value} work @returns {Value} */
  function orRestored(work) {
    try {
      return work();
    } catch (error) {
      restore();
      shown = { mode: "original" };
      throw error;
    }
  }

  /** @returns {KnownPage} with the live tree */
  function current() {
    if (!page) throw new Error("Nothing is known of this page.");
    sitestencil.later.renew(page);
    return page;
  }

  /** @type {() => (text: string) => string} what takes a person's words out of a text */
  const cut = () => sitestencil.typed.cutter(sitestencil.tree.treeOf(document), current()).from;

  /** @returns {PageArrival} */
  function arrive() {
    const description = commands.describe();
    const isNew = description.webPage && description.view === "none";
    const arrival = { ...description, word: commands.word(), ...(!hasArrived && { isFirst: true }), ...(isNew && { snapshot: commands.snapshot() }) };
    hasArrived = true;
    return arrival;
  }

  /** Ends the work on a snapshot; further answers to it are ignored. @param {WorkingPortMessage} [said] */
  function end(said) {
    pending = null;
    messenger.close(said);
  }

  /** Restores the page, and forgets all that is known of it. @param {WorkingPortMessage} [said] */
  function forget(said) {
    restore();
    end(said);
    page = null;
    shown = { mode: "original" };
  }

  /** Restores the page. */
  function restore() {
    sitestencil.inspect.stop();
    sitestencil.later.stop();
    grown = null;
    sitestencil.panel.close();
    sitestencil.view.restore();
  }

  /** @param {PanelButtonName} button of the panel */
  function press(button) {
    if (sitestencil.life.isGone()) forget();
    else if (button === "close") leave();
    else if (button === "undo") correct();
    else if (button === "only_page" || button === "all_pages") {
      const proposal = sitestencil.inspect.proposal();
      if (proposal) correct(button === "only_page" ? proposal.onlyPage : proposal.allPages);
    } else messenger.tell({ type: "press", button, ...(button === "allow" && { links: sitestencil.panel.chosen() }) });
  }

  /** Corrects the answer by a rule; without a rule undoes the last correction. @param {Rule} [rule] */
  function correct(rule) {
    const { corrections, inspect } = sitestencil;
    const correction = page && (rule ? corrections.add(page, rule) : corrections.undo(page));
    if (!correction) return;
    inspect.refresh();
    messenger.tell({ type: "corrected", correction, undone: !rule });
  }

  /** Ends what needs the panel: the work or a view. */
  function leave() {
    if (pending && !page) press("cancel");
    if (shown.mode === "inspect") press("original");
  }

  /** @type {() => View} */
  const view = () => (page ? shown.mode : "none");

  /** @returns {string} the document's address without its fragment */
  const address = () => location.href.split("#", 1)[0];

  /** A new address within a document, as on script-driven sites, means another page. If a part is hidden, the new content is judged by the known answer, once the page has had time to build it. */
  function forgetIfMoved() {
    const known = page ?? pending;
    if (!known || known.url === address()) return;
    if (page && !pending && sitestencil.view.isHiding()) {
      page.url = address();
      page.about = { ...page.about, moved: true };
      return sitestencil.later.watch(page, tellGrown, true);
    }
    if (!pending) messenger.notify("moved", () => ({ type: "moved" }));
    forget("moved");
  }

  const tellGrown = () => messenger.notify("grown", () => ({ type: "grown" }));

  /** The page goes; `isKept`: whether it may come back from the browser's cache. @param {boolean} isKept */
  function leavePage(isKept) {
    // In Firefox, a page in that cache keeps its ports open.
    messenger.close(null);
    if (pending) forget();
    if (!isKept) return;
    if (!sitestencil.panel.isOpen()) shown = { ...shown, panel: undefined };
    restore();
  }

  function comeBack() {
    if (page) replyOf(() => commands.show(shown));
    messenger.notify("returned", () => ({ type: "returned" }));
  }

  sitestencil.panel.moves.addEventListener("move", (event) => messenger.tell({ type: "panel", place: /** @type {CustomEvent<PanelPlace>} */ (event).detail }));
  // Firefox has the Navigation API from version 147; before, the next click notices the move.
  globalThis.navigation?.addEventListener("currententrychange", forgetIfMoved);
  sitestencil.life.watch({ leave: leavePage, comeBack, forget });
  messenger.watch({ interrupted: () => commands.stop(), gone: forget, isKnown: () => Boolean(pending ?? page) });

  /** @template Value @param {() => Value} work @returns {PageReply<Value>} */
  function replyOf(work) {
    try {
      return { ok: true, value: work() };
    } catch (error) {
      return failed(error);
    }
  }

  /** @type {(error: unknown) => PageReply<any>} */
  const failed = (error) => ({ ok: false, ...(error === REWRITTEN && { isRewritten: true }), message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });

  return {
    arrive: () => replyOf(arrive),
    run(name, parameters) {
      const reply = replyOf(() => /** @type {(...parameters: unknown[]) => any} */ (commands[name])(...parameters) ?? null);
      if (!reply.ok || !(reply.value instanceof Promise)) return reply;
      return reply.value.then((value) => ({ ok: true, value: value ?? null }), failed);
    },
  };
})();
