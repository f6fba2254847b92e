"use strict";

/**
 * A small panel in the corner of the page: what can be done with the page as it shows; or a sentence, when something
 * went wrong. It stands in a closed shadow root and leaves with what it speaks of.
 */
sitestencil.panel ??= (() => {
  const OWN_EVENTS = ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "keydown", "keyup"];

  /** @type {HTMLElement | null} */
  let host = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let leaving;

  function close() {
    clearTimeout(leaving);
    host?.remove();
    host = null;
  }

  /**
   * @param {PanelContent} content
   * @param {(button: PanelButtonName) => void} press
   */
  function open({ sentence, buttons, closesAfterMs }, press) {
    close();
    host = make("div", {
      all: "initial",
      position: "fixed",
      inset: "auto 16px 16px auto",
      "z-index": "2147483647",
      visibility: "visible",
      display: "block",
    });
    const panel = make("div", {
      display: "flex",
      "flex-wrap": buttons.length > 1 ? "wrap" : "nowrap",
      "justify-content": "flex-end",
      gap: "4px",
      "align-items": "center",
      "max-width": "min(420px, calc(100vw - 32px))",
      "box-sizing": "border-box",
      padding: "6px",
      "border-radius": "10px",
      background: "#17334f",
      color: "#fff",
      font: "13px/1.4 system-ui, sans-serif",
      "user-select": "none",
      "box-shadow": "0 2px 10px rgb(0 0 0 / 35%)",
    });
    panel.setAttribute("role", "status");
    if (sentence) panel.append(text(sentence, buttons.length > 1));
    panel.append(...buttons.map((one) => button(one, press)));
    // A press on a button would take the page's selection and focus away.
    panel.addEventListener("mousedown", (event) => event.preventDefault());
    for (const name of OWN_EVENTS) host.addEventListener(name, (event) => event.stopPropagation());
    host.attachShadow({ mode: "closed" }).append(panel);
    Element.prototype.append.call(/** @type {Element} */ (sitestencil.dom.documentElement(document)), host);
    if (closesAfterMs) leaving = setTimeout(close, closesAfterMs);
  }

  /**
   * @param {PanelButton} content
   * @param {(button: PanelButtonName) => void} press
   */
  function button({ name, label, description }, press) {
    const made = make("button", {
      all: "unset",
      cursor: "pointer",
      padding: "4px 10px",
      "border-radius": "6px",
      background: "rgb(255 255 255 / 14%)",
      "white-space": "nowrap",
    });
    made.setAttribute("name", name);
    made.textContent = label;
    if (description !== label) made.setAttribute("aria-label", description);
    made.addEventListener("click", () => press(name));
    made.addEventListener("focus", () => made.style.setProperty("outline", "2px solid #9fdbd6"));
    made.addEventListener("blur", () => made.style.removeProperty("outline"));
    return made;
  }

  /**
   * @param {string} content
   * @param {boolean} onOwnLine whether the buttons stand below it
   */
  function text(content, onOwnLine) {
    const made = make("span", { padding: "4px 8px", flex: onOwnLine ? "1 0 100%" : "0 1 auto", "box-sizing": "border-box" });
    made.textContent = content;
    return made;
  }

  /**
   * Styles go in one by one: a page's content security policy may forbid style sheets and attributes, not these.
   * @param {"div" | "span" | "button"} name
   * @param {Record<string, string>} style
   */
  function make(name, style) {
    const element = sitestencil.dom.create(name);
    for (const [property, value] of Object.entries(style)) element.style.setProperty(property, value, "important");
    return element;
  }

  return { open, close, isPanel: (/** @type {Node} */ node) => node === host };
})();
