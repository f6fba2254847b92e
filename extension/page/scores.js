"use strict";

/** Decodes each element's probability of being template: a byte each, 0 to 255. */
sitestencil.scores ??= (() => {
  /** @type {(slices: ReadonlyArray<string>, length: number) => Uint8Array} `slices`: base64, in order; `length`: how many elements there are */
  function decode(slices, length) {
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

  return { decode };
})();
