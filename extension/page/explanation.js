"use strict";

/** The panel's words on one element: two sentences, and the rest behind "more". */
sitestencil.explanation ??= (() => {
  const FIRST = { "font-weight": "700", "margin-block-start": "4px" };

  /** @returns {HTMLElement} with the place of the rest, which stays and so keeps the focus */
  function box() {
    const more = make("details", { display: "none" });
    more.append(make("summary", { cursor: "pointer" }), make("div", {}));
    const made = make("div", { padding: "0 8px", "overflow-wrap": "anywhere" });
    made.setAttribute("data-explanation", "");
    made.setAttribute("aria-live", "polite");
    made.append(more);
    return made;
  }

  /** @type {(box: Element, lines: ReadonlyArray<string>, preview: ReadonlyArray<string>) => void} `lines`: the element's name first; `preview`: of its correction */
  function fill(box, lines, preview) {
    const more = /** @type {HTMLElement} */ (box.lastElementChild);
    const most = preview.length ? 2 : 3;
    const rest = [...lines.slice(most), ...preview.slice(2)];
    while (more.previousSibling) more.previousSibling.remove();
    more.before(...linesOf(lines.slice(0, most)), ...linesOf(preview.slice(0, 2)));
    const [summary, place] = more.children;
    summary.textContent = rest.length ? sitestencil.api.get().i18n.getMessage("inspect_more") : "";
    place.replaceChildren(...linesOf(rest));
    more.style.setProperty("display", rest.length ? "block" : "none");
  }

  /** @type {(lines: ReadonlyArray<string>) => HTMLElement[]} */
  function linesOf(lines) {
    return lines.map((line, index) => {
      const made = make("div", index ? {} : FIRST);
      made.textContent = line;
      return made;
    });
  }

  /** @type {(name: "div" | "details" | "summary", style: Record<string, string>) => HTMLElement} */
  function make(name, style) {
    const element = /** @type {HTMLElement} */ (sitestencil.dom.create(name));
    for (const [property, value] of Object.entries(style)) element.style.setProperty(property, value);
    return element;
  }

  return { box, fill };
})();
