"use strict";

/** The host's answer in columns, one entry for each element or text of the tree. The host names nodes by half-open ranges of indices. */
sitestencil.answer ??= (() => {
  /** @type {(ranges: ReadonlyArray<readonly [number, number]>, length: number) => Uint8Array} 1 where an index lies in a range */
  function mask(ranges, length) {
    const members = new Uint8Array(length);
    for (const [start, end] of ranges) {
      if (!(start >= 0 && start <= end && end <= length)) {
        throw new RangeError(`The answer names nodes ${start} to ${end} of ${length}.`);
      }
      members.fill(1, start, end);
    }
    return members;
  }

  /** @type {(mask: ArrayLike<number>) => Array<[number, number]>} the indices of all values but 0 */
  function rangesOf(mask) {
    /** @type {Array<[number, number]>} */
    const ranges = [];
    for (let index = 0; index < mask.length; index++) {
      if (!mask[index]) continue;
      const last = ranges.at(-1);
      if (last && last[1] === index) last[1]++;
      else ranges.push([index, index + 1]);
    }
    return ranges;
  }

  /** @type {(slices: ReadonlyArray<string>, length: number) => Uint8Array} `slices`: base64, in order; `length`: how many elements there are */
  function bytesOf(slices, length) {
    const scores = new Uint8Array(length);
    let end = 0;
    for (const slice of slices) {
      const bytes = atob(slice);
      if (end + bytes.length > length) throw new RangeError(`The answer has scores of more than ${length} elements.`);
      for (let index = 0; index < bytes.length; index++) scores[end++] = bytes.charCodeAt(index);
    }
    if (end < length) throw new RangeError(`The answer has scores of ${end} elements, of ${length}.`);
    return scores;
  }

  /** @type {Sitestencil["answer"]["verdictsOf"]} */
  function verdictsOf({ template, content_texts: contentTexts, main, main_texts: mainTexts = [], scores }, { elements, texts }) {
    return {
      template: mask(template, elements.length),
      contentTexts: mask(contentTexts, texts.length),
      rest: main ? mask(main, elements.length).map((one) => 1 - one) : mask(template, elements.length),
      mainTexts: mask(main ? mainTexts : contentTexts, texts.length),
      scores: scores ? bytesOf(scores, elements.length) : null,
    };
  }

  /** Joins the host's answer with the snapshot that it is about. @type {Sitestencil["answer"]["pageOf"]} */
  function pageOf({ tree, url, packed, typed }, answer, about) {
    const { template, content_texts: contentTexts, scores, reasons, pages = [], title } = answer;
    return {
      ...verdictsOf(answer, tree),
      tree,
      url,
      typed,
      known: { snapshot: packed, template, content_texts: contentTexts, ...(scores && { scores: scores.join("") }) },
      reasons: reasons ? sitestencil.reasons.decode(reasons, tree.elements.length) : null,
      ownNames: new Set(reasons?.ownNames),
      pages,
      unjudged: new Set(),
      newTexts: new Set(),
      waits: false,
      rules: [],
      corrected: new Map(),
      applied: [],
      corrections: [],
      about,
      title,
    };
  }

  return { mask, rangesOf, bytesOf, verdictsOf, pageOf };
})();
