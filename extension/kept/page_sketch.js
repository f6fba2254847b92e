/** The sketch of a page from its snapshot: `src/sitestencil/page/key_sketch.py` (pure). */

import { hashOf } from "./hashing.js";
import { isSpace, kindOf, stripped } from "./naming.js";
import { NONE, Sketch } from "./sketch.js";

/** @import { Snapshot } from "../messages.js" */
/** @import { Names } from "./naming.js" */

const NOT_COMPARED = new Set(["head", "script", "style", "noscript", "template", "link", "meta", "title", "base"]);
/** What stands for a text, by tag. @type {ReadonlyMap<string, ReadonlyArray<string>>} */
const ALT_ATTRIBUTES = new Map([
  ["img", ["alt"]],
  ["input", ["placeholder", "value"]],
]);
const TEXT_SEPARATOR = "\0";

/**
 * @typedef {object} PageSketch
 * @property {Sketch} sketch its `hashes` are of no learned page yet
 * @property {bigint[]} digests of each subtree
 * @property {number[]} goesWith for each element of the document the compared element whose answer it takes; -1 for none
 * @property {number} body the number of the body in the document; that of all its elements where it has none
 */

/**
 * @param {Snapshot} snapshot
 * @param {ReadonlySet<string>} shadowHosts the tags of the elements whose open shadow trees are compared
 * @param {Names} names
 * @returns {PageSketch}
 */
export function sketchOf(snapshot, shadowHosts, names) {
  const { parents } = snapshot;
  const tagOf = (/** @type {number} */ element) => snapshot.names[snapshot.tags[element]];
  const { elements, numbers } = comparedElements(snapshot, shadowHosts);
  const attributes = elements.map((element) => snapshot.attributes[element]);
  const tags = elements.map(tagOf);
  const ownTexts = ownTextsOf(snapshot, numbers, elements.length);
  const sketch = new Sketch(names, {
    tags: tags.map((tag) => names.number(tag)),
    kinds: kindsOf(tags, attributes, names),
    parents: elements.map((element) => (parents[element] >= 0 ? numbers[parents[element]] : NONE)),
    ids: idsOf(attributes),
    texts: ownTexts.map((text) => text.length),
    elements,
  });
  const hashed = ownTexts.map((text, number) => altText(tags[number], attributes[number]) ?? text);
  return { sketch, digests: digestsOf(tags, hashed, sketch), ...placesIn(snapshot, sketch, numbers) };
}

/** @type {(snapshot: Snapshot, sketch: Sketch, numbers: number[]) => {goesWith: number[], body: number}} */
function placesIn({ parents }, sketch, numbers) {
  /** @type {number[]} */
  const goesWith = [];
  for (let element = 0; element < numbers.length; element++) {
    const number = numbers[element];
    goesWith.push(number === NONE && parents[element] >= 0 ? goesWith[parents[element]] : number);
  }
  const bodies = new Set(["body", "frameset"].map((tag) => sketch.names.number(tag)));
  const body = sketch.tags.findIndex((tag, number) => bodies.has(tag) && sketch.parents[number] === 0);
  return { goesWith, body: body < 0 ? goesWith.length : sketch.elements[body] };
}

/** @type {(snapshot: Snapshot, shadowHosts: ReadonlySet<string>) => {elements: number[], numbers: number[]}} */
function comparedElements(snapshot, shadowHosts) {
  const { parents } = snapshot;
  const { embedded, shadowRoots } = embeddedIn(snapshot, shadowHosts);
  /** @type {number[]} */
  const elements = [];
  const numbers = snapshot.tags.map(() => NONE);
  const isNotCompared = snapshot.names.map((name) => NOT_COMPARED.has(name));
  for (let element = 0; element < numbers.length; element++) {
    const isLeftOut = (isNotCompared[snapshot.tags[element]] || embedded.has(element)) && !shadowRoots.has(element);
    if (isLeftOut || (parents[element] >= 0 && numbers[parents[element]] === NONE)) continue;
    numbers[element] = elements.length;
    elements.push(element);
  }
  return { elements, numbers };
}

/** @type {(snapshot: Snapshot, shadowHosts: ReadonlySet<string>) => {embedded: Set<number>, shadowRoots: Set<number>}} */
function embeddedIn({ names, tags, parents, namespaces }, shadowHosts) {
  const [html, template] = [names.indexOf("html"), names.indexOf("template")];
  /** @type {Set<number>} */
  const embedded = new Set();
  for (let element = 1; element < tags.length; element++) {
    const tag = tags[element];
    if (tag === html || (tag === template && parents[element + 1] === element)) embedded.add(element);
  }
  const isForeign = (/** @type {number} */ element) => namespaces.some(([start, end]) => start <= element && element < end);
  const shadowRoots = [...embedded].filter(
    (element) => tags[element] === template && !isForeign(element) && shadowHosts.has(names[tags[parents[element]]]),
  );
  return { embedded, shadowRoots: new Set(shadowRoots) };
}

