"use strict";

/** A small panel on the page. For a view it is one line: the views, how sure the answer is, and a menu of what can be done. A message or a question shows its sentence and buttons. */
sitestencil.panel ??= (() => {
  const { dom } = sitestencil;
  // As `printable` of texts.js, for ids, classes and addresses of a page.
  const UNFIT = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;
  const OWN_EVENTS = ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "keydown", "keyup"];
  const FOR_SELECTED = new Set(["only_page", "all_pages"]);
  /** Where a press leaves the view that the menu is about. */
  const VIEWS = new Set(["template", "original", "content", "inspect"]);
  const { BAR, BODY, BUTTON, GROUP, HOST, ITEM, MAIN, MENU, ON, ONE_LINE, PRESSED, PRESSED_FORCED, REGION, RING, ROW, SEGMENT, SIGN, SIGNS, STATUS, UNSEEN, box, dress, explanation, listOf, make } = sitestencil.look;

  /** @typedef {{host: HTMLElement, root: ShadowRoot, region: HTMLElement, shape?: string, isNews?: boolean, isUnfolded: boolean, press: (button: PanelButtonName) => void}} Panel */
  /** Where the person moved the panel on this page. @type {PanelPlace | undefined} */
  let place;
  /** Fires `move` with the place to be remembered. */
  const moves = new EventTarget();
  /** @type {Panel | null} */
  let panel = null;
  /** The focused element before the panel took the focus. @type {Element | null} */
  let focusBefore = null;

  function close() {
    if (!panel) return;
    const { host, root } = panel;
    const hadFocus = root.activeElement !== null;
    panel = null;
    sitestencil.standing.forget();
    document.removeEventListener("keydown", onKeyInPage);
    document.removeEventListener("pointerdown", onPressInPage);
    host.remove();
    if (hadFocus && focusBefore && dom.isConnected(focusBefore)) {
      /** @type {HTMLElement} */ (focusBefore).focus({ preventScroll: true });
    }
    focusBefore = null;
  }

  /** Opens the panel, or renews its content; the focus stays on the button of the same name. @type {(content: PanelContent, press: (button: PanelButtonName) => void) => void} */
  function open(content, press) {
    panel ??= placed();
    const { host, root, region, shape } = panel;
    panel.press = press;
    panel.shape = JSON.stringify({ ...content, sentence: "" });
    // Screen readers tell the changes of a status that stays.
    const status = shape === panel.shape && region.querySelector("[role=status]");
    if (status) return void (status.textContent = printable(content.sentence));
    const focused = root.activeElement;
    host.lang = content.language;
    host.dir = content.direction;
    region.style.setProperty("direction", content.direction);
    region.setAttribute("aria-label", content.name);
    panel.isNews = content.isNews;
    region.replaceChildren(...(content.views.length ? line(content) : [message(content)]));
    unfold(panel.isUnfolded);
    place = content.place ?? place;
    if (place) sitestencil.standing.put(region, place);
    else if (content.views.length && !focused && !region.matches(":hover")) sitestencil.standing.putBeside(region, content.direction);
    if (!focused) return;
    // Without that button, the first that does something.
    const next = root.querySelector(`button[name="${focused.getAttribute("name")}"]`) ?? root.querySelector("input, button:not([name=move])");
    /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
  }

  /** @type {(to: PanelPlace, isLast: boolean) => void} */
  function move(to, isLast) {
    if (!panel) return;
    place = to;
    sitestencil.standing.put(panel.region, to);
    if (isLast) moves.dispatchEvent(new CustomEvent("move", { detail: to }));
  }

  /** @returns {Panel} */
  function placed() {
    const host = make("div", HOST);
    for (const name of OWN_EVENTS) host.addEventListener(name, (event) => event.stopPropagation());
    host.addEventListener("keydown", (event) => {
      if (!event.isTrusted) return;
      if (event.key === "Escape") escape();
      else if (sitestencil.inspect.key(event.key)) event.preventDefault();
    });
    host.addEventListener("focusin", ({ relatedTarget }) => {
      if (relatedTarget instanceof Element && relatedTarget !== host) focusBefore = relatedTarget;
    });
    document.addEventListener("keydown", onKeyInPage);
    document.addEventListener("pointerdown", onPressInPage);
    const root = host.attachShadow({ mode: "closed" });
    // The Tab key comes to the page's start first.
    Element.prototype.prepend.call(/** @type {Element} */ (dom.documentElement(document)), host);
    const region = ruled(make("div", REGION));
    region.setAttribute("role", "region");
    // Pressing a button would take the page's selection and focus.
    region.addEventListener("mousedown", (event) => event.preventDefault());
    const style = dom.create("style");
    style.textContent = sitestencil.look.PRINT;
    root.append(style, region);
    sitestencil.standing.watch(region, () => {
      const status = /** @type {HTMLElement} */ (region.querySelector("[role=status]"));
      dress(status, STATUS);
      status.textContent = sitestencil.api.get().i18n.getMessage("panel_covered");
    });
    return { host, root, region, isUnfolded: false, press: () => {} };
  }

  /**
   * Shows an element only while the extension's rule is in the page. Firefox ends the scripts of an extension that goes
   * without a word, and takes its rules away: then the panel must not stay.
   * @template {HTMLElement} Made
   * @param {Made} element
   * @returns {Made}
   */
  function ruled(element) {
    if (!location.protocol.startsWith("http")) return element;
    element.style.setProperty("visibility", "hidden");
    dom.set(element, sitestencil.marks.NAME, "panel");
    return element;
  }

  /** @param {string} text */
  function printable(text) {
    return text.replace(UNFIT, "");
  }

  /** Closes the menu, drops a selection, or leaves. */
  function escape() {
    if (panel?.isUnfolded) unfold(false);
    else if (!sitestencil.inspect.release()) leave();
  }

  function leave() {
    const press = panel?.press;
    close();
    press?.("close");
  }

  /** @param {boolean} isUnfolded whether the menu shows */
  function unfold(isUnfolded) {
    const [opener, items, status] = ["[name=menu]", "[data-menu]", "[role=status]"].map((selector) => /** @type {HTMLElement | null | undefined} */ (panel?.region.querySelector(selector)));
    if (!panel || !opener || !items || !status) return;
    panel.isUnfolded = isUnfolded;
    opener.setAttribute("aria-expanded", String(isUnfolded));
    items.style.setProperty("display", isUnfolded ? "flex" : "none");
    // For screen readers it stays.
    dress(status, isUnfolded || panel.isNews ? STATUS : UNSEEN);
    if (!isUnfolded && items.contains(panel.root.activeElement)) opener.focus({ preventScroll: true });
  }

  /** Escape closes the panel from anywhere, unless the page uses the key. @param {KeyboardEvent} event */
  function onKeyInPage(event) {
    if (event.isTrusted && event.key === "Escape" && !event.defaultPrevented) escape();
  }

  /** @param {Event} event */
  function onPressInPage({ isTrusted, target }) {
    if (isTrusted && target !== panel?.host) unfold(false);
  }

  /** @type {(content: PanelContent) => HTMLElement} a sentence with its buttons */
  function message({ name, sentence, choices, buttons, move: handle, close: closing }) {
    const made = buttons.map((one) => button(one));
    const first = box(BAR, [grip(handle), box("flex: 1", [statusOf(sentence)]), ...(closing ? [button(closing, SIGN)] : [])]);
    return box("", [first, ...(choices ? [listOf(choices, name, made[0])] : []), box(ROW, made)]);
  }

  /** @type {(content: PanelContent) => HTMLElement[]} the line of a view, and all that it unfolds */
  function line(content) {
    const { name, sentence, confidence, views, menu, buttons, move: handle, close: closing } = content;
    const items = box(MENU, menu ? itemsOf(menu) : []);
    items.setAttribute("data-menu", "");
    const segments = group(name, views.map((one) => button(one, SEGMENT)));
    const bar = [grip(handle), segments, ...(confidence ? [confidenceOf(confidence, sentence)] : [])];
    if (menu) bar.push(button(menu.button, SIGN, () => unfold(!panel?.isUnfolded)));
    if (closing) bar.push(button(closing, SIGN));
    return [box(BAR, bar), box(BODY, [statusOf(sentence), explanation(), box(ROW, buttons.map((one) => button(one))), items])];
  }

  /** @type {(menu: PanelMenu) => HTMLElement[]} */
  function itemsOf({ styles, buttons }) {
    const made = buttons.map((one) => button(one, ITEM));
    if (!styles) return made;
    return [box("padding: 2px 8px", [styles.name]), group(styles.name, styles.buttons.map((one) => button(one, SEGMENT))), ...made];
  }

  /** @type {(confidence: {sign: string, word: string}, sentence: string) => HTMLElement} the status says it in full */
  function confidenceOf({ sign, word }, sentence) {
    const made = box(`display: flex; gap: 3px${ONE_LINE}`, [box(`color: ${SIGNS[sign] ?? "inherit"}`, [sign]), box("", [word])]);
    made.title = printable(sentence);
    made.setAttribute("aria-hidden", "true");
    return made;
  }

  /** @param {string} sentence */
  function statusOf(sentence) {
    const status = box(STATUS, [printable(sentence)]);
    status.setAttribute("role", "status");
    return status;
  }

  /** @param {PanelButton} content of the handle that moves the panel */
  function grip(content) {
    const made = button(content, `${SIGN}cursor: move; touch-action: none`, () => {});
    if (panel) sitestencil.standing.handle(made, panel.region, move);
    return made;
  }

  /** @type {(name: string, inside: ReadonlyArray<HTMLElement>) => HTMLElement} buttons of which one is pressed */
  function group(name, inside) {
    const made = box(GROUP, inside);
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", name);
    return made;
  }

  /** @type {(content: PanelButton, look?: string, act?: () => void) => HTMLButtonElement} `act`: what a press does in place of the background's work */
  function button({ name, label, description, pressed, main }, look = "", act) {
    const isForced = globalThis.matchMedia?.("(forced-colors: active)").matches;
    const isOn = pressed && look === ITEM;
    const made = make("button", BUTTON + look + (main ? MAIN : "") + (pressed && !isOn ? PRESSED + (isForced ? PRESSED_FORCED : "") : ""));
    made.setAttribute("name", name);
    made.setAttribute("type", "button");
    made.textContent = (isOn ? ON : "") + printable(label);
    if (description !== label) {
      made.setAttribute("aria-label", printable(description));
      made.setAttribute("title", printable(description));
    }
    if (pressed !== undefined) made.setAttribute("aria-pressed", String(pressed));
    made.addEventListener("click", (event) => {
      if (!event.isTrusted || !panel) return;
      if (VIEWS.has(name)) panel.isUnfolded = false;
      if (act) act();
      else if (name === "close") leave();
      else panel.press(name);
    });
    // `all: unset` removes the browser's focus ring.
    made.addEventListener("focus", () => made.style.setProperty("outline", RING));
    made.addEventListener("blur", () => made.style.setProperty("outline", "0"));
    return made;
  }

  /** Explains one element below the sentence, which gets a single line: two sentences, and the rest behind "more". @type {Sitestencil["panel"]["explain"]} */
  function explain(lines, preview = [], offered = []) {
    const status = /** @type {HTMLElement | null | undefined} */ (panel?.region.querySelector("[role=status]"));
    if (status) dress(status, STATUS + (lines.length ? ONE_LINE : ""));
    for (const made of panel?.region.querySelectorAll("button") ?? []) {
      if (FOR_SELECTED.has(made.name)) made.style.setProperty("display", offered.includes(made.name) ? "inline-block" : "none");
    }
    const explained = panel?.region.querySelector("[data-explanation]");
    if (explained) sitestencil.look.explain(explained, lines.map(printable), preview.map(printable));
  }

  /** @type {(node: Node) => boolean} whether the extension put it into the page */
  function isOwn(node) {
    return node === panel?.host || sitestencil.api.isHolder(node);
  }

  /** @returns {HTMLCanvasElement} as large as the window, below the panel and over the page */
  function underlay() {
    const canvas = ruled(make("canvas", "position: fixed; inset: 0; z-index: 2147483647; width: 100vw; height: 100vh; pointer-events: none"));
    panel?.region.before(canvas);
    return canvas;
  }

  return { moves, open, close, explain, underlay, chosen: () => sitestencil.look.chosen(panel?.region), isOpen: () => panel !== null, isOwn };
})();
