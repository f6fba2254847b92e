"use strict";

/** The looks of the panel's elements, and its smaller parts. */
sitestencil.look ??= (() => {
  const { dom } = sitestencil;
  // Without a box, nothing that the page's rules set on it shows.
  const HOST = "all: initial !important; display: contents !important";
  const ONE_LINE = "; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; min-width: 0";
  // Beats even the important styles of the element itself, which stands outside.
  const PRINT = "@media print { :host { display: none !important } }";
  // Transparent borders show if the system forces its colours.
  const REGION = `all: initial; position: fixed; inset-block: auto 16px; inset-inline: auto 16px; display: flex; flex-direction: column-reverse;
    max-width: min(320px, calc(100vw - 32px)); max-height: calc(100vh - 32px); overflow-y: auto; box-sizing: border-box; padding: 4px;
    border: 1px solid transparent; border-radius: 11px; background: #17334f; color: #fff; font: 12px/1.5 system-ui, sans-serif;
    text-align: start; user-select: none; box-shadow: 0 2px 10px rgb(0 0 0 / 35%)`;
  const BUTTON = `all: unset; cursor: pointer; box-sizing: border-box; padding: 3px 8px; border: 1px solid transparent; border-radius: 7px;
    background: #2f4964; color: #fff; outline-offset: -2px; white-space: nowrap; `;
  const RING = "2px solid #9fdbd6";
  const BAR = "display: flex; flex: none; gap: 2px; align-items: center";
  // As wide as the line, whatever it says.
  const BODY = "display: flex; flex-direction: column; width: 0; min-width: 100%; min-height: 0; overflow-y: auto";
  const ROW = "display: flex; flex-wrap: wrap; gap: 4px";
  const MENU = "display: flex; flex-direction: column; gap: 2px; padding: 2px 0 6px";
  const GROUP = "display: flex; flex: 1 0 auto; background: #2f4964; border-radius: 7px";
  const SEGMENT = "flex: 1 0 auto; padding: 3px 5px; text-align: center; background: transparent; ";
  const ITEM = "background: transparent; ";
  const SIGN = "padding: 3px 4px; background: transparent; ";
  const MAIN = "background: #9fdbd6; color: #0b2036; font-weight: 700; ";
  const PRESSED = "background: #fff; color: #17334f; text-decoration: underline; ";
  // Where the system forces its own colours, the underline would be all that is left of it.
  const PRESSED_FORCED = "background: Highlight; color: HighlightText; forced-color-adjust: none";
  const ON = "\u2713 ";
  /** @type {Readonly<Record<string, string>>} the colours of how sure an answer is */
  const SIGNS = { "\u25cf": "#7ee2a8", "\u25d0": "#f2c94c", "\u25cb": "#ffa79c" };
  const STATUS = "padding: 2px 8px";
  const UNSEEN = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap";
  // The shades at its ends go where there is nothing more.
  const LIST = `max-height: min(260px, 40vh); overflow-y: auto; padding: 0 6px 6px; scrollbar-color: #9fdbd6 #2f4964;
    background: linear-gradient(#17334f 50%, transparent) top / 100% 24px no-repeat local,
      linear-gradient(transparent, #17334f 50%) bottom / 100% 24px no-repeat local,
      linear-gradient(#9fdbd6, transparent) top / 100% 8px no-repeat, linear-gradient(transparent, #9fdbd6) bottom / 100% 8px no-repeat`;
  const FIRST = "font-weight: 700; margin-block-start: 4px";
  /** The addresses of the list's boxes. @type {WeakMap<Element, string>} */
  const values = new WeakMap();

  /** Only the outermost element must beat the page's rules; inside, the person's own text spacing wins. @type {Sitestencil["look"]["make"]} */
  function make(name, style) {
    const element = dom.create(name);
    dress(element, style);
    return element;
  }

  /** Sets styles one by one: a page's content security policy can forbid style sheets and attributes, but not these. @type {(element: HTMLElement, style: string) => void} */
  function dress(element, style) {
    element.style.cssText = "";
    for (const one of style.split(";")) {
      const [property, value = "", priority] = one.split(/[:!]/).map((part) => part.trim());
      element.style.setProperty(property, value, priority);
    }
  }

  /** @type {(style: string, inside: ReadonlyArray<HTMLElement | string>) => HTMLElement} */
  function box(style, inside) {
    const made = make("div", style);
    made.append(...inside);
    return made;
  }

  /** The panel's list of addresses with checkboxes, all checked at first. @type {(choices: ReadonlyArray<PanelChoice>, name: string, button: HTMLElement) => HTMLElement} `name`: for screen readers; `button`: needs one that is checked */
  function listOf(choices, name, button) {
    const made = box(LIST, choices.map(line));
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", name);
    made.addEventListener("change", () => {
      const isPossible = chosen(made).length > 0;
      /** @type {HTMLButtonElement} */ (button).disabled = !isPossible;
      button.style.setProperty("opacity", isPossible ? "1" : "0.5");
    });
    return made;
  }

  /** @param {PanelChoice} choice */
  function line({ value, label }) {
    const made = make("label", "display: flex; gap: 8px; align-items: baseline; padding: 2px 0; cursor: pointer");
    const checkbox = make("input", "flex: none; margin: 0; accent-color: #9fdbd6");
    checkbox.type = "checkbox";
    checkbox.checked = true;
    values.set(checkbox, value);
    made.title = value;
    made.append(checkbox, box("overflow-wrap: anywhere", [label]));
    return made;
  }

  /** @type {(root: ParentNode | undefined) => string[]} the checked addresses */
  function chosen(root) {
    return [...(root?.querySelectorAll("input:checked") ?? [])].map((box) => values.get(box) ?? "");
  }

  /** @returns {HTMLElement} the words on one element: two sentences, the rest behind "more", and what a correction would do */
  function explanation() {
    const more = make("details", "display: none");
    more.append(make("summary", "cursor: pointer"), make("div", ""));
    const made = box("padding: 0 8px; overflow-wrap: anywhere", [box("", []), more, box("", [])]);
    made.setAttribute("data-explanation", "");
    made.setAttribute("aria-live", "polite");
    return made;
  }

  /** @type {(box: Element, lines: ReadonlyArray<string>, preview: ReadonlyArray<string>) => void} `lines`: the element's name first; `preview`: of its correction */
  function explain(box, lines, preview) {
    const [told, more, offer] = /** @type {Iterable<HTMLElement>} */ (box.children);
    const most = preview.length ? 2 : 3;
    const rest = [...lines.slice(most), ...preview.slice(2)];
    told.replaceChildren(...linesOf(lines.slice(0, most)));
    // The buttons follow.
    offer.replaceChildren(...linesOf(preview.slice(0, 2).reverse(), preview.length > 1 ? 1 : 0));
    const [summary, place] = more.children;
    summary.textContent = rest.length ? sitestencil.api.get().i18n.getMessage("inspect_more") : "";
    place.replaceChildren(...linesOf(rest));
    more.style.setProperty("display", rest.length ? "block" : "none");
  }

  /** @type {(lines: ReadonlyArray<string>, bold?: number) => HTMLElement[]} */
  function linesOf(lines, bold = 0) {
    return lines.map((line, index) => box(index === bold ? FIRST : "", [line]));
  }

  return { HOST, ONE_LINE, PRINT, REGION, BUTTON, RING, BAR, BODY, GROUP, SEGMENT, ITEM, SIGN, MAIN, MENU, ROW, PRESSED, PRESSED_FORCED, ON, SIGNS, STATUS, UNSEEN, make, dress, box, listOf, chosen, explanation, explain };
})();
