import assert from "node:assert/strict";
import { test } from "node:test";
import { messagePanel } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";
import { openPage, plain } from "./page.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };

/**
 * The capture of a page in which what has the class `c` is content, and text with an asterisk too.
 * @param {string | ReturnType<typeof openPage>} page
 * @param {(document: Document) => void} [change] between the host's answer and saving
 * @param {PagePart} [hides] the part that the file leaves out
 */
function captured(page, change = () => {}, hides = "content") {
  const { sitestencil, document } = typeof page === "string" ? openPage(page) : page;
  const { tree } = sitestencil.snapshot.take(document);
  /** @type {number[]} */
  const template = [];
  for (const [index, node] of tree.elements.entries()) {
    const names = sitestencil.dom.isShadowRoot(node) ? [] : sitestencil.dom.get(node, "class").split(" ");
    template.push(names.includes("t") ? 1 : names.includes("c") ? 0 : index ? template[tree.parents[index]] : 1);
  }
  const contentTexts = tree.texts.map(({ node, parent }) => Number(template[parent] && node.data.includes("*")));
  change(document);
  return plain(
    sitestencil.capture.take(
      document,
      /** @type {any} */ ({
        tree,
        template: Uint8Array.from(template),
        contentTexts: Uint8Array.from(contentTexts),
        rest: Uint8Array.from(tree.elements, (node, index) => Number(template[index] || !inMain(sitestencil, node))),
        mainTexts: Uint8Array.from(contentTexts),
        unjudged: new Set(),
      }),
      hides,
    ).capture,
  );
}

/** @type {(sitestencil: any, node: any) => boolean} */
const inMain = (sitestencil, node) => !sitestencil.dom.isShadowRoot(node) && node.closest("main") !== null;

/** @param {any} capture */
const named = ({ names, tags }) => tags.map((/** @type {number} */ tag) => names[tag]);

/** @type {(capture: any, name: string) => string[]} the attributes of the first element of a name */
const attributesOf = (capture, name) => capture.attributes[named(capture).indexOf(name)];

/** @param {any} capture @returns {string[]} */
const templateTexts = ({ texts, template_texts: ranges }) =>
  ranges.flatMap((/** @type {[number, number]} */ range) => texts.slice(...range)).map((/** @type {any} */ text) => text[2]);

test("it says which elements and which texts are template", () => {
  const capture = captured("<body><header>Site</header><main class=c>News<nav class=t>Menu</nav></main>By *Jane");
  assert.deepEqual(named(capture), ["html", "head", "body", "header", "main", "nav"]);
  assert.deepEqual(capture.template, [[0, 4], [5, 6]]);
  assert.deepEqual(templateTexts(capture), ["Site", "Menu"]);
});

test("nodes that came after the detection are what the node above them is", () => {
  const capture = captured("<body><nav>Menu</nav><main class=c></main>", (document) => {
    document.querySelector("nav")?.append(document.createElement("hr"), "more");
    document.querySelector("main")?.append(document.createElement("video"), "news");
  });
  assert.deepEqual(named(capture).slice(3), ["nav", "hr", "main", "video"]);
  assert.deepEqual(capture.template, [[0, 5]]);
  assert.deepEqual(templateTexts(capture), ["Menu", "more"]);
});

test("attribute values are whole, white space is there, and what the extension adds is not", () => {
  const style = "x".repeat(5000);
  const page = openPage(`<body style="${style}" data-sitestencil="hide"> <p>`);
  page.sitestencil.panel.open(messagePanel("Saved"), () => {});
  const capture = captured(page);
  assert.deepEqual(attributesOf(capture, "body"), ["style", style]);
  assert.deepEqual(named(capture), ["html", "head", "body", "p"]);
  assert.ok(templateTexts(capture).includes(" "));
});

test("what scripts switch outside of forms is as it shows", () => {
  const page = openPage("<body><input id=a type=checkbox><input id=b type=checkbox checked><input id=e type=radio><select><option selected>1<option id=c>2");
  const field = (/** @type {string} */ id) => /** @type {any} */ (page.document.getElementById(id));
  field("a").checked = field("c").selected = field("e").checked = true;
  field("b").checked = false;
  const { attributes } = captured(page);
  assert.deepEqual(attributes.slice(3), [
    ["id", "a", "type", "checkbox", "checked", ""],
    ["id", "b", "type", "checkbox"],
    ["id", "e", "type", "radio", "checked", ""],
    [],
    [],
    ["id", "c", "selected", ""],
  ]);
});

