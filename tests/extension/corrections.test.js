import assert from "node:assert/strict";
import { test } from "node:test";
import { keepCorrection, openCorrections } from "../../extension/background/choices.js";
import { orderOf } from "../../extension/background/panels.js";
import { isSelector } from "../../extension/rules.js";
import { asker, correct, openPage, panelOf, plain, press } from "./page.js";
import { RESULT, TAB, browserWith } from "./tab.js";

const HTML = `<!doctype html><body><nav id="menu"><a href="/a">A</a></nav>
<aside class="news box"><h2>News</h2><p>Rain</p>bare words</aside><main><p>One</p><p>Two <b>bold</b></p></main></body>`;
const URL = "https://example.org/news/a.html";

/**
 * A page of which nav and aside are template, without the aside's bare words.
 * @returns {{page: any, tree: Tree, known: any, corrections: Sitestencil["corrections"], number: (selector: string) => number, flip: (selector: string, name?: "onlyPage" | "allPages") => Correction}}
 */
function knownPage() {
  const page = openPage(HTML);
  const tree = page.sitestencil.tree.treeOf(page.document);
  const number = (/** @type {string} */ selector) => tree.elements.indexOf(/** @type {Element} */ (page.document.querySelector(selector)));
  const template = Uint8Array.from(tree.elements, (element) => Number(element.nodeName !== "MAIN" && !/** @type {Element} */ (element).closest("main")));
  const contentTexts = Uint8Array.from(tree.texts, ({ node }) => Number(node.data.includes("bare")));
  const known = /** @type {any} */ ({ tree, template, contentTexts, rest: template.slice(), mainTexts: contentTexts.slice(), scores: Uint8Array.from(template, (one) => one * 200 + 20), url: URL, about: {}, rules: [], corrected: new Map(), applied: [], corrections: [] });
  const { corrections } = page.sitestencil;
  /** Corrects an element as the panel's button does. @type {(selector: string, name?: "onlyPage" | "allPages") => Correction} */
  const flip = (selector, name = "allPages") => corrections.add(known, /** @type {Proposal} */ (corrections.propose(known, number(selector)))[name]);
  return { page, tree, known, corrections, number, flip };
}

/** @type {(known: any) => any} */
const answer = ({ template, contentTexts, rest, mainTexts, scores }) => plain([template, contentTexts, rest, mainTexts, scores].map((column) => [...column]));

test("a correction flips an element with all that lies below it, and undoing it brings back what was", () => {
  const { known, corrections, number, flip } = knownPage();
  const before = answer(known);
  const correction = flip("aside");
  assert.deepEqual(plain(correction), { added: { selector: "aside.box", is: "content", where: ["body"], words: "News" }, removed: [] });
  for (const selector of ["aside", "aside h2", "aside p"]) assert.deepEqual([known.template[number(selector)], known.scores[number(selector)]], [0, 0]);
  assert.equal(known.template[number("nav a")], 1);
  assert.ok([...known.contentTexts, ...known.mainTexts].every((/** @type {number} */ one) => !one));
  assert.equal(corrections.undo(known), correction);
  assert.deepEqual(answer(known), before);
  assert.equal(known.corrected.size, 0);
});

test("what lies within a correction can be corrected again, and each is undone by itself", () => {
  const { known, corrections, number, flip } = knownPage();
  const first = flip("main");
  const second = flip("b");
  assert.deepEqual(["main", "b"].map((one) => known.template[number(one)]), [1, 0]);
  assert.equal(corrections.undo(known), second);
  assert.equal(known.template[number("b")], 1);
  assert.equal(corrections.undo(known), first);
  assert.equal(corrections.undo(known), null);
  assert.equal(known.template[number("main")], 0);
});

test("a correction of a correction takes its place, and undoing it brings the first back", () => {
  const { known, corrections, number, flip } = knownPage();
  flip("aside");
  flip("aside");
  assert.equal(known.template[number("aside")], 1);
  assert.equal(known.rules.length, 1);
  corrections.undo(known);
  assert.equal(known.template[number("aside")], 0);
});

