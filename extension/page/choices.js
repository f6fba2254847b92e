"use strict";

/** The panel's list of addresses with checkboxes, all checked at first. */
sitestencil.choices ??= (() => {
  /** The addresses of the list's boxes. @type {WeakMap<Element, string>} */
  const values = new WeakMap();

  /** @type {(choices: ReadonlyArray<PanelChoice>, name: string, button: HTMLElement) => HTMLElement} `name`: for screen readers; `button`: needs one that is checked */
  function list(choices, name, button) {
    const made = make("div", { "max-height": "min(260px, 40vh)", "overflow-y": "auto", padding: "0 6px 6px" });
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", name);
    made.append(...choices.map(line));
    made.addEventListener("change", () => {
      const isPossible = chosen(made).length > 0;
      /** @type {HTMLButtonElement} */ (button).disabled = !isPossible;
      button.style.setProperty("opacity", isPossible ? "1" : "0.5");
    });
    return made;
  }

  /** @param {PanelChoice} choice */
  function line({ value, label }) {
    const made = make("label", { display: "flex", gap: "8px", "align-items": "baseline", padding: "2px 0", cursor: "pointer" });
    const box = /** @type {HTMLInputElement} */ (make("input", { flex: "none", margin: "0", "accent-color": "#9fdbd6" }));
    box.type = "checkbox";
    box.checked = true;
    values.set(box, value);
    const text = make("span", { "overflow-wrap": "anywhere" });
    text.textContent = label;
    made.title = value;
    made.append(box, text);
    return made;
  }

  /** @type {(root: ParentNode | undefined) => string[]} the checked addresses */
  function chosen(root) {
    return [...(root?.querySelectorAll("input:checked") ?? [])].map((box) => values.get(box) ?? "");
  }

  /** @type {(name: "div" | "label" | "input" | "span", style: Record<string, string>) => HTMLElement} */
  function make(name, style) {
    const element = /** @type {HTMLElement} */ (sitestencil.dom.create(name));
    for (const [property, value] of Object.entries(style)) element.style.setProperty(property, value);
    return element;
  }

  return { list, chosen };
})();
