/** A page's answer by what is kept of its site: `src/sitestencil/memory/answering.py` (pure). */

import { apply } from "./applying.js";
import { MOST_BYTES, isReadable, learnedOf } from "./learned.js";
import { Names } from "./naming.js";
import { sketchOf } from "./page_sketch.js";

/** @import { Answer, KeptTemplate, Ranges, Snapshot, Summary } from "../messages.js" */
/** @import { Applied } from "./applying.js" */
/** @import { Learned } from "./learned.js" */
/** @import { PageSketch } from "./page_sketch.js" */

// As the program has them: it demands no less of a page, nor looks again sooner.
const FITS_FROM = 0.65;
const FITS_WELL = 0.9;
const SECONDS_TRUSTED = 30 * 24 * 3600;
// A longer page takes longer to read here than the program takes to start.
const LONGEST_PAGE = 4_000_000;

/** @typedef {{kept: KeptTemplate, learned: Learned}} Usable */
/** @typedef {{answer: Answer, summary: Pick<Summary, "sureness" | "more_pages" | "remembered">, isSure: boolean}} KeptAnswer */

/**
 * Templates of one site, made ready before the page is there.
 * @typedef {{names: Names, usable: Usable[], broken: boolean}} Prepared
 */

/** @type {(texts: ReadonlyArray<unknown>) => Prepared} of templates as JSON; those that cannot be used are left out */
export function prepare(texts) {
  const names = new Names();
  const usable = texts.flatMap((text) => {
    const one = read(text, names);
    return one ? [one] : [];
  });
  return { names, usable, broken: usable.length < texts.length };
}

/** @type {(text: unknown, names: Names) => Usable | null} */
function read(text, names) {
  if (typeof text !== "string" || text.length > MOST_BYTES) return null;
  try {
    const kept = JSON.parse(text);
    return isReadable(kept) ? { kept, learned: learnedOf(kept, names) } : null;
  } catch {
    return null; // Damaged: the program has it still.
  }
}

/**
 * @param {Prepared} prepared
 * @param {string} json the page's snapshot
 * @param {number} now in seconds since 1970
 * @returns {KeptAnswer | null} the best fitting answer; null where nothing fits
 */
export function answerFrom({ names, usable }, json, now) {
  if (!usable.length || json.length > LONGEST_PAGE) return null;
  /** @type {Snapshot} */
  const snapshot = JSON.parse(json);
  /** @type {Map<string, PageSketch>} */
  const sketches = new Map();
  /** @type {{one: Usable, applied: Applied} | null} */
  let best = null;
  for (const one of usable) {
    const applied = apply(one.learned, sketchFor(one.learned), snapshot);
    if (applied.fit >= FITS_FROM && applied.fit > (best?.applied.fit ?? 0)) best = { one, applied };
    if (applied.fit >= FITS_WELL) break;
  }
  return best && answerOf(best.one.kept, best.applied, now);

  /** @type {(learned: Learned) => PageSketch} */
  function sketchFor({ shadowHosts }) {
    const key = [...shadowHosts].sort().join(" ");
    const sketch = sketches.get(key) ?? sketchOf(snapshot, shadowHosts, names);
    sketches.set(key, sketch);
    return sketch;
  }
}

/** @type {(kept: KeptTemplate, applied: Applied, now: number) => KeptAnswer} */
function answerOf({ sureness, more_pages: morePages, learned_at: learnedAt }, { template, contentTexts, scores, unknown }, now) {
  return {
    answer: {
      template: rangesOf(Array.from(template).flatMap((one, element) => (one ? [element] : []))),
      content_texts: rangesOf(contentTexts),
      ...(scores && { scores: [base64(scores)] }),
    },
    summary: { sureness, more_pages: morePages, remembered: true },
    isSure: unknown === 0 && now - learnedAt < SECONDS_TRUSTED,
  };
}

/** @type {(ascending: ReadonlyArray<number>) => Ranges} half-open */
function rangesOf(ascending) {
  /** @type {Array<[number, number]>} */
  const ranges = [];
  for (const number of ascending) {
    const last = ranges.at(-1);
    if (last?.[1] === number) last[1]++;
    else ranges.push([number, number + 1]);
  }
  return ranges;
}

/** @type {(bytes: Uint8Array) => string} */
function base64(bytes) {
  let characters = "";
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters);
}
