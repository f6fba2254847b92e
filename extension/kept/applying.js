/** A kept template applied to a page: `LearnedTemplate.apply` of `src/sitestencil/detectors/learned_template.py` (pure). */

import { areEqual, tolerantMapping } from "./mapping.js";
import { isSpace } from "./naming.js";
import { ownTextNumbers } from "./page_sketch.js";
import { NONE } from "./sketch.js";
import { elementsAround } from "./wrappers.js";

/** @import { Snapshot } from "../messages.js" */
/** @import { Learned } from "./learned.js" */
/** @import { PageSketch } from "./page_sketch.js" */
/** @import { Sketch } from "./sketch.js" */

// Their text is none of the page.
const NO_PAGE_TEXT = new Set(["script", "style", "noscript", "template", "title"]);

/**
 * @typedef {object} Applied
 * @property {ArrayLike<number>} template per element of the document
 * @property {ReadonlyArray<number>} contentTexts the numbers of the texts that are content in elements of the template
 * @property {Uint8Array | null} scores per element
 * @property {number} fit how far the page is of the learned page's kind, 0 to 1
 * @property {number} unknown in how many places of the template a part stands that is like nothing that was learned
 */

/** @typedef {Learned & {isTemplate: number[]}} Known with, per compared element, whether it is template; a last entry for none */

/**
 * @param {Learned} learned
 * @param {PageSketch} page of the same names, with the learned page's shadow hosts
 * @param {Snapshot} snapshot the page
 * @returns {Applied}
 */
export function apply(learned, page, snapshot) {
  const { sketch } = page;
  for (let element = 0; element < sketch.size; element++) {
    sketch.hashes[element] = learned.firstOfDigest.get(page.digests[element]) ?? NONE;
  }
  const { template, scores } = learned;
  if (sketch.size && page.goesWith.length === template.length && sketch.hashes[0] === 0) {
    const answers = (/** @type {number} */ text) => learned.templateTexts[text];
    return { template, scores, contentTexts: contentTexts(snapshot, template, answers), fit: 1, unknown: 0 };
  }
  return transfer({ ...learned, isTemplate: [...learned.sketch.elements.map((element) => template[element]), 0] }, page, snapshot);
}

/** @type {(learned: Known, page: PageSketch, snapshot: Snapshot) => Applied} */
function transfer(learned, page, snapshot) {
  const { sketch, goesWith, body } = page;
  const { partners, fit } = partnersOf(learned, sketch);
  const { isTemplate } = learned;
  const answerOf = (/** @type {number} */ element) => isTemplate.at(element === NONE ? NONE : partners[element]) ?? 0;
  const template = goesWith.map((element, number) => (number < body ? 1 : answerOf(element)));
  const own = learned.sketch.elements.map((element) => learned.scores?.[element] ?? 0);
  const scoreOf = (/** @type {number} */ element) => (element === NONE || partners[element] === NONE ? 0 : own[partners[element]]);
  const texts = textAnswers(learned, sketch, snapshot, partners, template);
  return {
    template,
    scores: learned.scores && Uint8Array.from(goesWith, scoreOf),
    contentTexts: contentTexts(snapshot, template, (text) => texts[text]),
    fit,
    unknown: partners.filter(
      (partner, element) => partner === NONE && element > 0 && isTemplate.at(partners[sketch.parents[element]]),
    ).length,
  };
}

/** @type {(learned: Known, sketch: Sketch) => {partners: number[], fit: number}} per element the learned one whose answer it takes */
function partnersOf(learned, sketch) {
  const { sketch: ours, paths } = learned;
  /** @type {Set<number>} */
  const shared = new Set();
  /** @type {number[]} */
  const partners = Array(sketch.size).fill(NONE);
  const mapping = tolerantMapping(ours, sketch);
  for (const [element, partner] of mapping) {
    const size = sketch.sizeOf(partner);
    if (areEqual(ours, sketch, element, partner) && ours.sizeOf(element) === size) {
      for (let place = 0; place < size; place++) {
        partners[partner + place] = element + place;
        shared.add(paths[element + place]);
      }
    } else {
      partners[partner] = element;
      if (ours.kinds[element] === sketch.kinds[partner]) shared.add(paths[element]);
    }
  }
  const ofPage = new Map(Array.from(mapping, ([element, partner]) => [partner, element]));
  for (const [wrapper, element] of elementsAround(ofPage.keys(), sketch.parents, ofPage)) partners[wrapper] = element;
  const fit = fitOf(learned, shared, partners);
  answerForTheRest(learned, sketch, partners);
  return { partners, fit };
}

