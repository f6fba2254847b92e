"use strict";

/** What a person has entered in a form, as attributes and text: HTML holds only what a form began with. */
sitestencil.values ??= (() => {
  const CHECKED = new Set(["checkbox", "radio"]);
  const NEVER_SAVED = new Set(["password", "file"]);
  const SECRET = /(^|\s)((current|new)-password|one-time-code|cc-\S+)(\s|$)/i;

  /**
   * @param {Element} element
   * @returns {Record<string, string | null>} attributes to save instead of its own, null for none
   */
  function attributesOf(element) {
    const { dom } = sitestencil;
    if (dom.isHtml(element, "input")) {
      const input = /** @type {HTMLInputElement} */ (element);
      if (CHECKED.has(input.type)) return { checked: input.checked ? "" : null };
      if (isSecret(input)) return { value: null };
      return input.value === dom.get(input, "value") ? {} : { value: input.value };
    }
    if (dom.isHtml(element, "option")) {
      return { selected: /** @type {HTMLOptionElement} */ (element).selected ? "" : null };
    }
    return {};
  }

  /**
   * @param {Element} element
   * @returns {string | null} the text to save instead of its own, null for elements that keep theirs
   */
  function textOf(element) {
    if (!sitestencil.dom.isHtml(element, "textarea")) return null;
    return isSecret(element) ? "" : /** @type {HTMLTextAreaElement} */ (element).value;
  }

  /** @type {(element: Element) => boolean} */
  function isSecret(element) {
    const { dom } = sitestencil;
    const type = /** @type {HTMLInputElement} */ (element).type;
    return NEVER_SAVED.has(type) || SECRET.test(dom.get(element, "autocomplete"));
  }

  return { attributesOf, textOf };
})();