/** @type {(flat: string[], name: string) => string} an attribute's value; empty where there is none */
function attribute(flat, name) {
  for (let place = flat.length - 2; place >= 0; place -= 2) if (flat[place] === name) return flat[place + 1];
  return "";
}

/** @type {(tags: string[], attributes: string[][], names: Names) => number[]} */
function kindsOf(tags, attributes, names) {
  // Most elements are of a kind that has been before.
  /** @type {Map<string, number>} */
  const known = new Map();
  return tags.map((tag, number) => {
    const classes = number ? attribute(attributes[number], "class") : "";
    if (!classes) return names.number(tag);
    const key = `${tag} ${classes}`;
    let kind = known.get(key);
    if (kind === undefined) known.set(key, (kind = names.number(kindOf(tag, classes))));
    return kind;
  });
}

/** @type {(attributes: string[][]) => Map<number, string>} */
function idsOf(attributes) {
  /** @type {Map<number, string>} */
  const ids = new Map();
  for (const [number, flat] of attributes.entries()) {
    const id = flat.length ? attribute(flat, "id") : "";
    if (id) ids.set(number, id);
  }
  return ids;
}

/** @type {(snapshot: Snapshot, numbers: number[], size: number) => string[]} */
function ownTextsOf({ texts }, numbers, size) {
  const own = Array(size).fill("");
  for (const [parent, , text] of texts) {
    const number = numbers[parent];
    if (number === NONE || number === undefined) continue;
    const words = stripped(text);
    if (words) own[number] = own[number] ? `${own[number]}${TEXT_SEPARATOR}${words}` : words;
  }
  return own;
}

/** @type {(tag: string, flat: string[]) => string | undefined} */
function altText(tag, flat) {
  return ALT_ATTRIBUTES.get(tag)?.map((name) => attribute(flat, name)).join("");
}

/** @type {(texts: Snapshot["texts"]) => Map<number, number[]>} for each element the numbers of its own texts */
export function ownTextNumbers(texts) {
  /** @type {Map<number, number[]>} */
  const own = new Map();
  for (const [number, [parent, , text]] of texts.entries()) {
    if (!text || isSpace(text)) continue;
    const before = own.get(parent);
    if (before) before.push(number);
    else own.set(parent, [number]);
  }
  return own;
}

/**
 * @param {string[]} tags
 * @param {string[]} texts
 * @param {Sketch} sketch
 * @returns {bigint[]} the hash of each subtree, from the leaves up; the order of children counts
 */
function digestsOf(tags, texts, sketch) {
  const buffer = new Buffer();
  /** @type {Map<string, {seed: bigint, empty: bigint}>} */
  const seeds = new Map();
  for (const tag of new Set(tags)) {
    const seed = buffer.hash(tag);
    seeds.set(tag, { seed, empty: buffer.hash("", seed) });
  }
  const digests = texts.map((text, number) => {
    const { seed, empty } = /** @type {{seed: bigint, empty: bigint}} */ (seeds.get(tags[number]));
    return text ? buffer.hash(text, seed) : empty;
  });
  for (let element = digests.length - 1; element >= 0; element--) {
    if (sketch.sizeOf(element) > 1) digests[element] = buffer.hashAll(digests, sketch.children(element), element);
  }
  return digests;
}

/** Bytes that are hashed. */
class Buffer {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #encoder = new TextEncoder();

  /** @type {(text: string, seed?: bigint) => bigint} */
  hash(text, seed) {
    this.#make(3 * text.length);
    return hashOf(this.#view, this.#encoder.encodeInto(text, this.#bytes).written, seed);
  }

  /** @type {(digests: bigint[], children: number[], element: number) => bigint} of the children, the last first, and then its own */
  hashAll(digests, children, element) {
    const { length } = children;
    this.#make(8 * (length + 1));
    for (let place = 0; place < length; place++) this.#view.setBigUint64(8 * place, digests[children[length - 1 - place]]);
    this.#view.setBigUint64(8 * length, digests[element]);
    return hashOf(this.#view, 8 * (length + 1));
  }

  /** @param {number} length of which there has to be room */
  #make(length) {
    if (length <= this.#bytes.length) return;
    this.#bytes = new Uint8Array(2 * length);
    this.#view = new DataView(this.#bytes.buffer);
  }
}