/** @type {(learned: Known, shared: Set<number>, partners: number[]) => number} the mean of three shares */
function fitOf({ paths, isTemplate }, shared, partners) {
  const template = new Set(paths.filter((_, element) => isTemplate[element]));
  const content = new Set(paths.filter((path) => !template.has(path)));
  const templateShare = common(template, shared) / Math.max(1, template.size);
  const contentShare = content.size ? common(content, shared) / content.size : 1;
  const missing = partners.filter((partner) => partner === NONE).length;
  const mapped = 1 - missing / Math.max(1, partners.length);
  return (templateShare + contentShare + mapped) / 3;
}

/** @type {(one: Set<number>, other: Set<number>) => number} */
function common(one, other) {
  let count = 0;
  for (const member of one) if (other.has(member)) count++;
  return count;
}

/** Gives elements without a partner the answer of their like. @type {(learned: Known, sketch: Sketch, partners: number[]) => void} */
function answerForTheRest(learned, sketch, partners) {
  const byPath = likeByPath(learned);
  let element = partners.indexOf(NONE);
  while (element >= 0) {
    const above = element ? partners[sketch.parents[element]] : NONE;
    let size = 1;
    if (above !== NONE && learned.isTemplate[above]) {
      const equal = equalTo(learned, sketch, element);
      if (equal !== NONE) {
        size = sketch.sizeOf(element);
        for (let place = 0; place < size; place++) partners[element + place] = equal + place;
      } else {
        partners[element] = byPath.get(`${learned.paths[above]} ${sketch.kinds[element]}`) ?? NONE;
      }
    }
    element = partners.indexOf(NONE, element + size);
  }
}

/** @type {(learned: Known, sketch: Sketch, element: number) => number} an equal subtree anywhere; -1 for none */
function equalTo({ sketch: ours }, sketch, element) {
  const size = sketch.sizeOf(element);
  if (size === 1 && !sketch.texts[element]) return NONE;
  const equal = sketch.hashes[element];
  return equal !== NONE && ours.sizeOf(equal) === size ? equal : NONE;
}

/** @type {(learned: Known) => Map<string, number>} for each class path an element with the usual answer there */
function likeByPath({ sketch, paths, isTemplate }) {
  /** @type {Map<string, [content: number[], template: number[]]>} */
  const ofPath = new Map();
  for (let element = 1; element < sketch.size; element++) {
    const path = `${paths[sketch.parents[element]]} ${sketch.kinds[element]}`;
    const both = ofPath.get(path) ?? [[], []];
    both[isTemplate[element]].push(element);
    ofPath.set(path, both);
  }
  return new Map(Array.from(ofPath, ([path, [content, template]]) => [path, (template.length > content.length ? template : content)[0]]));
}

/** @type {(learned: Known, sketch: Sketch, snapshot: Snapshot, partners: number[], template: ReadonlyArray<number>) => number[]} */
function textAnswers(learned, sketch, { texts }, partners, template) {
  const answers = texts.map(([parent]) => template[parent]);
  const own = ownTextNumbers(texts);
  for (const [number, partner] of partners.entries()) {
    const element = sketch.elements[number];
    if (partner === NONE || !template[element]) continue;
    const known = learned.ownTextAnswers(partner);
    for (const [place, text] of (own.get(element) ?? []).entries()) if (place < known.length) answers[text] = known[place];
  }
  return answers;
}

/** @type {(snapshot: Snapshot, template: ArrayLike<number>, answer: (text: number) => number) => number[]} */
function contentTexts({ texts, parents, tags, names }, template, answer) {
  const nameOf = (/** @type {number} */ element) => names[tags[element]];
  const first = parents.findIndex((parent, element) => parent === 0 && ["body", "frameset"].includes(nameOf(element)));
  return [...texts.keys()].filter((number) => {
    const [parent, , text] = texts[number];
    return parent >= Math.max(0, first) && template[parent] && !answer(number) && !NO_PAGE_TEXT.has(nameOf(parent)) && !isSpace(text);
  });
}
