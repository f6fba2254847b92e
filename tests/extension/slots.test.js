import assert from "node:assert/strict";
import { test } from "node:test";
import { asker, openPage, plain } from "./page.js";
import { orderOf } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
const LIMITS = { elements: 1000, bytes: 100_000 };
const CONTENT = { ...orderOf({ name: "content" }), closeGaps: true };
const [TEMPLATE, ORIGINAL] = ["template", "original"].map((name) => orderOf({ name: /** @type {any} */ (name) }));

/**
 * A page with open shadow roots; markup of the form `<x-a><template>…</template>…</x-a>` makes one.
 * @param {string} body
 */
function withShadows(body) {
  const page = openPage(`<!doctype html><body>${body}`);
  const templates = [...page.document.querySelectorAll("template")];
  for (const template of templates) attach(template);
  return page;
}

/** @param {HTMLTemplateElement} template */
function attach(template) {
  const host = /** @type {Element} */ (template.parentNode);
  const root = host.attachShadow({ mode: "open", clonable: true });
  root.append(template.content);
  template.remove();
  for (const inner of root.querySelectorAll("template")) attach(inner);
}

/** @param {ReturnType<typeof withShadows>} page */
function drawn({ document, sitestencil }) {
  const tree = sitestencil.tree.treeOf(document);
  const flat = sitestencil.tree.flat(tree);
  const name = (/** @type {number} */ index) => tree.names[index] + (/** @type {any} */ (tree.elements[index]).id ?? "");
  const elements = flat.parents.flatMap((parent, index) => (parent === tree.parents[index] ? [] : [`${name(index)} in ${name(parent)}`]));
  const texts = flat.texts.flatMap(({ node, parent }, index) => (parent === tree.texts[index].parent ? [] : [`"${node.data}" in ${name(parent)}`]));
  return plain([...elements, ...texts]);
}

test("a slotted node is drawn in its slot, by its name, through hosts in hosts; others where they stand", () => {
  const cases = /** @type {const} */ ([
    ["<x-a><template><p><slot></slot></p></template>", ["i in slot", '"Text" in slot']],
    ["<x-a><template><slot name=n></slot></template>", []],
    ["<x-a><template><slot name=n id=1></slot><slot name=n id=2></slot></template><b slot=n></b>", ["b in slot1"]],
    ["<x-a><template><slot id=1><u></u></slot></template>", ["i in slot1", '"Text" in slot1']],
    ["<x-a><template><x-b><template><slot id=2></slot></template><slot id=1></slot></x-b></template>", ["slot1 in slot2", "i in slot1", '"Text" in slot1']],
  ]);
  const wrong = cases.map(([html, expected]) => [html, expected, drawn(withShadows(`${html}<i></i>Text</x-a>`))]).filter(([, expected, found]) => JSON.stringify(expected) !== JSON.stringify(found));
  assert.deepEqual(wrong, []);
});

/**
 * The marks in a view, by id; the page is restored afterwards.
 * @param {string} body in which the elements of the class "c" are content
 * @param {any} order
 * @param {(texts: string) => boolean} [isContent] whether a text of the template is content
 */
function marksOf(body, order, isContent = () => false) {
  const page = withShadows(body);
  const ask = asker(page);
  ask("snapshot", LIMITS);
  const tree = page.sitestencil.tree.treeOf(page.document);
  const texts = tree.texts.filter(({ node }) => node.data.trim());
  const template = tree.elements.flatMap((node, index) => (/** @type {any} */ (node).className === "c" ? [] : [[index, index + 1]]));
  ask("answer", { template, content_texts: texts.flatMap(({ node }, index) => (isContent(node.data) ? [[index, index + 1]] : [])) });
  ask("show", order);
  const marked = () => tree.elements.map((node) => /** @type {any} */ (node)).filter((node) => node.id && node.hasAttribute?.("data-sitestencil")).map((node) => `${node.id} ${node.getAttribute("data-sitestencil")}`);
  const found = marked();
  const highlighted = [.../** @type {any} */ (page.window).CSS.highlights.get("sitestencil-content") ?? []].map((range) => String(range));
  ask("show", ORIGINAL);
  assert.deepEqual(plain(marked()), []);
  return [...plain(found), ...highlighted];
}

const WRAPPED = "<x-a id=host><template><b id=label>Desk</b><p id=wrapper><slot id=slot></slot></p></template>";
const STORY = "<article class=c id=story>News</article>";

test("what surrounds a slot is no gap where content is drawn in it, and content goes in a slot that stays", () => {
  const isNews = (/** @type {string} */ text) => text === "News";
  const host = WRAPPED.replace("id=host", "id=host class=c");
  // jsdom knows no rules of ours: each element that does not show is marked itself.
  const cases = /** @type {Array<[string, any, string[]]>} */ ([
    [`${WRAPPED}${STORY}</x-a>`, CONTENT, ["host hide", "label gone", "wrapper hide", "slot hide", "story show", "Desk"]],
    [`${WRAPPED}<i id=menu>Menu</i></x-a>${STORY}`, CONTENT, ["host gone", "label hide", "wrapper hide", "slot hide", "menu hide", "story show", "Desk", "Menu"]],
    [`${WRAPPED}${STORY}</x-a>`, TEMPLATE, ["story hide"]],
    [`${WRAPPED}News</x-a>`, CONTENT, ["host show", "label gone", "wrapper hide", "slot show", "Desk"]],
    [`${WRAPPED}News</x-a>`, TEMPLATE, ["host unline", "News"]],
    [`${host}Words</x-a>`, CONTENT, ["host show", "label gone", "wrapper hide", "slot show", "Desk"]],
    [`${host}Words</x-a>`, TEMPLATE, ["host hide", "label show", "wrapper show", "Words"]],
  ]);
  for (const [body, order, expected] of cases) assert.deepEqual(marksOf(body, order, isNews), expected, body);
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test("a copy of marked elements that the page puts in has no marks, in the view and after it", async () => {
  const page = withShadows(`<x-a id=host><template><p><slot></slot></p><b>Desk</b></template>${STORY}</x-a><nav>Menu</nav>`);
  const { document } = page;
  const ask = asker(page);
  ask("snapshot", LIMITS);
  ask("answer", { template: [[0, 3], [4, 7], [8, 9]], content_texts: [] });
  for (const [order, later] of [[TEMPLATE, false], [CONTENT, false], [{ ...CONTENT, reading: "sepia" }, false], [{ ...CONTENT, reading: "sepia" }, true]]) {
    ask("show", order);
    const host = /** @type {Element} */ (document.getElementById("host"));
    const copies = [document.body, host].map((element) => /** @type {Element} */ (element.cloneNode(true)));
    const marks = (/** @type {Element} */ copy) => [copy, ...copy.querySelectorAll("*"), ...(copy.shadowRoot?.querySelectorAll("*") ?? [])].filter((element) => element.getAttributeNames().some((name) => name.startsWith("data-sitestencil")));
    assert.ok(copies.some((copy) => marks(copy).length));
    if (later) ask("show", ORIGINAL);
    const kept = marks(host).length;
    document.documentElement.append(copies[0]);
    document.body.append(copies[1]);
    document.body.append(host);
    await settled();
    assert.deepEqual(copies.map((copy) => marks(copy).length), [0, 0]);
    assert.equal(marks(host).length, kept);
    for (const copy of copies) copy.remove();
  }
  assert.deepEqual(page.messages.filter(({ type }) => type === "undone"), []);
});
