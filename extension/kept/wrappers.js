/** Wrappers, which one page has around others and the other page has not: `src/sitestencil/detectors/wrappers.py` (pure). */

import { NONE } from "./sketch.js";

/** @import { Sketch } from "./sketch.js" */

const ALIKE = 0.5;
const GAIN = 0.2;
const MOST_WRAPPERS = 3;

/** @type {(learned: Sketch, other: Sketch, ours: number[], theirs: number[]) => [number[], number[]]} rows of siblings, one maybe with a wrapper's children in its stead */
export function withoutWrapper(learned, other, ours, theirs) {
  const share = alike(learned, other, ours, theirs);
  if (share >= ALIKE) return [ours, theirs];
  let best = share;
  /** @type {[number[], number[]]} */
  let rows = [ours, theirs];
  /** @type {Array<[number[], number[]]>} */
  const tries = [
    ...takenOff(learned, ours).map((row) => /** @type {[number[], number[]]} */ ([row, theirs])),
    ...takenOff(other, theirs).map((row) => /** @type {[number[], number[]]} */ ([ours, row])),
  ];
  for (const tried of tries) {
    const now = alike(learned, other, ...tried);
    if (now > best && now >= share + GAIN) [best, rows] = [now, tried];
  }
  return rows;
}

/**
 * @param {Iterable<number>} mapped the elements whose surroundings are looked at
 * @param {ReadonlyArray<number>} parents of all elements of the page
 * @param {ReadonlyMap<number, number>} partners of all that have one
 * @returns {Map<number, number>} the wrappers, each with the partner of the next element around it that has one
 */
export function elementsAround(mapped, parents, partners) {
  /** @type {Map<number, number>} */
  const wrappers = new Map();
  for (const element of mapped) {
    /** @type {number[]} */
    const around = [];
    let parent = parents[element];
    while (parent >= 0 && !partners.has(parent) && !wrappers.has(parent)) {
      around.push(parent);
      parent = parents[parent];
    }
    if (parent < 0) continue;
    const partner = partners.get(parent) ?? wrappers.get(parent) ?? NONE;
    for (const wrapper of around) wrappers.set(wrapper, partner);
  }
  return wrappers;
}

/** @type {(page: Sketch, row: number[]) => number[][]} a row with its largest element taken off, then with the largest of that one */
function takenOff(page, row) {
  /** @type {number[][]} */
  const rows = [];
  let within = row;
  for (let taken = 0; taken < MOST_WRAPPERS; taken++) {
    const largest = within.reduce((one, other) => (page.sizeOf(other) > page.sizeOf(one) ? other : one));
    const children = page.children(largest);
    const all = row.reduce((sum, element) => sum + page.sizeOf(element), 0);
    if (!children.length || 2 * page.sizeOf(largest) < all) break;
    const at = row.indexOf(largest);
    row = [...row.slice(0, at), ...children, ...row.slice(at + 1)];
    within = children;
    rows.push(row);
  }
  return rows;
}

/** @type {(learned: Sketch, other: Sketch, ours: number[], theirs: number[]) => number} the share of two rows that goes by common names */
function alike(learned, other, ours, theirs) {
  const ourNames = ours.map((element) => learned.goesBy(element));
  const theirNames = theirs.map((element) => other.goesBy(element));
  const [ourSet, theirSet] = [new Set(ourNames), new Set(theirNames)];
  let [elements, size, all] = [0, 0, 0];
  const count = (/** @type {number | string} */ name, /** @type {number} */ sizeOf) => {
    all += sizeOf;
    if (!ourSet.has(name) || !theirSet.has(name)) return;
    elements++;
    size += sizeOf;
  };
  for (const [place, element] of ours.entries()) count(ourNames[place], learned.sizeOf(element));
  for (const [place, element] of theirs.entries()) count(theirNames[place], other.sizeOf(element));
  return Math.max(elements / (ours.length + theirs.length), size / all);
}
