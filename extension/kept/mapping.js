/** The tolerant mapping between two pages: `src/sitestencil/detectors/tolerant_mapping.py`, which explains it (pure). */

import { NONE } from "./sketch.js";
import { withoutWrapper } from "./wrappers.js";

/** @import { Sketch } from "./sketch.js" */

/** @typedef {[ours: number, theirs: number]} Pair */
/** @typedef {number | string | null} Name null equals nothing */

const FEW = 8;

/** By what children are paired. @type {ReadonlyArray<(page: Sketch, element: number) => Name>} */
const LEVELS = [
  (page, element) => ((page.texts[element] || page.sizeOf(element) > 1) && page.hashes[element] !== NONE ? page.hashes[element] : null),
  (page, element) => page.identity(element),
  (page, element) => page.shape(element, FEW),
  (page, element) => page.kinds[element],
  (page, element) => page.tags[element],
];

/**
 * @param {Sketch} learned
 * @param {Sketch} other
 * @returns {Map<number, number>} the partner of each mapped learned element; of equal subtrees the tops alone
 */
export function tolerantMapping(learned, other) {
  /** @type {Map<number, number>} */
  const mapping = new Map();
  /** @type {Pair[]} */
  let pairs = learned.size && other.size ? [[0, 0]] : [];
  while (pairs.length) {
    /** @type {Pair[]} */
    const below = [];
    for (const [ours, theirs] of pairs) mapping.set(ours, theirs);
    for (const [ours, theirs] of pairs) {
      if (areEqual(learned, other, ours, theirs)) continue;
      for (const pair of pairChildren(learned, other, learned.children(ours), other.children(theirs))) below.push(pair);
    }
    pairs = below;
  }
  return mapping;
}

/** @type {(learned: Sketch, other: Sketch, ours: number, theirs: number) => boolean} whether two subtrees are equal */
export function areEqual(learned, other, ours, theirs) {
  return learned.hashes[ours] === other.hashes[theirs];
}

/** @type {(learned: Sketch, other: Sketch, ours: number[], theirs: number[]) => Pair[]} */
function pairChildren(learned, other, ours, theirs) {
  if (ours.length === theirs.length && onlyOneWay(learned, other, ours, theirs)) {
    return ours.map((element, place) => [element, theirs[place]]);
  }
  const [first, last] = equalAtTheEnds(learned, other, ours, theirs);
  /** @type {Pair[]} */
  const pairs = [];
  for (let place = 0; place < first; place++) pairs.push([ours[place], theirs[place]]);
  for (let place = last; place > 0; place--) pairs.push([ours[ours.length - place], theirs[theirs.length - place]]);
  ours = ours.slice(first, ours.length - last);
  theirs = theirs.slice(first, theirs.length - last);
  if (ours.length && theirs.length) [ours, theirs] = withoutWrapper(learned, other, ours, theirs);
  return [...pairs, ...pairByLevels(learned, other, ours, theirs)];
}

/** @type {(learned: Sketch, other: Sketch, ours: number[], theirs: number[]) => Pair[]} */
function pairByLevels(learned, other, ours, theirs) {
  /** @type {Pair[]} */
  const pairs = [];
  let gaps = [[0, ours.length, 0, theirs.length]];
  for (const level of LEVELS) {
    /** @type {number[][]} */
    const narrower = [];
    for (const [first, last, otherFirst, otherLast] of gaps) {
      if (first >= last || otherFirst >= otherLast) continue;
      if (last - first === 1 && otherLast - otherFirst === 1) {
        if (learned.tags[ours[first]] === other.tags[theirs[otherFirst]]) pairs.push([ours[first], theirs[otherFirst]]);
        continue;
      }
      let [after, otherAfter] = [first, otherFirst];
      const names = ours.slice(first, last).map((element) => level(learned, element));
      if (names.some((name) => name !== null)) {
        const others = theirs.slice(otherFirst, otherLast).map((element) => level(other, element));
        for (const [a, b] of orderedPairs(names, others)) {
          pairs.push([ours[first + a], theirs[otherFirst + b]]);
          narrower.push([after, first + a, otherAfter, otherFirst + b]);
          [after, otherAfter] = [first + a + 1, otherFirst + b + 1];
        }
      }
      narrower.push([after, last, otherAfter, otherLast]);
    }
    gaps = narrower;
    if (!gaps.length) break;
  }
  return pairs;
}

/** @type {(learned: Sketch, other: Sketch, ours: number[], theirs: number[]) => boolean} */
function onlyOneWay(learned, other, ours, theirs) {
  if (ours.length === 1) return areSinglePartners(learned, other, ours[0], theirs[0]);
  if (ours.length > FEW) return false;
  const kinds = ours.map((element) => learned.kinds[element]);
  return new Set(kinds).size === kinds.length && kinds.every((kind, place) => kind === other.kinds[theirs[place]]);
}

/** @type {(learned: Sketch, other: Sketch, ours: number, theirs: number) => boolean} */
function areSinglePartners(learned, other, ours, theirs) {
  const kind = learned.kinds[ours];
  if (kind !== other.kinds[theirs]) return false;
  return learned.names.hasClasses[kind] || learned.goesBy(ours) === other.goesBy(theirs);
}

/** @type {(learned: Sketch, other: Sketch, ours: number[], theirs: number[]) => Pair} how many at the start, and at the end */
function equalAtTheEnds(learned, other, ours, theirs) {
  const most = Math.min(ours.length, theirs.length);
  let [first, last] = [0, 0];
  while (first < most && areEqual(learned, other, ours[first], theirs[first])) first++;
  while (last < most - first && areEqual(learned, other, ours[ours.length - 1 - last], theirs[theirs.length - 1 - last])) last++;
  return [first, last];
}

/** @type {(names: Name[], others: Name[]) => Pair[]} places of equal names, the n-th with the n-th, as many as keep the order */
export function orderedPairs(names, others) {
  /** @type {Map<Name, number[]>} */
  const places = new Map();
  for (const [place, name] of others.entries()) {
    if (name === null) continue;
    const before = places.get(name);
    if (before) before.push(place);
    else places.set(name, [place]);
  }
  /** @type {Map<Name, number>} */
  const seen = new Map();
  /** @type {Pair[]} */
  const pairs = [];
  for (const [place, name] of names.entries()) {
    const theirs = name === null ? undefined : places.get(name);
    const nth = seen.get(name) ?? 0;
    if (!theirs || nth >= theirs.length) continue;
    pairs.push([place, theirs[nth]]);
    seen.set(name, nth + 1);
  }
  return longestIncreasing(pairs);
}

/** @type {(pairs: Pair[]) => Pair[]} the most pairs whose second members ascend (patience sorting) */
function longestIncreasing(pairs) {
  /** @type {number[]} */
  const tails = [];
  /** @type {number[]} */
  const tops = [];
  const before = pairs.map(([, place], number) => {
    const pile = firstNotBelow(tails, place);
    tails[pile] = place;
    tops[pile] = number;
    return pile ? tops[pile - 1] : NONE;
  });
  /** @type {Pair[]} */
  const longest = [];
  for (let number = tops.at(-1) ?? NONE; number >= 0; number = before[number]) longest.push(pairs[number]);
  return longest.reverse();
}

/** @type {(ascending: number[], value: number) => number} */
function firstNotBelow(ascending, value) {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
