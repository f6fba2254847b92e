import assert from "node:assert/strict";
import { test } from "node:test";
import { Assembly, joined } from "../../extension/background/parts.js";

const SUMMARY = { url: "https://example.org/", detector: "temex", elements: 9, candidates: [], pages_loaded: 3, timings_ms: {}, confidence: null, more_pages: null };

/** @type {(part: number, parts: number, rest: object) => any} */
const resultPart = (part, parts, rest) => ({ type: "result", id: 1, part, parts, template: [], content_texts: [], ...rest });

test("parts make the result whatever their order, and a range that was cut is one again", () => {
  const parts = new Assembly();
  assert.equal(parts.add(resultPart(2, 2, { template: [[5, 7]], content_texts: [[2, 3]], summary: SUMMARY })), null);
  assert.deepEqual(parts.add(resultPart(1, 2, { template: [[0, 1], [2, 5]] })), {
    answer: { template: [[0, 1], [2, 7]], content_texts: [[2, 3]] },
    summary: SUMMARY,
  });
});

test("each part brings its own slice of the scores, and some bring none", () => {
  const parts = new Assembly();
  parts.add(resultPart(3, 3, { summary: SUMMARY }));
  parts.add(resultPart(2, 3, { scores: "AgM=" }));
  assert.deepEqual(parts.add(resultPart(1, 3, { scores: "AAE=" }))?.answer.scores, ["AAE=", "AgM="]);
});

test("a part that is none of them is refused, and a result without its summary", () => {
  assert.throws(() => new Assembly().add(resultPart(3, 2, {})), /Part 3 of 2/);
  assert.throws(() => new Assembly().add(resultPart(1, 1, {})), /no summary/);
});

test("joining does not change the parts", () => {
  const first = Object.freeze([/** @type {[number, number]} */ (Object.freeze([0, 1]))]);
  assert.deepEqual(joined([first, [[1, 2]]]), [[0, 2]]);
});
