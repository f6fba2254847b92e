"use strict";

/**
 * Which elements have to be marked so that content does not show and template does. Visibility is inherited:
 * one mark on top of a piece of content hides all of it, and one on a piece of template inside shows that again.
 */
sitestencil.plan ??= (() => {
  /**
   * @param {object} page columns, one entry per element in document order
   * @param {ArrayLike<number>} page.parents
   * @param {ArrayLike<number>} page.template whether the element is template
   * @param {ArrayLike<number>} page.visible whether it shows as the page itself has it
   * @param {ArrayLike<number>} page.markable 0 for what takes no mark: shadow roots, and what never shows
   * @param {ArrayLike<number>} page.roots 1 for roots of documents: they inherit nothing
   * @returns {Map<number, Mark>}
   */
  function plan({ parents, template, visible, markable, roots }) {
    /** @type {Map<number, Mark>} */
    const marks = new Map();
    const within = new Uint8Array(parents.length);
    for (let index = 0; index < parents.length; index++) {
      const above = roots[index] ? 1 : within[parents[index]];
      within[index] = markable[index] ? template[index] : above;
      if (within[index] === above) continue;
      if (!template[index]) marks.set(index, "hide");
      else if (visible[index]) marks.set(index, "show");
    }
    return marks;
  }

  /**
   * What the marks missed: the page's own rules say `visibility: visible` of some elements, so that they inherit
   * nothing.
   * @param {object} page
   * @param {ArrayLike<number>} page.template
   * @param {ArrayLike<number>} page.visible before the marks
   * @param {ArrayLike<number>} page.now with them
   * @param {ArrayLike<number>} page.markable
   * @returns {Map<number, Mark>}
   */
  function missed({ template, visible, now, markable }) {
    /** @type {Map<number, Mark>} */
    const marks = new Map();
    for (let index = 0; index < template.length; index++) {
      if (!markable[index]) continue;
      if (!template[index] && now[index]) marks.set(index, "hide");
      else if (template[index] && visible[index] && !now[index]) marks.set(index, "show");
    }
    return marks;
  }

  return { plan, missed };
})();
