"use strict";

/**
 * What the extension's background may ask of a page, and what the page remembers: the host's answer on the
 * page's own nodes lives here, as long as the document does, whatever becomes of the background.
 */
sitestencil.main ??= (() => {
  /** @type {WorkingPortName} */
  const WORKING = "working";
  /** @type {WorkingPortMessage} */
  const DONE = "done";
  const WEB_PAGES = new Set(["text/html", "application/xhtml+xml"]);

  /** @type {KnownPage | null} */
  let page = null;
  /** How that page shows. @type {ViewMode} */
  let mode = "original";
  /** @type {{tree: Tree, url: string} | null} */
  let pending = null;
  /** @type {browser.runtime.Port | null} */
  let working = null;

  /** @type {PageCommands} */
  const commands = {
    describe() {
      forgetIfMoved();
      const isWebPage = WEB_PAGES.has(sitestencil.dom.contentType(document)) && location.protocol.startsWith("http");
      return { webPage: isWebPage, view: view() };
    },

    /** The open port tells the background when this document goes. */
    snapshot(limits) {
      restore();
      const tree = sitestencil.tree.treeOf(document);
      if (tree.elements.length > limits.elements) return { elements: tree.elements.length };
      const packed = sitestencil.packing.pack(sitestencil.snapshot.take(document, tree).snapshot, limits.bytes);
      if (packed.json === undefined) return packed;
      page = null;
      pending = { tree, url: address() };
      working = browser.runtime.connect({ name: WORKING });
      working.onDisconnect.addListener(interrupted);
      return packed;
    },

    answer({ template, content_texts: contentTexts, scores, title }) {
      if (!pending) throw new Error("The answer is to no snapshot of this page.");
      const { tree, url } = pending;
      const { mask } = sitestencil.ranges;
      page = {
        tree,
        url,
        template: mask(template, tree.elements.length),
        contentTexts: mask(contentTexts, tree.texts.length),
        scores: scores ? sitestencil.scores.decode(scores, tree.elements.length) : null,
        title,
      };
      mode = "original";
      commands.stop();
    },

    stop() {
      pending = null;
      working?.postMessage(DONE);
      working?.disconnect();
      working = null;
    },

    show(order) {
      if (!page) throw new Error("Nothing is known of this page.");
      restore();
      if (order.hides) sitestencil.view.hide(order.hides, page, () => tell({ type: "undone", mode: order.mode }));
      if (order.panel) sitestencil.panel.open(order.panel, press);
      mode = order.mode;
    },

    capture(limits) {
      if (!page) throw new Error("Nothing is known of this page.");
      const { capture, dom, packing } = sitestencil;
      return { capture: packing.pack(capture.take(document, page), limits.bytes), title: dom.title(document) };
    },

    files() {
      if (!page) throw new Error("Nothing is known of this page.");
      return sitestencil.files.read(document, page);
    },

    say(panel) {
      sitestencil.panel.open(panel, press);
    },
  };

  /** Brings the page back as it was. */
  function restore() {
    sitestencil.panel.close();
    sitestencil.view.restore();
  }

  /** @param {PanelButtonName} button of the panel */
  function press(button) {
    if (button === "save") tell({ type: "save" });
    else if (button === "close") sitestencil.panel.close();
    else tell({ type: "view", mode: button });
  }

  /** @returns {View} */
  function view() {
    return page ? mode : "none";
  }

  /** @returns {string} the document's address without its fragment */
  function address() {
    return location.href.split("#", 1)[0];
  }

  /** The background has gone while it worked: a message wakes it, and nobody else would say that the work has ended. */
  function interrupted() {
    pending = null;
    working = null;
    tell({ type: "interrupted" });
  }

  /** A page that moves on within its document, as script-driven sites do, is another page. */
  function forgetIfMoved() {
    const known = page ?? pending;
    if (!known || known.url === address()) return;
    const isWorking = pending !== null;
    restore();
    commands.stop();
    page = null;
    tell({ type: "moved", isWorking });
  }

  /** @param {PageMessage} message */
  function tell(message) {
    browser.runtime.sendMessage(message).catch(() => {
      // The extension was updated or removed: nobody is left to take the rules back, but the marks can go.
      restore();
    });
  }

  // Firefox has the Navigation API from version 147 on; before it, the next click notices the move.
  globalThis.navigation?.addEventListener("currententrychange", forgetIfMoved);
  // A page that goes into the browser's memory keeps its ports open in Firefox.
  addEventListener("pagehide", () => working?.disconnect());
  addEventListener("pageshow", (event) => {
    if (event.persisted) tell({ type: "returned", view: view() });
  });

  return {
    run(name, parameters) {
      /** @type {(value: any) => PageReply<any>} */
      const done = (value) => ({ ok: true, value: value ?? null });
      /** @type {(error: unknown) => PageReply<any>} */
      const failed = (error) => ({ ok: false, message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
      try {
        const command = /** @type {(...parameters: unknown[]) => any} */ (commands[name]);
        const value = command(...parameters);
        return value instanceof Promise ? value.then(done, failed) : done(value);
      } catch (error) {
        return failed(error);
      }
    },
  };
})();

// Browsers hand back what a script ends with, and Firefox fails where that cannot be cloned.
void 0;
