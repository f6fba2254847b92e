/** Applies kept templates to pages for tests/host/test_kept_templates.py: a line of JSON for each, and a line back. */

import { createInterface } from "node:readline";
import { apply } from "../../extension/kept/applying.js";
import { isReadable, learnedOf } from "../../extension/kept/learned.js";
import { Names } from "../../extension/kept/naming.js";
import { sketchOf } from "../../extension/kept/page_sketch.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { kept, snapshot } = JSON.parse(line);
  if (!isReadable(kept)) throw new TypeError("The template cannot be read.");
  const names = new Names();
  const start = performance.now();
  const learned = learnedOf(kept, names);
  const ready = performance.now();
  const page = sketchOf(snapshot, learned.shadowHosts, names);
  const sketched = performance.now();
  const { template, contentTexts, scores, fit, unknown } = apply(learned, page, snapshot);
  const ms = [ready - start, sketched - ready, performance.now() - sketched];
  const answer = { template: Array.from(template).join(""), texts: contentTexts, scores: scores && Buffer.from(scores).toString("base64"), fit, unknown, ms };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