test("nothing that a person has typed or chosen is in it", () => {
  const page = openPage("<body><form><input id=a><textarea id=b></textarea><input id=c type=checkbox><select><option>1<option id=d>2");
  const field = (/** @type {string} */ id) => /** @type {any} */ (page.document.getElementById(id));
  field("a").value = field("b").value = "typed";
  field("c").checked = field("d").selected = true;
  assert.doesNotMatch(JSON.stringify(captured(page)), /typed|checked|selected/);
});

test("what a script disabled, and a radio button beside the chosen one, tell nothing", () => {
  const page = openPage("<body><input id=a type=checkbox disabled><select disabled><option>1<option id=b>2</select><input type=radio name=c id=c checked>");
  const field = (/** @type {string} */ id) => /** @type {any} */ (page.document.getElementById(id));
  field("a").checked = field("b").selected = true;
  field("c").checked = false;
  const { attributes } = captured(page);
  assert.deepEqual(attributes.slice(3), [
    ["id", "a", "type", "checkbox", "disabled", ""],
    ["disabled", ""],
    [],
    ["id", "b"],
    ["type", "radio", "name", "c", "id", "c", "checked", ""],
  ]);
});

test("scripts have no text, and style elements the rules that they have now", () => {
  const page = openPage("<head><style id=s>p { color: red; }</style><script>x()</script></head>");
  /** @type {any} */ (page.document.getElementById("s")).sheet.insertRule("b { color: blue; }");
  const { texts } = captured(page);
  assert.deepEqual(texts.map((/** @type {any} */ text) => text[2]).filter((/** @type {string} */ text) => text.trim()), ["b { color: blue; }\np { color: red; }"]);
});

test("namespaces and exact names are told", () => {
  const page = openPage("<!doctype html><body><svg><linearGradient></linearGradient></svg><math></math>");
  const { document } = page;
  document.body.append(document.createElementNS("http://www.w3.org/1999/xhtml", "SCRIPT"), document.createElementNS(null, "script"));
  const capture = captured(page);
  assert.deepEqual(named(capture).slice(3), ["svg", "linearGradient", "math", "SCRIPT", "script"]);
  assert.deepEqual(capture.namespaces, [[3, 5, "svg"], [5, 6, "math"], [7, 8, "other"]]);
  assert.equal(capture.compat_mode, "CSS1Compat");
});

test("shadow roots and frames are in it, and where the links of a frame lead", () => {
  const page = openPage("<body><x-card><i>light</i></x-card><iframe></iframe>");
  const root = /** @type {Element} */ (page.document.querySelector("x-card")).attachShadow({ mode: "open" });
  root.append(page.document.createElement("slot"));
  const frame = /** @type {any} */ (page.document.querySelector("iframe"));
  frame.contentDocument.body.append("Menu");
  const capture = captured(page);
  assert.deepEqual(attributesOf(capture, "template"), ["shadowrootmode", "open"]);
  assert.deepEqual(capture.frame_bases, [[0, "https://example.org/news/a.html"], [8, "https://example.org/news/a.html"]]);
  assert.ok(templateTexts(capture).includes("Menu"));
});

test("capturing changes nothing in the page", () => {
  const page = openPage("<!doctype html><body><input value=a><iframe></iframe><p class=c>x");
  const before = page.document.documentElement.outerHTML;
  captured(page);
  assert.equal(page.document.documentElement.outerHTML, before);
});

test("for the content it leaves out the rest, and takes metadata and formulas along, but no script", () => {
  const page = `<script>run()</script><script type="application/ld+json">{"a": 1}</script><nav class=t>Menu</nav>
    <aside class=c>Teaser</aside><main class=c>Text <script type="math/tex; mode=display">x^2</script></main>`;
  const texts = (/** @type {PagePart} */ hides) => {
    const capture = /** @type {{template: Array<[number, number]>, texts: Array<[number, number, string]>}} */ (captured(page, () => {}, hides));
    const left = new Set(capture.template.flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => from + index)));
    return capture.texts.filter(([parent, , text]) => !left.has(parent) && text.trim()).map(([, , text]) => text.trim());
  };
  assert.deepEqual(texts("rest"), ["Text", "x^2"]);
  assert.deepEqual(texts("template"), ["Teaser", "Text", "x^2"]);
  assert.deepEqual(texts("content"), ["Teaser", "Text"]);
  assert.ok(captured(page, () => {}, "rest").texts.some((/** @type {any} */ [, , text]) => text === '{"a": 1}'));
  assert.ok(!JSON.stringify(captured(page, () => {}, "rest")).includes("run()"));
});
