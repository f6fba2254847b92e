import assert from "node:assert/strict";
import { test } from "node:test";
import { MODES, VIEWS, aboutAnswer, clickOf, firstMode, hidesAnything, isMode } from "../../extension/background/modes.js";
import { messagePanel, orderOf, undonePanel } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";
import { textOf } from "../../extension/texts.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
const names = /** @type {Array<keyof typeof MODES>} */ (Object.keys(MODES));

test("clicks lead from the view that the button opens to the page, to the other view, and back; from any other to the page", () => {
  for (const opens of /** @type {const} */ (["template", "content"])) {
    const other = opens === "template" ? "content" : "template";
    const visited = [clickOf(opens, opens), clickOf("original", opens), clickOf(other, opens)];
    assert.deepEqual(visited, ["original", other, opens]);
    assert.deepEqual([clickOf("inspect", opens), clickOf("doubtful", opens)], ["original", "original"]);
  }
});

test("the button says what its click shows", () => {
  const titleOf = (/** @type {any} */ state) => MODES[/** @type {keyof typeof MODES} */ (state.name)].title(state).map(([name]) => name).at(-1);
  assert.deepEqual(names.slice(0, 3).map((name) => titleOf({ name })), ["title_original", "title_click_for_page", "title_click_for_template"]);
  assert.deepEqual(names.slice(0, 3).map((name) => titleOf({ name, opens: "content" })), ["title_original_template", "title_click_for_content", "title_click_for_page"]);
});

test("after a change of address within the page, the button says so", () => {
  for (const name of /** @type {const} */ (["template", "content"])) {
    const names = (/** @type {true | undefined} */ moved) => MODES[name].title({ name, ...(moved && { moved }) }).map(([one]) => one);
    assert.deepEqual([names(true).includes("panel_moved"), names(undefined).includes("panel_moved")], [true, false]);
  }
});

test("an answer first shows in the view that the button opens, unless it is a guess", () => {
  assert.equal(firstMode({}, "template"), "template");
  assert.equal(firstMode({}, "content"), "content");
  assert.equal(MODES.template.hides, "content");
  assert.equal(hidesAnything("template"), true);
});

test("the page as it is hides nothing and needs no panel, as the page that nothing is known of", () => {
  assert.deepEqual(orderOf({ name: "original" }), { mode: "original" });
  assert.equal(hidesAnything("original"), false);
  assert.equal(hidesAnything("none"), false);
});

test("a guess hides nothing until it is asked for, and its panel says what is wrong", () => {
  assert.equal(firstMode({ doubt: "alone" }, "content"), "doubtful");
  assert.equal(firstMode({ doubt: "alone", mainConfidence: 0.98 }, "content"), "content");
  assert.equal(firstMode({ doubt: "alone", mainConfidence: 0.98 }, "template"), "doubtful");
  assert.equal(firstMode({ doubt: "alone", mainConfidence: 0.7 }, "content"), "doubtful");
  assert.equal(firstMode({ doubt: "error_page", mainConfidence: 0.98 }, "content"), "doubtful");
  assert.equal(hidesAnything("doubtful"), false);
  const { hides, panel } = orderOf({ name: "doubtful", doubt: "alone" });
  assert.equal(hides, undefined);
  assert.match(panel?.sentence ?? "", /links to no other page of its site.*Try/);
  assert.deepEqual(panel?.buttons.map(({ name, label }) => [name, label]), [["template", "Show anyway"], ["original", "Cancel"]]);
});

test("an error page is told with the server's status where it is known", () => {
  const summary = { confidence: 0.5, more_pages: null, doubt: "error_page" };
  const said = (/** @type {number} */ status) => orderOf({ name: "doubtful", ...aboutAnswer(summary, false, { status }) }).panel?.sentence ?? "";
  assert.match(said(500), /an error page \(500\): the address/);
  for (const unknown of [0, 200]) assert.match(said(unknown), /an error page: the address/);
});