test("each element has a selector that names it alone, lasts, and may stand in a rule", () => {
  const { page, tree, number } = knownPage();
  const { selectors } = page.sitestencil;
  for (const [index, element] of tree.elements.entries()) {
    const { exact, plain: other } = /** @type {Names} */ (selectors.of(tree, index));
    assert.deepEqual([...page.document.querySelectorAll(exact)], [element], exact);
    assert.ok(isSelector(exact) && isSelector(other), exact);
  }
  assert.deepEqual(plain(selectors.of(tree, number("nav a"))), { exact: "#menu > a", plain: "#menu > a", counts: false });
  assert.deepEqual(plain(selectors.of(tree, number("main p + p"))), { exact: "main > p:nth-of-type(2)", plain: "main > p:nth-of-type(2)", counts: true });
});

test("a rule for other pages counts no positions where a class is enough, and names all that are alike", () => {
  const page = openPage(`<body><ul id="list"><li class="ad">A<li class="ad new">B<p>C</p><li><b>D</b></ul>
    <div><article class="card"><p>E</p></article><article class="card"><p>F</p></article></div></body>`);
  const { selectors, tree } = page.sitestencil;
  const known = tree.treeOf(page.document);
  const names = (/** @type {string} */ selector) => plain(selectors.of(known, known.elements.indexOf(/** @type {Element} */ (page.document.querySelector(selector)))));
  assert.deepEqual(names("li.ad"), { exact: "#list > li.ad:nth-of-type(1)", plain: "#list > li.ad", counts: false });
  assert.deepEqual(names("li.new"), { exact: "li.new", plain: "li.new", counts: false });
  assert.equal(names("article + article p").plain, "body > div > article.card > p");
  assert.deepEqual(names("li b"), { exact: "#list > li:nth-of-type(3) > b", plain: "#list > li:nth-of-type(3) > b", counts: true });
});

test("a name that no compared page has is in no selector", () => {
  const page = openPage(`<body><main><h1 id="apple-cake">A</h1><p class="note apple">B</p></main></body>`);
  const tree = page.sitestencil.tree.treeOf(page.document);
  const selectorOf = (/** @type {string} */ tag, /** @type {string[]} */ ...own) => page.sitestencil.selectors.of(tree, tree.names.indexOf(tag), new Set(own))?.plain;
  assert.deepEqual([selectorOf("h1"), selectorOf("p")], ["#apple-cake", "p.apple"]);
  assert.deepEqual([selectorOf("h1", "apple-cake"), selectorOf("p", "apple"), selectorOf("p", "apple", "note")], ["h1", "p.note", "main > p"]);
});

test("names that hold numbers of one page are not taken, and shadow roots are out of reach", () => {
  const page = openPage(`<body><div id="post-12345" class="item98765"><p></p></div><div id="host"></div>`);
  const host = /** @type {Element} */ (page.document.querySelector("#host"));
  host.attachShadow({ mode: "open" }).innerHTML = "<b>Shadow</b>";
  const tree = page.sitestencil.tree.treeOf(page.document);
  const selectors = tree.elements.map((_, number) => page.sitestencil.selectors.of(tree, number));
  assert.ok(selectors.every((one) => !/\d{3}/.test(String(one?.exact))));
  assert.equal(selectors[tree.elements.findIndex(({ nodeName }) => nodeName === "B")], null);
});

test("a preview has the outermost elements that the rule would switch, and those alone", () => {
  const { known, corrections, number, flip } = knownPage();
  const here = (/** @type {string} */ selector) => corrections.propose(known, number(selector))?.here;
  assert.deepEqual(plain(here("aside")), [number("aside")]);
  flip("aside h2");
  assert.deepEqual(plain(here("aside")), [number("aside")]);
  assert.deepEqual(plain(here("aside h2")), [number("aside h2")]);
});

