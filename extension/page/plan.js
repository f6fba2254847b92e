"use strict";

/**
 * Which elements have to be marked so that content does not show and template does. Visibility is inherited:
 * one mark on top of a piece of content hides all of it, and one on a piece of template inside shows that again.
 */
sitestencil.plan ??= (() => {
  /**
   * @param {PlanColumns} page
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
   * @param {MissedColumns} page
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