test("a panel can be closed or left for the page as it is; a line offers all views with its own marked", () => {
  for (const name of names) {
    const { panel } = orderOf({ name });
    if (!panel) continue;
    assert.ok(panel.close || panel.buttons.some((one) => one.name === "original"));
    assert.equal(panel.views.length > 0, panel.menu !== undefined);
    if (panel.menu) assert.deepEqual(panel.views.map((view) => view.name), VIEWS);
    assert.deepEqual(panel.views.filter(({ pressed }) => pressed).map((view) => view.name), VIEWS.filter((view) => view === name));
  }
});

test("the template's panel says what happened and what its buttons do, in its language", () => {
  const { panel, closeGaps } = orderOf({ name: "template", compared: Array(7).fill(""), confidence: 0.9, morePages: 2, canLoadMore: true });
  assert.equal(closeGaps, false);
  assert.deepEqual(panel, {
    name: "Sitestencil",
    language: "en",
    direction: "ltr",
    move: { name: "move", label: "\u283f", description: "Move this panel: drag it, use the arrow keys, or press for the next corner" },
    sentence: "Compared with 7 pages of this site. Medium confidence. Compare 2 more similar pages for a better result.",
    views: [
      { name: "template", label: "Template", description: "Template", pressed: true },
      { name: "original", label: "Page", description: "Page", pressed: false },
      { name: "content", label: "Content", description: "Content", pressed: false },
    ],
    confidence: { sign: "\u25d0", word: "Likely" },
    buttons: [],
    menu: {
      button: { name: "menu", label: "\u2630", description: "More" },
      buttons: [
        { name: "gaps", label: "Close the gaps", description: "Close the gaps", pressed: false },
        { name: "more", label: "Compare more pages", description: "Compare more pages" },
        { name: "save", label: "Save as HTML", description: "Save as HTML" },
        { name: "rules", label: "Copy rules for this site", description: "Copy rules for this site" },
        { name: "inspect", label: "Inspect", description: "Inspect" },
        { name: "options", label: "Options", description: "Options" },
      ],
    },
    close: { name: "close", label: "\u00d7", description: "Close this panel" },
  });
});

test("an answer that is sure asks for no more pages", () => {
  const sentence = (/** @type {number} */ confidence) => orderOf({ name: "template", confidence, morePages: 1 }).panel?.sentence ?? "";
  assert.match(sentence(0.9), /Medium confidence\. Compare 1 more/);
  assert.match(sentence(0.99), /High confidence\.$/);
});

test("only what a person must know now shows beside the line", () => {
  const isNews = (/** @type {any} */ state) => orderOf(state).panel?.isNews ?? false;
  for (const news of [{ copied: "yes" }, { moved: true }, { later: "shown" }, { undone: true }, { name: "inspect" }]) assert.ok(isNews({ name: "content", ...news }), JSON.stringify(news));
  for (const known of [{ later: "judged" }, { doubt: "alone" }, { corrections: 2 }]) assert.ok(!isNews({ name: "content", ...known }), JSON.stringify(known));
});

test("more pages are offered only where the program can load more and they would help", () => {
  const { panel } = orderOf({ name: "template", morePages: 2 });
  assert.ok(!panel?.menu?.buttons.some(({ name }) => name === "more"));
});

test("a guess that shows is called one, with what is wrong; what came later is told", () => {
  assert.match(orderOf({ name: "content", doubt: "alone" }).panel?.sentence ?? "", /Low confidence: this may be wrong\. This page links to no other/);
  assert.match(orderOf({ name: "template", later: "shown" }).panel?.sentence ?? "", /Parts that loaded later cannot be judged/);
  assert.match(orderOf({ name: "template", later: "judged" }).panel?.sentence ?? "", /Parts that loaded later follow/);
});

test("closed gaps are part of the order, and of the switch", () => {
  const { closeGaps, panel } = orderOf({ name: "content", closeGaps: true });
  assert.equal(closeGaps, true);
  assert.equal(panel?.menu?.buttons.find(({ name }) => name === "gaps")?.pressed, true);
  assert.equal(orderOf({ name: "inspect", closeGaps: true }).closeGaps, undefined);
});

