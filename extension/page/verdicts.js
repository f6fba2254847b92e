"use strict";

/** The host's answer in columns, one entry for each element or text of the tree. */
sitestencil.verdicts ??= (() => {
  /** @type {Sitestencil["verdicts"]["of"]} */
  function of({ template, content_texts: contentTexts, main, main_texts: mainTexts = [], scores }, { elements, texts }) {
    const { mask } = sitestencil.ranges;
    return {
      template: mask(template, elements.length),
      contentTexts: mask(contentTexts, texts.length),
      rest: main ? mask(main, elements.length).map((one) => 1 - one) : mask(template, elements.length),
      mainTexts: mask(main ? mainTexts : contentTexts, texts.length),
      scores: scores ? sitestencil.scores.decode(scores, elements.length) : null,
    };
  }

  return { of };
})();
