import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { LOOKS, lookOf } from "../../extension/background/button.js";
import { MODES, aboutAnswer, doubtOf } from "../../extension/background/modes.js";
import { sentencesOf } from "../../extension/texts.js";
import { i18n } from "./i18n.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };

/** @param {TabState} state */
const titleOf = (state) => sentencesOf(lookOf(state).title);

test("the badge counts the pages loaded while working", () => {
  assert.equal(lookOf({ name: "working" }).badge, "…");
  assert.match(titleOf({ name: "working" }), /comparing with pages of this site\. Click to cancel/);
  assert.equal(lookOf({ name: "working", pagesLoaded: 2, pagesWanted: 3 }).badge, "2");
  assert.match(titleOf({ name: "working", pagesLoaded: 2, pagesWanted: 3 }), /2 of 3\. Click to cancel/);
  assert.match(titleOf({ name: "working", pagesLoaded: 2, pagesWanted: null }), /, 2 loaded\. Click to cancel/);
});

test("the template's title says how sure the detector is, and whether more pages would help", () => {
  const title = (/** @type {number} */ confidence, /** @type {number} */ morePages) =>
    titleOf({ name: "template", confidence, morePages });
  assert.match(title(0.987, 0), /this is the template\. High confidence\. Click/);
  assert.match(title(0.9, 2), /Medium confidence\. Compare 2 more similar pages for a better result\. Click/);
  assert.match(title(0.8, 1), /Low confidence: this may be wrong\. Compare 1 more similar page for a better result\. Click/);
  assert.match(titleOf({ name: "template" }), /this is the template\. Click/);
});

test("the content's title says how sure the main content is", () => {
  const title = (/** @type {number} */ mainConfidence) => titleOf({ name: "content", confidence: 0.5, mainConfidence });
  assert.match(title(0.96), /High confidence/);
  assert.match(title(0.85), /Medium confidence/);
  assert.match(title(0.5), /Low confidence: this may be wrong/);
  assert.match(title(0), /Low confidence: this may be wrong/);
  assert.match(titleOf({ name: "content", confidence: 0.99 }), /High confidence/);
});

test("a doubt says what is wrong in the title and asks on the badge; a guess that shows is called one", () => {
  const state = /** @type {TabState} */ ({ name: "doubtful", confidence: 0.99, doubt: "not_the_served_page" });
  assert.match(titleOf(state), /The helper program gets another page .*Click to leave the page as it is/);
  assert.equal(lookOf(state).badge, "?");
  assert.match(titleOf({ ...state, name: "template" }), /Low confidence: this may be wrong/);
  assert.match(titleOf({ name: "doubtful" }), /too little about this one/);
});

test("in the content view the panel says what is wrong with the main content", () => {
  const about = aboutAnswer(/** @type {any} */ ({ confidence: 0.99, main_confidence: 0.3, main_doubt: "paywalled" }), false);
  const said = (/** @type {"content" | "template"} */ name) => MODES[name].sentences?.({ name, ...about }).map(([text]) => text);
  assert.deepEqual(said("content"), ["confidence_low", "doubt_paywalled"]);
  assert.deepEqual(said("template"), ["confidence_high"]);
});

test("a doubt that only a newer program knows is told in general words", () => {
  assert.equal(doubtOf({ doubt: "written_in_the_stars" }), "unsure");
  assert.equal(doubtOf({ doubt: "toString" }), "unsure");
  assert.equal(doubtOf({ doubt: null }), undefined);
  assert.equal(doubtOf({}), undefined);
});

test("an error and a page where nothing is possible say why in the title", () => {
  assert.match(titleOf({ name: "error", problem: ["error_time_out"] }), /Try again later\. Click to try again/);
  assert.match(titleOf({ name: "impossible", problem: ["impossible_no_web_page"] }), /cannot work here: this is not a web page/);
});

test("every state has a title of its own and icons in all sizes", () => {
  const names = /** @type {Array<keyof typeof LOOKS>} */ (Object.keys(LOOKS));
  assert.equal(new Set(names.map((name) => titleOf({ name }))).size, names.length);
  for (const name of names) {
    for (const size of [16, 32, 48, 128]) {
      assert.ok(existsSync(new URL(`../../extension/icons/${LOOKS[name].icon}-${size}.png`, import.meta.url)));
    }
  }
});
