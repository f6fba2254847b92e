"use strict";

/** The background's commands to a page, and the page's answer, which lives as long as the document. */
sitestencil.main ??= (() => {
  const { dom } = sitestencil;
  /** @type {WorkingPortName} */
  const WORKING = "working";
  /** @type {WorkingPortMessage} */
  const DONE = "done";
  // Browsers send at most 64 MiB in one message to a program; the host takes no more in several.
  const LIMITS = { elements: 300_000, bytes: 64 * 1024 * 1024 - 64 * 1024 };
  const [MOST_WAKES, WAKES_AGAIN_MS] = [10, 500];
  const WEB_PAGES = new Set(["text/html", "application/xhtml+xml"]);

  /** @type {KnownPage | null} */
  let page = null;
  /** The page's view mode. @type {ViewMode} */
  let mode = "original";
  /** The reading style that shows. @type {Reading | undefined} */
  let style;
  /** @type {{tree: Tree, url: string, packed: Packed} | null} */
  let pending = null;
  /** The changed page, while the host judges it. @type {Tree | null} */
  let grown = null;
  /** @type {browser.runtime.Port | null} */
  let working = null;

  /** @type {PageCommands} */
  const commands = {
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
      const packed = sitestencil.snapshot.pack(sitestencil.snapshot.take(document, tree).snapshot, limits.bytes);
      if (packed.json === undefined) return packed;
      end();
      page = null;
      mode = "original";
      pending = { tree, url: address(), packed };
      working = sitestencil.api.get().runtime.connect({ name: WORKING });
      working.onDisconnect.addListener(interrupted);
      return { ...packed, ms: performance.now() - start };
    },

    answer(answer, about, rules = []) {
      if (!pending) throw new Error("The answer is to no snapshot of this page.");
      const { tree, url, packed } = pending;
      const { template, content_texts: contentTexts, scores, reasons, pages = [], title, early } = answer;
      page = {
        ...sitestencil.answer.verdictsOf(answer, tree),
        tree,
        url,
        known: { snapshot: packed, template, content_texts: contentTexts, ...(scores && { scores: scores.join("") }) },
        reasons: reasons ? sitestencil.reasons.decode(reasons, tree.elements.length) : null,
        pages,
        unjudged: new Set(),
        newTexts: new Set(),
        waits: false,
        rules: [],
        corrected: new Map(),
        applied: [],
        corrections: [],
        about,
        title,
      };
      if (rules.length) sitestencil.corrections.apply(page, rules);
      if (!early) end();
      return page.about;
    },

    stop() {
      if (pending) {
        restore();
        page = null;
      }
      end();
    },

    show(order, news) {
      if (news) commands.answer(news.answer, news.about);
      const page = current();
      const { hides, closeGaps = false, reading, startsAtContent, inspects, panel } = order;
      sitestencil.inspect.stop();
      sitestencil.later.stop();
      grown = null;
      if (!panel) sitestencil.panel.close();
      if (hides) sitestencil.view.hide(hides, page, closeGaps, () => notify("undone", () => (mode === order.mode ? { type: "undone", mode } : null)), reading);
      else sitestencil.view.restore();
      if (startsAtContent && (mode !== order.mode || style !== reading)) sitestencil.view.scrollToContent();
      if (panel) sitestencil.panel.open(panel, press);
      if (inspects) sitestencil.inspect.start(page, leave);
      if (mode !== order.mode) sitestencil.later.hurry();
      [mode, style] = [order.mode, reading];
      if (hides) sitestencil.later.watch(page, tellGrown, page.waits);
      sitestencil.api.leave(working);
    },

    grown(limits = LIMITS) {
      if (!page || !sitestencil.view.isHiding()) return null;
      sitestencil.later.renew(page);
      const { tree, about, known } = page;
      const now = sitestencil.view.unmarked(() => sitestencil.snapshot.take(document, tree).snapshot);
      grown = tree;
      return { mode, about, known, now: sitestencil.snapshot.pack(now, limits.bytes) };
    },

    judged({ answer, about, order }) {
      if (!page || !grown || mode !== order.mode) return false;
      Object.assign(page, { about, waits: false });
      sitestencil.later.renew(page, grown, answer ? sitestencil.answer.verdictsOf(answer, grown) : null);
      commands.show({ ...order, panel: sitestencil.panel.isOpen() ? order.panel : undefined });
      return true;
    },

    capture(hides, limits = LIMITS) {
      const { capture, snapshot } = sitestencil;
      const packed = snapshot.pack(capture.take(document, current(), hides), limits.bytes);
      return { capture: packed, url: dom.url(document), title: dom.title(document) };
    },

    files: () => sitestencil.files.filesOf(document, current()),
    copy: (text) => sitestencil.capture.copy(text),
    load: (url) => sitestencil.session.load(url),
    leadsToPage: (url) => sitestencil.session.leadsToPage(url),
    settled: (quietMs, mostMs) => sitestencil.snapshot.settled(quietMs, mostMs),

    say(panel) {
      sitestencil.panel.open({ ...panel, buttons: panel.buttons.filter(({ name }) => name !== "retry" || !page) }, press);
      sitestencil.inspect.refresh();
    },
  };

  /** @returns {KnownPage} with the live tree */
  function current() {
    if (!page) throw new Error("Nothing is known of this page.");
    sitestencil.later.renew(page);
    return page;
  }

  /** @returns {PageArrival} */
  function arrive() {
    const description = commands.describe();
    const isNew = description.webPage && description.view === "none";
    return isNew ? { ...description, snapshot: commands.snapshot() } : description;
  }

  /** Ends the work on a snapshot; further answers to it are ignored. */
  function end() {
    pending = null;
    working?.postMessage(DONE);
    working?.disconnect();
    working = null;
    sitestencil.api.leave(working);
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
    if (button === "close") leave();
    else if (button === "only_page" || button === "all_pages") follow(button);
    else if (button === "undo") correct();
    else tell({ type: "press", button, ...(button === "allow" && { links: sitestencil.panel.chosen() }) });
  }

  /** Corrects the answer about the selected element. @param {"only_page" | "all_pages"} button */
  function follow(button) {
    const proposal = sitestencil.inspect.proposal();
    if (proposal) correct(button === "only_page" ? proposal.onlyPage : proposal.allPages);
  }

  /** Corrects the answer by a rule; without a rule undoes the last correction. @param {Rule} [rule] */
  function correct(rule) {
    const { corrections, inspect } = sitestencil;
    const correction = page && (rule ? corrections.add(page, rule) : corrections.undo(page));
    if (!correction) return;
    inspect.refresh();
    tell({ type: "corrected", correction, undone: !rule });
  }

  /** Ends what needs the panel: the work or a view. */
  function leave() {
    if (pending && !page) press("cancel");
    if (mode === "inspect") press("original");
  }

  /** @type {() => View} */
  const view = () => (page ? mode : "none");

  /** @returns {string} the document's address without its fragment */
  function address() {
    return location.href.split("#", 1)[0];
  }

  /** Wakes a background that ended at work: nobody else would report the end. */
  function interrupted() {
    working = null;
    commands.stop();
    void wake();
  }

  /** A message that comes while the browser still ends the background is lost, so the background answers this one. */
  async function wake(tries = MOST_WAKES) {
    if (!tries || pending || page) return;
    if (!(await tell({ type: "interrupted" }))) setTimeout(wake, WAKES_AGAIN_MS, tries - 1);
  }

  /** A new address within a document, as on script-driven sites, means another page. If a part is hidden, the new content is judged by the known answer, once the page has had time to build it. */
  function forgetIfMoved() {
    const known = page ?? pending;
    if (!known || known.url === address()) return;
    if (page && !pending && sitestencil.view.isHiding()) {
      page.url = address();
      page.about = { ...page.about, moved: true };
      return sitestencil.later.watch(page, tellGrown, true);
    }
    const isWorking = pending !== null;
    restore();
    end();
    page = null;
    notify("moved", () => ({ type: "moved", isWorking }));
  }

  function tellGrown() {
    notify("grown", () => ({ type: "grown" }));
  }

  /** Sends a message that a page can cause, at a limited rate. @type {(name: PageMessage["type"], message: () => PageMessage | null) => void} */
  function notify(name, message) {
    sitestencil.api.limit(name, () => {
      const said = message();
      if (said) tell(said);
    });
  }

  /** @type {(message: PageMessage) => Promise<unknown>} the background's answer, if it gives one */
  function tell(message) {
    // If the extension was updated or removed, nobody can remove the rules, but the marks can go.
    return sitestencil.api.get().runtime.sendMessage(message).catch(restore).finally(() => sitestencil.api.leave(working));
  }

  sitestencil.panel.moves.addEventListener("move", (event) => tell({ type: "panel", place: /** @type {CustomEvent<PanelPlace>} */ (event).detail }));
  // Firefox has the Navigation API from version 147; before, the next click notices the move.
  globalThis.navigation?.addEventListener("currententrychange", forgetIfMoved);
  // In Firefox, a page in the back/forward cache keeps its ports open.
  addEventListener("pagehide", ({ isTrusted }) => isTrusted && working?.disconnect());
  addEventListener("pageshow", ({ isTrusted, persisted }) => {
    if (isTrusted && persisted) notify("returned", () => ({ type: "returned", view: view(), ...(page && { about: page.about }) }));
  });

  /**
   * @template Value
   * @param {() => Value} work
   * @returns {PageReply<Value>}
   */
  function replyOf(work) {
    try {
      return { ok: true, value: work() };
    } catch (error) {
      return failed(error);
    }
  }

  /** @type {(error: unknown) => PageReply<any>} */
  function failed(error) {
    return { ok: false, message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }

  return {
    arrive: () => replyOf(arrive),
    run(name, parameters) {
      const reply = replyOf(() => /** @type {(...parameters: unknown[]) => any} */ (commands[name])(...parameters) ?? null);
      if (!reply.ok || !(reply.value instanceof Promise)) return reply;
      return reply.value.then((value) => ({ ok: true, value: value ?? null }), failed);
    },
  };
})();