test("the kind of a page is told by the boxes around its main content, as it was before any correction", () => {
  const page = openPage(`<body class="single js"><div class="wrap"><nav>A long menu of the site, longer than all</nav>
    <article class="post sport"><h1>Title</h1><p>Story of some length</p></article></div></body>`);
  const tree = page.sitestencil.tree.treeOf(page.document);
  const template = Uint8Array.from(tree.elements, (element) => Number(!/** @type {Element} */ (element).closest("article > *")));
  const none = new Uint8Array(tree.texts.length);
  const known = /** @type {any} */ ({ tree, template, rest: template.slice(), contentTexts: none, mainTexts: none, scores: null, url: URL, about: {}, rules: [], corrected: new Map(), applied: [], corrections: [] });
  const { corrections, selectors } = page.sitestencil;
  corrections.add(known, { selector: "p", is: "template" });
  const rule = corrections.propose(known, tree.names.indexOf("nav"))?.allPages;
  assert.deepEqual(plain(rule), { selector: "nav", is: "content", words: "A long menu of the site, longer than all", where: ["body.js.single", "div.wrap", "article.post.sport"] });
  assert.ok(selectors.isKind([]) && selectors.isKind(["body.single.home", "div.wrap", "article.post.news"]));
});

test("a rule of another page, of another kind of page, or that is off, does not apply", () => {
  const { known, corrections } = knownPage();
  const rule = /** @type {const} */ ({ selector: "aside", is: "content" });
  const before = answer(known);
  corrections.apply(known, [{ ...rule, off: true }, { ...rule, page: `${URL}?other` }, { ...rule, where: ["body", "article"] }]);
  assert.deepEqual([answer(known), known.applied.length], [before, 0]);
  corrections.apply(known, [{ ...rule, page: URL }]);
  assert.deepEqual([known.template.length, known.applied.length], [before[0].length, 1]);
  assert.notDeepEqual(answer(known), before);
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

test("a correction is kept for the site, but none of a private window, and a hidden part shows it at once", async () => {
  const correction = { added: { selector: "aside", is: /** @type {const} */ ("content") }, removed: [] };
  for (const incognito of [false, true]) {
    const { tabs, seen } = browserWith({ incognito });
    await tabs.click(TAB);
    await keepCorrection(TAB, correction, false);
    await tabs.corrected(TAB);
    const kept = /** @type {any} */ (await globalThis.browser.storage.local.get("rules")).rules;
    assert.deepEqual(kept, incognito ? undefined : { "example.org": [correction.added] });
    assert.deepEqual(seen.ran.slice(-2), ["arrive", "show"]);
    await tabs.show(TAB, "inspect");
    await tabs.corrected(TAB);
    assert.equal(seen.ran.at(-1), "say");
  }
});

test("the panel leads to the site's corrections in the options, and from a private window to all", async () => {
  for (const [incognito, site] of /** @type {const} */ ([[false, "example.org"], [true, ""]])) {
    const { seen } = browserWith({ incognito });
    await openCorrections(TAB);
    assert.deepEqual(seen.pages, [`pages/options.html#corrections:${site}`]);
  }
});

test("a page tells which corrections took part, and takes back the last one", () => {
  const page = openPage(HTML);
  const { button } = panelOf(page);
  page.window.HTMLCanvasElement.prototype.getContext = () => null;
  const ask = asker(page);
  ask("snapshot", { elements: 100, bytes: 100_000 });
  const aside = { selector: "aside", is: "content" };
  const about = ask("answer", { template: [[0, 9]], content_texts: [] }, { confidence: 0.9 }, [aside, { selector: ".nowhere", is: "content" }]);
  assert.deepEqual(about, { confidence: 0.9, corrections: 1 });
  ask("show", orderOf({ name: "inspect", ...about }));
  correct(page, button, "nav", "only_page");
  const added = { selector: "#menu", is: "content", words: "A", page: URL };
  assert.deepEqual(plain(page.messages.at(-1)), { type: "corrected", correction: { added, removed: [] }, undone: false });
  assert.equal(ask("describe").about.corrections, 2);
  for (const [rule, left] of [[added, 1], [aside, 0]]) {
    press(button("undo"));
    assert.deepEqual(plain(page.messages.at(-1)), { type: "corrected", correction: { added: rule, removed: [] }, undone: true });
    assert.equal(ask("describe").about.corrections, left);
  }
  press(button("edit"));
  assert.deepEqual(plain(page.messages.at(-1)), { type: "press", button: "edit" });
  page.window.close();
});
