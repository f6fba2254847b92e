/** A kept template, as host/PROTOCOL.md has it, read and checked: `src/sitestencil/detectors/learned_columns.py` (pure). */

import { NONE, Sketch } from "./sketch.js";

/** @import { KeptTemplate } from "../messages.js" */
/** @import { Names } from "./naming.js" */

const VERSION = 1;
export const MOST_BYTES = 256 * 1024;
const HASH_BYTES = 8;
const READERS = [Uint8Array, Uint16Array, Uint32Array];

/**
 * @typedef {object} Learned
 * @property {Sketch} sketch of the page it was learned from
 * @property {ReadonlyMap<bigint, number>} firstOfDigest the first element of each subtree
 * @property {number[]} paths for each element a number for the kinds on the path to it
 * @property {Set<string>} shadowHosts
 * @property {Uint8Array} template per element of the document
 * @property {Uint8Array} templateTexts per text of the document
 * @property {Uint8Array | null} scores per element of the document
 * @property {(element: number) => number[]} ownTextAnswers for each own text of a compared element whether it is template
 */

/**
 * @param {any} kept
 * @returns {kept is KeptTemplate} whether it is one that this version can read, as far as its shape tells
 */
export function isReadable(kept) {
  if (typeof kept !== "object" || kept === null || kept.version !== VERSION || typeof kept.ids !== "object" || !kept.ids) return false;
  const texts = ["id", "detector", "tags", "kinds", "parents", "hashes", "text_counts", "own_texts", "compared", "template", "template_texts"];
  return (
    texts.every((name) => typeof kept[name] === "string") &&
    ["learned_at", "size", "text_count"].every((name) => typeof kept[name] === "number") &&
    Array.isArray(kept.names) &&
    JSON.stringify(kept).length <= MOST_BYTES
  );
}

/**
 * @param {KeptTemplate} kept
 * @param {Names} names
 * @returns {Learned}
 * @throws {RangeError} its columns do not fit together
 */
export function learnedOf(kept, names) {
  const numbers = kept.names.map((name) => names.number(String(name)));
  const back = unpacked(kept.parents);
  const parents = back.map((steps, element) => element - steps);
  checkTree(parents);
  const elements = setIn(bits(kept.compared, kept.size));
  const texts = unpacked(kept.text_counts);
  const sketch = new Sketch(names, {
    tags: unpacked(kept.tags).map((number) => numbers[number]),
    kinds: unpacked(kept.kinds).map((number) => numbers[number]),
    parents,
    ids: new Map(Object.entries(kept.ids).map(([element, id]) => [Number(element), String(id)])),
    texts,
    elements,
  });
  const digests = digestsIn(kept.hashes);
  const scores = kept.scores === null ? null : bytesOf(kept.scores);
  const { size } = sketch;
  const fits = [sketch.kinds, parents, texts, elements, digests].every(({ length }) => length === size);
  if (!fits || (scores && scores.length !== kept.size) || [...sketch.tags, ...sketch.kinds].includes(/** @type {any} */ (undefined))) {
    throw new RangeError("The columns of a kept template do not fit together.");
  }
  /** @type {Map<bigint, number>} */
  const firstOfDigest = new Map();
  for (const [element, digest] of digests.entries()) {
    if (!firstOfDigest.has(digest)) firstOfDigest.set(digest, element);
    sketch.hashes[element] = firstOfDigest.get(digest) ?? NONE;
  }
  const templateTexts = bits(kept.template_texts, kept.text_count);
  return {
    sketch,
    firstOfDigest,
    paths: pathsOf(sketch),
    shadowHosts: shadowHostsOf(kept, sketch),
    template: bits(kept.template, kept.size),
    templateTexts,
    scores,
    ownTextAnswers: answersBy(texts, unpacked(kept.own_texts), templateTexts),
  };
}

/** @type {(counts: number[], own: number[], answers: Uint8Array) => (element: number) => number[]} */
function answersBy(counts, own, answers) {
  const first = [0];
  for (const count of counts) first.push(first[first.length - 1] + count);
  if (first[first.length - 1] !== own.length || own.some((text) => text >= answers.length)) {
    throw new RangeError("The texts of a kept template do not fit together.");
  }
  return (element) => own.slice(first[element], first[element + 1]).map((text) => answers[text]);
}

/** @type {(sketch: Sketch) => number[]} */
function pathsOf({ parents, kinds }) {
  /** @type {Map<string, number>} */
  const numbers = new Map();
  /** @type {number[]} */
  const paths = [];
  for (const [element, parent] of parents.entries()) {
    const path = `${parent >= 0 ? paths[parent] : NONE} ${kinds[element]}`;
    if (!numbers.has(path)) numbers.set(path, numbers.size);
    paths.push(/** @type {number} */ (numbers.get(path)));
  }
  return paths;
}

/** @type {(kept: KeptTemplate, sketch: Sketch) => Set<string>} */
function shadowHostsOf(kept, { tags, parents, names }) {
  const template = names.number("template");
  const nameOf = new Map(kept.names.map((name) => [names.number(name), name]));
  const hosts = tags.flatMap((tag, element) => (tag === template && element ? [nameOf.get(tags[parents[element]]) ?? ""] : []));
  return new Set(hosts);
}

/** Each parent is on the path to the element before, and only the first has none. @param {number[]} parents */
function checkTree(parents) {
  /** @type {number[]} */
  const path = [];
  for (const [element, parent] of parents.entries()) {
    while (path.length && path[path.length - 1] !== parent) path.pop();
    if (Boolean(path.length) === (element === 0) || (element === 0 && parent !== NONE)) {
      throw new RangeError(`Element ${element} of a kept template has no place in the tree.`);
    }
    path.push(element);
  }
}

/** @type {(hashes: string) => bigint[]} */
function digestsIn(hashes) {
  const bytes = bytesOf(hashes);
  const view = new DataView(bytes.buffer);
  return Array.from({ length: Math.floor(bytes.length / HASH_BYTES) }, (_, element) => view.getBigUint64(HASH_BYTES * element));
}

/** @type {(column: string) => number[]} whole numbers: their width in bytes, then each, little-endian */
function unpacked(column) {
  const bytes = bytesOf(column);
  const Reader = READERS.find(({ BYTES_PER_ELEMENT: width }) => width === bytes[0]);
  if (!Reader || (bytes.length - 1) % bytes[0]) throw new RangeError("A column of a kept template is cut short.");
  return Array.from(new Reader(bytes.slice(1).buffer));
}

/** @type {(column: string, count: number) => Uint8Array} flags, eight to a byte, the first in the lowest bit */
function bits(column, count) {
  const bytes = bytesOf(column);
  if (bytes.length !== Math.ceil(count / 8)) throw new RangeError("A column of a kept template is cut short.");
  const flags = new Uint8Array(count);
  for (let place = 0; place < count; place++) flags[place] = (bytes[place >> 3] >> (place & 7)) & 1;
  return flags;
}

/** @type {(flags: Uint8Array) => number[]} */
function setIn(flags) {
  return Array.from(flags.keys()).filter((place) => flags[place]);
}

/** @type {(text: string) => Uint8Array<ArrayBuffer>} */
function bytesOf(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let place = 0; place < bytes.length; place++) bytes[place] = characters.charCodeAt(place);
  return bytes;
}
