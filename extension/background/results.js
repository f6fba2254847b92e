/** Joins the parts of a result from the host. */

/** @typedef {{answer: Answer, summary: Summary}} Result */

export class Assembly {
  /** @type {Array<ResultPart | EarlyResultPart | undefined>} */
  #parts = [];

  /** @type {string[]} */
  #reasons = [];
  #width = 0;

  /** Takes a part of the reasons, which precede the result. @type {(part: ReasonsPart) => void} */
  addReasons({ part, width, rows }) {
    this.#reasons[part - 1] = rows;
    this.#width = width;
  }

  /** Takes a part; returns the result once it is complete. @type {(part: ResultPart | EarlyResultPart) => Result | null} */
  add(part) {
    const { part: number, parts } = part;
    if (!(number >= 1 && number <= parts)) throw new RangeError(`Part ${number} of ${parts} is none.`);
    this.#parts[number - 1] = part;
    const present = this.#parts.filter((one) => one !== undefined);
    if (present.length < parts) return null;
    const summary = present.at(-1)?.summary;
    if (!summary) throw new TypeError("The result's last part has no summary.");
    const scores = present.map((one) => one.scores).filter((slice) => slice !== undefined);
    return {
      summary,
      answer: {
        template: joined(present.map(({ template }) => template)),
        content_texts: joined(present.map(({ content_texts: texts }) => texts)),
        ...(present.some(({ main, main_texts: texts }) => main ?? texts) && {
          main: joined(present.map(({ main = [] }) => main)),
          main_texts: joined(present.map(({ main_texts: texts = [] }) => texts)),
        }),
        ...(scores.length && { scores }),
        ...(this.#reasons.length && { reasons: { width: this.#width, rows: this.#reasons } }),
        ...(summary.candidates.length && { pages: summary.candidates }),
        ...(summary.title && { title: summary.title }),
      },
    };
  }
}

/** Joins early results, one after the other, each from its own parts. */
export class EarlyResults {
  #parts = new Assembly();
  #onResult;

  /** @param {(result: Result) => void} [onResult] */
  constructor(onResult = () => {}) {
    this.#onResult = onResult;
  }

  /** @param {EarlyResultPart} part */
  add(part) {
    if (part.part === 1) this.#parts = new Assembly();
    const result = this.#parts.add(part);
    if (result) this.#onResult(result);
  }
}

/** Joins ranges that the end of a part cut in two. @type {(slices: ReadonlyArray<Ranges>) => Ranges} */
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