test("a sentence stands in a panel that stays until it is closed", () => {
  const { sentence, views, buttons, close } = messagePanel("The moon is in the way.");
  assert.equal(sentence, "The moon is in the way.");
  assert.deepEqual([views, buttons, close?.name], [[], [], "close"]);
  assert.match(undonePanel({ name: "content" }).sentence, /keeps undoing/);
});

test("what a page names is a mode only if it is one", () => {
  for (const wrong of ["none", "toString", "__proto__", "", null, 1]) assert.equal(isMode(wrong), false);
  assert.equal(isMode("template"), true);
});

test("the content view shows the main content, or all content once that was chosen", () => {
  assert.equal(orderOf({ name: "content" }).hides, "rest");
  assert.equal(orderOf({ name: "content", showsAround: true }).hides, "template");
  const pressed = (/** @type {any} */ state) => orderOf(state).panel?.menu?.buttons.find(({ name }) => name === "around")?.pressed;
  assert.equal(pressed({ name: "content" }), false);
  assert.equal(pressed({ name: "content", showsAround: true }), true);
  assert.equal(orderOf({ name: "template", showsAround: true }).hides, "content");
});

test("a correction that took part is told by the panel, at a glance and in full, and by the button, with Undo and Edit", () => {
  for (const name of /** @type {const} */ (["template", "content"])) {
    const state = { name, corrections: 2, confidence: 0.99 };
    const panel = orderOf(state).panel;
    assert.match(panel?.sentence ?? "", /2 of your corrections apply here\./);
    assert.equal(panel?.confidence?.word, "Sure \u270e");
    assert.deepEqual(panel?.menu?.buttons.slice(0, 2).map(({ label, description }) => [label, description]), [["Undo", "Undo the last correction"], ["Edit", "Edit the corrections of this site"]]);
    assert.match(MODES[name].title(state).map(textOf).join(" "), /2 of your corrections/);
    assert.doesNotMatch(JSON.stringify(orderOf({ name, corrections: 0 })), /orrection/);
  }
});

const DOUBTS = ["error_page", "almost_empty", "alone", "nothing_loaded", "not_the_served_page", "needs_login", "built_by_scripts", "no_similar_page", "unsure", "all_template", "all_content", "links_may_act"];

test("each panel tells one judgement: no doubt beside a high confidence, no count of pages that did not come", () => {
  const fields = { name: ["template", "content"], doubt: [undefined, ...DOUBTS], main_confidence: [0.5, 0.9, 0.99], candidates: [[], ["a", "b"]], more_pages: [0, 2], showsAround: [false, true] };
  /** @type {any[]} */
  let states = [{ confidence: 0.99 }];
  for (const [field, values] of Object.entries(fields)) states = states.flatMap((state) => values.map((value) => ({ ...state, [field]: value })));
  const said = new Set();
  for (const { name, showsAround, ...summary } of states) {
    const { sentence = "", confidence, menu } = orderOf({ name, ...aboutAnswer(summary, true), showsAround }).panel ?? {};
    const more = menu?.buttons.find((one) => one.name === "more")?.label;
    const isDoubted = sentence.includes(textOf([/** @type {TextName} */ (`doubt_${summary.doubt}`), ""]) || "?");
    said.add(`${name}, ${confidence?.word}, ${more}: ${sentence}`);
    assert.doesNotMatch(sentence, /with 0 pages/);
    assert.equal(/High confidence/.test(sentence), confidence?.word === "Sure");
    if (isDoubted) assert.match(sentence, /^(?!.*more similar).*Low confidence/);
    else if (summary.doubt) assert.match(sentence, /^Judged from this page alone.*(?:High|Medium)/);
    if (summary.doubt === "nothing_loaded") assert.equal(more, "Try again");
  }
  if (process.env.PRINT) console.log([...said].join("\n"));
  assert.ok(said.size > DOUBTS.length);
});
