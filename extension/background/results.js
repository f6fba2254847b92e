/** A result as the host sends it, in parts, put together. */

/** @typedef {{part: number, parts: number, template: Ranges, content_texts: Ranges, summary?: Summary}} Part */
/** @typedef {{elements?: number, pages_loaded?: number, sureness?: number | null, more_pages?: number | null}} Summary */
/** @typedef {Answer & {summary: Summary}} Result */

export class Assembly {
  /** @type {Array<Part | undefined>} */
  #parts = [];

  /**
   * Takes a part; gives the result with the last one.
   * @param {Part} part
   * @returns {Result | null}
   */
  add(part) {
    const { part: number, parts } = part;
    if (!(number >= 1 && number <= parts)) throw new RangeError(`Part ${number} of ${parts} is none.`);
    this.#parts[number - 1] = part;
    const found = this.#parts.filter((known) => known !== undefined);
    if (found.length < parts) return null;
    return {
      template: joined(found.map(({ template }) => template)),
      content_texts: joined(found.map(({ content_texts: texts }) => texts)),
      summary: found.at(-1)?.summary ?? {},
    };
  }
}

/**
 * Joins ranges that a part's end cut in two.
 * @param {ReadonlyArray<Ranges>} slices
 * @returns {Ranges}
 */
export function joined(slices) {
  /** @type {Array<[number, number]>} */
  const all = [];
  for (const [start, end] of slices.flat()) {
    const last = all.at(-1);
    if (last && last[1] === start) last[1] = end;
    else all.push([start, end]);
  }
  return all;
}
