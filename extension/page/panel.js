"use strict";

/**
 * A small panel in the corner of the page: what happened, and what can be done with the page as it shows. It stands in
 * a closed shadow root and leaves with what it speaks of.
 */
sitestencil.panel ??= (() => {
  // As printable.js, for ids, classes and addresses of a page.
  const UNFIT = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;
  const OWN_EVENTS = ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "keydown", "keyup"];
  const FOR_SELECTED = new Set(["only_page", "all_pages"]);
  const RING = "2px solid #9fdbd6";
  const MAIN = { background: "#9fdbd6", color: "#0b2036", "font-weight": "700" };
  const PRESSED = { background: "#fff", color: "#17334f", "text-decoration": "underline" };
  // Where the system forces its own colours, the underline would be all that is left of it.
  const PRESSED_FORCED = { background: "Highlight", color: "HighlightText", "forced-color-adjust": "none" };
  // In the first row, beside the sentence.
  const FIRST_ROW = new Set(["options", "collapse", "close"]);
  const SCROLLING_KEYS = new Set([" ", "ArrowDown", "PageDown", "End"]);

  /** @typedef {{host: HTMLElement, root: ShadowRoot, region: HTMLElement, shape?: string, press: (button: PanelButtonName) => void, giveWay?: () => void, gaveWay?: boolean}} Panel */
  /** Where the person moved the panel on this page. @type {PanelPlace | undefined} */
  let place;
  /** Fires `change` with what is to be remembered of the panel. */
  const changes = new EventTarget();
  /** @type {Panel | null} */
  let panel = null;
  /** The focused element before the panel took the focus. @type {Element | null} */
  let focusBefore = null;

  function close() {
    if (!panel) return;
    const { host, root } = panel;
    const hadFocus = root.activeElement !== null;
    panel = null;
    sitestencil.drawn.stop();
    document.removeEventListener("keydown", onKeyInPage);
    for (const name of ["wheel", "touchmove"]) document.removeEventListener(name, onScrolling);
    host.remove();
    if (hadFocus && focusBefore && sitestencil.dom.isConnected(focusBefore)) {
      /** @type {HTMLElement} */ (focusBefore).focus({ preventScroll: true });
    }
    focusBefore = null;
  }

  /**
   * Opens the panel, or renews its content; the focus stays on the button of the same name.
   * @param {PanelContent} content
   * @param {(button: PanelButtonName) => void} press
   */
  function open(content, press) {
    panel ??= placed();
    panel.press = press;
    panel.gaveWay &&= content.givesWay;
    const collapsed = content.collapsed || panel.gaveWay;
    panel.giveWay = content.givesWay && !collapsed ? () => giveWay(content, press) : undefined;
    const { host, root, region, shape } = panel;
    panel.shape = JSON.stringify({ ...content, collapsed, sentence: "" });
    // Screen readers tell the changes of a status that stays.
    const status = shape === panel.shape && region.querySelector("[role=status]");
    if (status) return void (status.textContent = printable(content.sentence));
    const focused = root.activeElement;
    host.lang = content.language;
    host.dir = content.direction;
    region.style.setProperty("direction", content.direction);
    region.setAttribute("aria-label", content.name);
    region.replaceChildren(...(collapsed ? [tab(content, press)] : parts(content, press)));
    place = content.place ?? place;
    if (place) sitestencil.moving.put(region, place);
    if (!focused) return;
    // Without that button, the first that does something.
    const next = root.querySelector(`button[name="${focused.getAttribute("name")}"]`) ?? root.querySelector("input, button:not([name=move])");
    /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
  }

  /** @param {PanelChoices} choices by the person, to be remembered */
  function change(choices) {
    changes.dispatchEvent(new CustomEvent("change", { detail: choices }));
  }

  /** @type {(to: PanelPlace, isLast: boolean) => void} */
  function move(to, isLast) {
    if (!panel) return;
    place = to;
    sitestencil.moving.put(panel.region, to);
    if (isLast) change({ place: to });
  }

  /** @type {(content: PanelContent, press: Panel["press"], collapsed: boolean) => void} */
  function collapse(content, press, collapsed) {
    if (panel) panel.gaveWay = false;
    open({ ...content, collapsed, place }, press);
    change({ collapsed });
  }

  /** The person reads on: only the tab stays beside the text. @type {(content: PanelContent, press: Panel["press"]) => void} */
  function giveWay(content, press) {
    if (panel) panel.gaveWay = true;
    open({ ...content, place }, press);
  }

  /** @type {(content: PanelContent, press: Panel["press"]) => HTMLElement} all that shows of a collapsed panel */
  function tab(content, press) {
    const made = button(content.expand, () => collapse(content, press, false));
    made.setAttribute("aria-expanded", "false");
    if (panel) sitestencil.moving.handle(made, panel.region, move, false);
    return made;
  }

  /** @returns {Panel} */
  function placed() {
    const host = /** @type {HTMLElement} */ (make("div", sitestencil.look.HOST, "important"));
    for (const name of OWN_EVENTS) host.addEventListener(name, (event) => event.stopPropagation());
    host.addEventListener("keydown", (event) => {
      if (!event.isTrusted) return;
      if (event.key === "Escape") leave();
      else if (sitestencil.inspect.key(event.key)) event.preventDefault();
    });
    host.addEventListener("focusin", ({ relatedTarget }) => {
      if (relatedTarget instanceof Element && relatedTarget !== host) focusBefore = relatedTarget;
    });
    document.addEventListener("keydown", onKeyInPage);
    for (const name of ["wheel", "touchmove"]) document.addEventListener(name, onScrolling, { passive: true });
    const root = host.attachShadow({ mode: "closed" });
    // The Tab key comes to the page's start first.
    Element.prototype.prepend.call(/** @type {Element} */ (sitestencil.dom.documentElement(document)), host);
    const region = make("div", sitestencil.look.REGION);
    region.setAttribute("role", "region");
    // Pressing a button would take the page's selection and focus.
    region.addEventListener("mousedown", (event) => event.preventDefault());
    const style = sitestencil.dom.create("style");
    style.textContent = sitestencil.look.PRINT;
    root.append(style, region);
    sitestencil.drawn.watch(region);
    return { host, root, region, press: () => {} };
  }

  /** @param {string} text */
  function printable(text) {
    return text.replace(UNFIT, "");
  }

  /** The person closes the panel. */
  function leave() {
    const press = panel?.press;
    close();
    press?.("close");
  }

  /** Escape closes the panel from anywhere, unless the page uses the key. @param {KeyboardEvent} event */
  function onKeyInPage(event) {
    if (event.isTrusted && event.key === "Escape" && !event.defaultPrevented) leave();
    else if (SCROLLING_KEYS.has(event.key)) onScrolling(event);
  }

  /** A page can scroll itself; only a person turns a wheel. @param {Event} event */
  function onScrolling({ isTrusted, target }) {
    if (isTrusted && target !== panel?.host) panel?.giveWay?.();
  }

  /**
   * @param {PanelContent} content
   * @param {(button: PanelButtonName) => void} press
   * @returns {HTMLElement[]} the handle, the sentence and the closing button, the views, the other buttons
   */
  function parts(content, press) {
    const { name, sentence, choices, views, styles, buttons, move: handle } = content;
    const selecting = buttons.filter((one) => FOR_SELECTED.has(one.name)).map((one) => button(one, press));
    const others = buttons.filter((one) => !FIRST_ROW.has(one.name) && !FOR_SELECTED.has(one.name)).map((one) => button(one, press));
    const closing = buttons.filter((one) => FIRST_ROW.has(one.name)).map((one) => {
      const made = button(one, one.name === "collapse" ? () => collapse(content, press, true) : press);
      if (one.name === "collapse") made.setAttribute("aria-expanded", "true");
      return made;
    });
    const grip = button(handle, () => {});
    grip.style.setProperty("cursor", "move");
    grip.style.setProperty("touch-action", "none");
    if (panel) sitestencil.moving.handle(grip, panel.region, move, true);
    const status = make("div", { flex: "1 1 auto", padding: "4px 6px" });
    status.setAttribute("role", "status");
    status.textContent = printable(sentence);
    const explanation = make("div", { padding: "0 6px 2px", "overflow-wrap": "anywhere" });
    explanation.setAttribute("data-explanation", "");
    explanation.setAttribute("aria-live", "polite");
    const rows = [row([grip, status, ...closing], "nowrap"), explanation];
    if (selecting.length) rows.push(row(selecting));
    if (views.length) rows.push(group(name, views.map((one) => button(one, press))));
    if (styles) {
      const label = make("div", { padding: "4px 6px" });
      label.textContent = styles.name;
      rows.push(group(styles.name, [label, ...styles.buttons.map((one) => button(one, press))]));
    }
    if (choices) rows.push(sitestencil.choices.list(choices, name, others[0]));
    if (others.length) rows.push(row(others));
    return rows;
  }

  /** @type {(inside: ReadonlyArray<HTMLElement>, wrap?: "wrap" | "nowrap") => HTMLElement} */
  function row(inside, wrap = "wrap") {
    const made = make("div", { display: "flex", "flex-wrap": wrap, gap: "4px", "align-items": "flex-start" });
    made.append(...inside);
    return made;
  }

  /** @type {(name: string, inside: ReadonlyArray<HTMLElement>) => HTMLElement} buttons of which one is pressed */
  function group(name, inside) {
    const made = row(inside);
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", name);
    return made;
  }

  /**
   * @param {PanelButton} content
   * @param {(button: PanelButtonName) => void} press
   */
  function button({ name, label, description, pressed, main }, press) {
    const isForced = globalThis.matchMedia?.("(forced-colors: active)").matches;
    const made = make("button", { ...sitestencil.look.BUTTON, ...(main && MAIN), ...(pressed && PRESSED), ...(pressed && isForced && PRESSED_FORCED) });
    made.setAttribute("name", name);
    made.setAttribute("type", "button");
    made.textContent = printable(label);
    if (description !== label) {
      made.setAttribute("aria-label", printable(description));
      made.setAttribute("title", printable(description));
    }
    if (pressed !== undefined) made.setAttribute("aria-pressed", String(pressed));
    made.addEventListener("click", (event) => {
      if (event.isTrusted) (name === "close" ? leave() : press(name));
    });
    // `all: unset` removes the browser's focus ring.
    made.addEventListener("focus", () => made.style.setProperty("outline", RING));
    made.addEventListener("blur", () => made.style.setProperty("outline", "0"));
    return made;
  }

  /**
   * Explains one element below the sentence, which gets a single line.
   * @param {ReadonlyArray<string>} lines
   * @param {ReadonlyArray<string>} [preview] of a correction of a selected element
   * @param {ReadonlyArray<string>} [offered] those of the buttons for a selected element that show
   */
  function explain(lines, preview = [], offered = []) {
    const status = /** @type {HTMLElement | null | undefined} */ (panel?.region.querySelector("[role=status]"));
    for (const [property, value] of Object.entries(sitestencil.look.ONE_LINE)) status?.style.setProperty(property, lines.length ? value : "");
    for (const made of panel?.region.querySelectorAll("button") ?? []) {
      if (FOR_SELECTED.has(made.name)) made.style.setProperty("display", offered.includes(made.name) ? "inline-block" : "none");
    }
    const explanation = panel?.region.querySelector("[data-explanation]");
    explanation?.replaceChildren(...[lines, preview].flatMap((group) => group.map((line, index) => {
      const made = make("div", index ? {} : sitestencil.look.FIRST_LINE);
      made.textContent = printable(line);
      return made;
    })));
  }

  /** @type {(node: Node) => boolean} whether the extension put it into the page */
  function isOwn(node) {
    return node === panel?.host || sitestencil.api.isHolder(node);
  }

  /** @returns {HTMLCanvasElement} as large as the window, below the panel and over the page */
  function underlay() {
    const canvas = make("canvas", { position: "fixed", inset: "0", "z-index": "2147483647", width: "100vw", height: "100vh", "pointer-events": "none" });
    panel?.region.before(canvas);
    return /** @type {HTMLCanvasElement} */ (canvas);
  }

  /**
   * Sets styles one by one: a page's content security policy can forbid style sheets and attributes, but not these.
   * Only the outermost element must beat the page's rules; inside, the person's own text spacing wins.
   * @param {"div" | "button" | "canvas"} name
   * @param {Record<string, string>} style
   * @param {"important" | ""} [priority]
   */
  function make(name, style, priority = "") {
    const element = sitestencil.dom.create(name);
    for (const [property, value] of Object.entries(style)) element.style.setProperty(property, value, priority);
    return element;
  }

  return { changes, open, close, explain, underlay, chosen: () => sitestencil.choices.chosen(panel?.region), isOpen: () => panel !== null, isOwn };
})();
