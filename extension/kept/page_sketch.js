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
  const attributes = elements.map((element) => attributesOf(snapshot.attributes[element]));
  const tags = elements.map(tagOf);
  const ownTexts = ownTextsOf(snapshot, numbers, elements.length);
  const sketch = new Sketch(names, {
    tags: tags.map((tag) => names.number(tag)),
    kinds: tags.map((tag, number) => names.number(number ? kindOf(tag, attributes[number].get("class")) : tag)),
    parents: elements.map((element) => (parents[element] >= 0 ? numbers[parents[element]] : NONE)),
    ids: new Map(attributes.flatMap((own, number) => (own.get("id") ? [[number, /** @type {string} */ (own.get("id"))]] : []))),
    texts: ownTexts.map(Boolean).map(Number),
    elements,
  });
  const hashed = ownTexts.map((text, number) => altText(tags[number], attributes[number]) ?? text);
  return { sketch, digests: digestsOf(tags, hashed, sketch), ...placesIn(snapshot, sketch, numbers) };
}

/** @type {(snapshot: Snapshot, sketch: Sketch, numbers: number[]) => {goesWith: number[], body: number}} */
function placesIn({ parents }, sketch, numbers) {
  /** @type {number[]} */
  const goesWith = [];
  for (const [element, number] of numbers.entries()) {
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
  for (const [element, tag] of snapshot.tags.entries()) {
    const isShadowRoot = shadowRoots.has(element);
    const isLeftOut = !isShadowRoot && (NOT_COMPARED.has(snapshot.names[tag]) || embedded.has(element));
    if (isLeftOut || (parents[element] >= 0 && numbers[parents[element]] === NONE)) continue;
    numbers[element] = elements.length;
    elements.push(element);
  }
  return { elements, numbers };
}

/** @type {(snapshot: Snapshot, shadowHosts: ReadonlySet<string>) => {embedded: Set<number>, shadowRoots: Set<number>}} */
function embeddedIn({ names, tags, parents, namespaces }, shadowHosts) {
  const [html, template] = [names.indexOf("html"), names.indexOf("template")];
  const embedded = new Set(
    tags.flatMap((tag, element) => {
      const isRoot = tag === html || (tag === template && parents[element + 1] === element);
      return element && isRoot ? [element] : [];
    }),
  );
  const isForeign = (/** @type {number} */ element) => namespaces.some(([start, end]) => start <= element && element < end);
  const shadowRoots = [...embedded].filter(
    (element) => tags[element] === template && !isForeign(element) && shadowHosts.has(names[tags[parents[element]]]),
  );
  return { embedded, shadowRoots: new Set(shadowRoots) };
}

/** @type {(flat: string[]) => Map<string, string>} */
function attributesOf(flat) {
  /** @type {Map<string, string>} */
  const attributes = new Map();
  for (let place = 0; place < flat.length; place += 2) attributes.set(flat[place], flat[place + 1]);
  return attributes;
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

/** @type {(tag: string, attributes: Map<string, string>) => string | undefined} */
function altText(tag, attributes) {
  return ALT_ATTRIBUTES.get(tag)?.map((name) => attributes.get(name) ?? "").join("");
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
    if (sketch.sizeOf(element) > 1) {
      const below = sketch.children(element).map((child) => digests[child]);
      digests[element] = buffer.hashAll([...below.reverse(), digests[element]]);
    }
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

  /** @type {(digests: bigint[]) => bigint} */
  hashAll(digests) {
    this.#make(8 * digests.length);
    for (const [place, digest] of digests.entries()) this.#view.setBigUint64(8 * place, digest);
    return hashOf(this.#view, 8 * digests.length);
  }

  /** @param {number} length of which there has to be room */
  #make(length) {
    if (length <= this.#bytes.length) return;
    this.#bytes = new Uint8Array(2 * length);
    this.#view = new DataView(this.#bytes.buffer);
  }
}

