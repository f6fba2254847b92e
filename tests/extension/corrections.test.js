import assert from "node:assert/strict";
import { test } from "node:test";
import { keepCorrection } from "../../extension/background/corrections.js";
import { isSelector } from "../../extension/rules.js";
import { asker, openPage, plain } from "./page.js";
import { RESULT, TAB, browserWith } from "./tab.js";

const HTML = `<!doctype html><body><nav id="menu"><a href="/a">A</a></nav>
<aside class="news box"><h2>News</h2><p>Rain</p>bare words</aside><main><p>One</p><p>Two <b>bold</b></p></main></body>`;

/**
 * A page of which nav and aside are template, without the aside's bare words.
 * @returns {{page: any, tree: Tree, known: any, corrections: Sitestencil["corrections"], number: (selector: string) => number}}
 */
function knownPage() {
  const page = openPage(HTML);
  const tree = page.sitestencil.tree.treeOf(page.document);
  const number = (/** @type {string} */ selector) => tree.elements.indexOf(/** @type {Element} */ (page.document.querySelector(selector)));
  const template = Uint8Array.from(tree.elements, (element) => Number(element.nodeName !== "MAIN" && !/** @type {Element} */ (element).closest("main")));
  const contentTexts = Uint8Array.from(tree.texts, ({ node }) => Number(node.data.includes("bare")));
  const known = { tree, template, contentTexts, rest: template.slice(), mainTexts: contentTexts.slice(), scores: Uint8Array.from(template, (one) => one * 200 + 20), rules: [], corrected: new Map(), corrections: [] };
  return { page, tree, known, corrections: page.sitestencil.corrections, number };
}

/** @type {(known: any) => any} */
const answer = ({ template, contentTexts, rest, mainTexts, scores }) => plain([template, contentTexts, rest, mainTexts, scores].map((column) => [...column]));

test("a correction flips an element with all that lies below it, and undoing it brings back what was", () => {
  const { known, corrections, number } = knownPage();
  const before = answer(known);
  const correction = corrections.flip(known, number("aside"));
  assert.deepEqual(plain(correction), { added: { selector: "aside.box", is: "content" }, removed: [] });
  for (const selector of ["aside", "aside h2", "aside p"]) assert.deepEqual([known.template[number(selector)], known.scores[number(selector)]], [0, 0]);
  assert.equal(known.template[number("nav a")], 1);
  assert.ok([...known.contentTexts, ...known.mainTexts].every((/** @type {number} */ one) => !one));
  corrections.undo(known, /** @type {Correction} */ (correction));
  assert.deepEqual(answer(known), before);
  assert.equal(known.corrected.size, 0);
});

test("what lies within a correction can be corrected again, and each is undone by itself", () => {
  const { known, corrections, number } = knownPage();
  const first = /** @type {Correction} */ (corrections.flip(known, number("main")));
  const second = /** @type {Correction} */ (corrections.flip(known, number("b")));
  assert.deepEqual(["main", "b"].map((one) => known.template[number(one)]), [1, 0]);
  corrections.undo(known, second);
  assert.equal(known.template[number("b")], 1);
  corrections.undo(known, first);
  assert.equal(known.template[number("main")], 0);
});

test("a correction of a correction takes its place, and undoing it brings the first back", () => {
  const { known, corrections, number } = knownPage();
  corrections.flip(known, number("aside"));
  const back = /** @type {Correction} */ (corrections.flip(known, number("aside")));
  assert.equal(known.template[number("aside")], 1);
  assert.equal(known.rules.length, 1);
  corrections.undo(known, back);
  assert.equal(known.template[number("aside")], 0);
});

test("each element has a selector that names it alone, lasts, and may stand in a rule", () => {
  const { page, tree, corrections, number } = knownPage();
  for (const [index, element] of tree.elements.entries()) {
    const selector = corrections.selectorOf(tree, index);
    assert.deepEqual([...page.document.querySelectorAll(selector)], [element], selector);
    assert.ok(isSelector(selector), selector);
  }
  assert.equal(corrections.selectorOf(tree, number("nav a")), "#menu > a");
  assert.equal(corrections.selectorOf(tree, number("main p + p")), "main > p:nth-of-type(2)");
});

test("names that hold numbers of one page are not taken, and shadow roots are out of reach", () => {
  const page = openPage(`<body><div id="post-12345" class="item98765"><p></p></div><div id="host"></div>`);
  const host = /** @type {Element} */ (page.document.querySelector("#host"));
  host.attachShadow({ mode: "open" }).innerHTML = "<b>Shadow</b>";
  const tree = page.sitestencil.tree.treeOf(page.document);
  const selectors = tree.elements.map((_, number) => page.sitestencil.corrections.selectorOf(tree, number));
  assert.ok(selectors.every((selector) => !/\d{3}/.test(selector)), selectors.join());
  assert.equal(selectors[tree.elements.findIndex(({ nodeName }) => nodeName === "B")], "");
});

test("rules that name nothing, or are none, change nothing", () => {
  const { known, corrections } = knownPage();
  const before = answer(known);
  corrections.apply(known, [{ selector: ".nowhere", is: "content" }, { selector: "p:(", is: "template" }]);
  assert.deepEqual(answer(known), before);
});

test("the person's rules are put into the page with the answer, and none where there are none", async () => {
  const rules = { "example.org": [{ selector: "aside", is: "content" }] };
  for (const [choices, expected] of /** @type {Array<[any, any[]]>} */ ([[{ rules }, rules["example.org"]], [{}, []], [{ rules: { "other.org": [] } }, []]])) {
    const { tabs, seen } = browserWith({ extract: async () => RESULT, choices });
    await tabs.click(TAB);
    assert.deepEqual(seen.rules, expected);
  }
});

test("a correction is kept for the site, but none of a private window", async () => {
  const correction = { added: { selector: "aside", is: /** @type {const} */ ("content") }, removed: [] };
  for (const incognito of [false, true]) {
    const { tabs, seen } = browserWith({ incognito });
    await tabs.click(TAB);
    await keepCorrection(TAB, correction, false);
    await tabs.corrected(TAB);
    const kept = /** @type {any} */ (await globalThis.browser.storage.local.get("rules")).rules;
    assert.deepEqual(kept, incognito ? undefined : { "example.org": [correction.added] });
    assert.equal(seen.ran.at(-1), "say");
  }
});

test("a page tells what was corrected, and how many corrections can be undone", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  ask("snapshot", { elements: 100, bytes: 100_000 });
  ask("answer", { template: [[0, 9]], content_texts: [] }, { sureness: 0.9 }, [{ selector: "aside", is: "content" }]);
  page.sitestencil.inspect.picks.dispatchEvent(new page.window.CustomEvent("pick", { detail: 3 }));
  assert.deepEqual(plain(page.messages.at(-1)), { type: "corrected", correction: { added: { selector: "#menu", is: "content" }, removed: [] }, undone: false });
  assert.equal(ask("describe").about.corrections, 1);
});
