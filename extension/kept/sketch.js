/** What is compared of a page: `src/sitestencil/page/sketch.py` in columns of numbers (pure). */

import { withoutNumbers } from "./naming.js";

/** @import { Names } from "./naming.js" */

export const NONE = -1;
const TELLING_CHILDREN = 8;

/**
 * @typedef {object} Columns over the compared elements, in document order
 * @property {number[]} tags by their numbers among the names
 * @property {number[]} kinds tags with classes, by the same numbers
 * @property {number[]} parents
 * @property {ReadonlyMap<number, string>} ids of those that have one
 * @property {ArrayLike<number>} texts how many own texts each has
 * @property {number[]} elements their numbers in the document
 */

export class Sketch {
  /** The first element of the learned page with an equal subtree; -1 for none. @type {Int32Array} */
  hashes;
  /** @type {Array<number[] | undefined>} */
  #children = [];
  /** @type {Map<number, number | string>} */
  #goesBy = new Map();

  /**
   * @param {Names} names
   * @param {Columns} columns
   */
  constructor(names, { tags, kinds, parents, ids, texts, elements }) {
    this.names = names;
    this.tags = tags;
    this.kinds = kinds;
    this.parents = parents;
    this.ids = ids;
    this.texts = texts;
    this.elements = elements;
    this.ends = endsOf(parents);
    this.hashes = new Int32Array(tags.length).fill(NONE);
  }

  get size() {
    return this.tags.length;
  }

  /** @type {(element: number) => number} how many elements its subtree has */
  sizeOf(element) {
    return this.ends[element] - element;
  }

  /** @type {(element: number) => number[]} */
  children(element) {
    let children = this.#children[element];
    if (!children) {
      this.#children[element] = children = [];
      for (let child = element + 1; child < this.ends[element]; child = this.ends[child]) children.push(child);
    }
    return children;
  }

  /** @type {(element: number) => string | null} tag and id, numbers alike; null without an id */
  identity(element) {
    const id = this.ids.get(element);
    return id ? `#${this.tags[element]} ${withoutNumbers(id)}` : null;
  }

  /** @type {(element: number) => number | string} what it goes by: its id, its classes, or the kinds of its first children */
  goesBy(element) {
    let name = this.#goesBy.get(element);
    if (name === undefined) {
      name = this.identity(element) ?? this.#kindOrShape(element);
      this.#goesBy.set(element, name);
    }
    return name;
  }

  /** @type {(element: number) => number | string} */
  #kindOrShape(element) {
    const kind = this.kinds[element];
    return this.names.hasClasses[kind] || this.sizeOf(element) === 1 ? kind : this.shape(element, TELLING_CHILDREN);
  }

  /** @type {(element: number, most: number) => string} its kind, and those of its first children */
  shape(element, most) {
    const children = this.children(element).slice(0, most);
    return [element, ...children].map((one) => this.kinds[one]).join();
  }
}

/** @type {(parents: ReadonlyArray<number>) => number[]} one past the last element of each subtree */
export function endsOf(parents) {
  const ends = parents.map((_, element) => element + 1);
  for (let element = ends.length - 1; element > 0; element--) {
    const parent = parents[element];
    if (parent >= 0 && ends[parent] < ends[element]) ends[parent] = ends[element];
  }
  return ends;
}
