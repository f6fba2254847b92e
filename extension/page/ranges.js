"use strict";

/** Half-open ranges of indices, as the host names nodes, and sets of them. */
sitestencil.ranges ??= (() => {
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
  function of(mask) {
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

  return { mask, of };
})();
