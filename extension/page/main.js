"use strict";

/**
 * What the extension's background may ask of a page, and what the page remembers: the host's answer on the
 * page's own nodes lives here, as long as the document does, whatever becomes of the background.
 */
sitestencil.main ??= (() => {
  const WEB_PAGES = new Set(["text/html", "application/xhtml+xml"]);

  /** @type {KnownPage | null} */
  let page = null;
  /** @type {{tree: Tree, url: string} | null} */
  let pending = null;
  /** @type {browser.runtime.Port | null} */
  let working = null;

  const commands = {
    /** What this document is, and what of it shows. */
    describe() {
      forgetIfMoved();
      const contentType = sitestencil.dom.contentType(document);
      return { webPage: WEB_PAGES.has(contentType) && location.protocol.startsWith("http"), contentType, view: view() };
    },

    /** Takes the snapshot. The open port tells the background when this document goes. */
    snapshot() {
      sitestencil.panel.close();
      const { snapshot, tree } = sitestencil.snapshot.take(document);
      page = null;
      pending = { tree, url: address() };
      working = browser.runtime.connect({ name: "working" });
      return snapshot;
    },

    /**
     * Takes the host's answer to the last snapshot.
     * @param {Answer} answer
     */
    answer({ template, content_texts: contentTexts }) {
      if (!pending) throw new Error("The answer is to no snapshot of this page.");
      const { tree, url } = pending;
      const { mask } = sitestencil.ranges;
      page = {
        tree,
        url,
        template: mask(template, tree.elements.length),
        contentTexts: mask(contentTexts, tree.texts.length),
      };
      commands.stop();
    },

    /** Forgets a snapshot that gets no answer. */
    stop() {
      pending = null;
      working?.postMessage("done");
      working?.disconnect();
      working = null;
    },

    show() {
      if (!page) throw new Error("Nothing is known of this page.");
      sitestencil.view.show(page);
      sitestencil.panel.showTemplate({ save: () => tell({ type: "save" }), restore: () => tell({ type: "click" }) });
    },

    restore() {
      sitestencil.panel.close();
      sitestencil.view.restore();
    },

    /** The page as it is now, with what of it is template, for saving. */
    capture() {
      if (!page) throw new Error("Nothing is known of this page.");
      return { capture: sitestencil.capture.take(document, page), title: sitestencil.dom.title(document) };
    },

    /** @param {string} message a sentence for the person */
    say(message) {
      sitestencil.panel.showMessage(message);
    },
  };

  /** @returns {View} */
  function view() {
    if (sitestencil.view.isShown()) return "template";
    return page ? "original" : "none";
  }

  /** @returns {string} the document's address without its fragment */
  function address() {
    return location.href.split("#", 1)[0];
  }

  /** A page that moves on within its document, as script-driven sites do, is another page. */
  function forgetIfMoved() {
    const known = page ?? pending;
    if (!known || known.url === address()) return;
    commands.restore();
    commands.stop();
    page = null;
    tell({ type: "moved" });
  }

  /** @param {{type: "click" | "save" | "moved" | "returned", view?: View}} message */
  function tell(message) {
    browser.runtime.sendMessage(message).catch(() => {
      // The extension was updated or removed: nobody is left to take the rules back, but the marks can go.
      commands.restore();
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
    /**
     * Runs a command. Browsers differ in how they report an injected function that throws, so none does.
     * @param {keyof typeof commands} name
     * @param {any[]} parameters
     */
    run(name, parameters) {
      try {
        const command = /** @type {(...parameters: any[]) => unknown} */ (commands[name]);
        return { ok: true, value: command(...parameters) ?? null };
      } catch (error) {
        return { ok: false, message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
      }
    },
  };
})();

// Browsers hand back what a script ends with, and Firefox fails where that cannot be cloned.
void 0;
