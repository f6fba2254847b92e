import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, plain } from "./page.js";

const TYPED = 'Zanzibar 4711 "Ümit"';
/** The ways in which pages copy what a person types: scripts do so at each key. @type {Record<string, (field: any, typed: string) => void>} */
const WAYS = {
  "a growing field": (field, typed) => (field.parentNode.dataset.replicatedValue = typed),
  "a value for scripts": (field, typed) => (field.dataset.value = typed),
  "data in JSON": (field, typed) => (field.parentNode.dataset.state = JSON.stringify({ q: typed })),
  "the value's own attribute": (field, typed) => field.setAttribute("value", typed),
  "a title": (field, typed) => (field.title = `You wrote ${typed}.`),
  "a label": (field, typed) => field.setAttribute("aria-label", typed),
  "a placeholder": (field, typed) => (field.placeholder = typed),
  "a style variable": (field, typed) => field.parentNode.setAttribute("style", `--v: '${typed}'`),
  "a link": (field, typed) => (add(field, "a").href = `/search?q=${encodeURIComponent(typed)}`),
  "a link with +": (field, typed) => (add(field, "a").href = `/search?${new URLSearchParams({ q: typed })}`),
  "a link with its own escapes": (field, typed) => add(field, "a").setAttribute("href", `/search?q=${typed}`),
  "an image's address": (field, typed) => (add(field, "img").src = `/image?t=${encodeURIComponent(typed)}`),
  "an image's words": (field, typed) => (add(field, "img").alt = typed),
  "an option": (field, typed) => (add(field, "select").innerHTML = `<option>${typed}`),
  "an output": (field, typed) => (add(field, "output").textContent = `For ${typed}: 3`),
  "a class": (field, typed) => add(field, "p").classList.add(`q-${typed.split(" ")[0]}`, `q-${typed.split(" ")[1]}`),
  "a rule": (field, typed) => (add(field, "style").textContent = `p::after { content: '${typed}' }`),
  "an editable element": (field, typed) => (add(field, "div").innerHTML = `<p contenteditable>${typed}`),
  "an editable element in a shadow root": (field, typed) => (add(field, "div").attachShadow({ mode: "open" }).innerHTML = `<p contenteditable>${typed}</p>`),
  "the page's address": (field, typed) => field.ownerDocument.defaultView.history.replaceState(null, "", `?q=${encodeURIComponent(typed)}`),
};

/** @type {(field: any, name: string) => any} */
function add(field, name) {
  return field.parentNode.appendChild(field.ownerDocument.createElement(name));
}

/** @param {any} page @param {{hides?: PagePart, then?: () => void, contents?: number}} [options] `then`: between the comparison and saving; `contents`: how many texts no other page has */
function captured({ sitestencil, document }, { hides = "content", then = () => {}, contents = 0 } = {}) {
  const { tree, snapshot } = sitestencil.snapshot.take(document);
  const typed = sitestencil.typed.valuesIn(tree);
  const [elements, texts] = [tree.elements.length, tree.texts.length];
  const known = { snapshot: { json: JSON.stringify(snapshot) }, template: [[0, elements]], content_texts: [[texts - contents, texts]] };
  const template = new Uint8Array(elements).fill(1);
  const none = new Uint8Array(texts);
  then();
  return JSON.stringify(plain(sitestencil.capture.take(document, { tree, template, contentTexts: none, rest: template, mainTexts: none, unjudged: new Set(), known, typed }, hides)));
}

for (const [name, copy] of Object.entries(WAYS)) {
  for (const tag of ["input", "textarea"]) {
    test(`what a person typed into ${tag === "input" ? "a field" : "a large field"} goes from ${name}`, () => {
      const page = openPage(`<body><nav>Menu<form><${tag} class=field></${tag}></form></nav>`);
      /** @type {any} */
      const field = page.document.querySelector(".field");
      const typed = name === "a class" ? "Zanzibar-4711" : TYPED;
      field.focus();
      field.value = typed;
      copy(field, typed);
      for (const hides of /** @type {PagePart[]} */ (["content", "rest"])) {
        const text = captured(page, { hides, contents: page.sitestencil.snapshot.take(page.document).tree.texts.length - 1 });
        for (const part of ["Zanzibar", "4711", "mit"]) assert.ok(!text.includes(part), `${part} in ${text}`);
        assert.match(text, /Menu/);
      }
    });
  }
}

test("what the page had before, or other pages have, stays, and a lone word is no part of a longer one", () => {
  const page = openPage("<body class=news><nav title='All news'>Latest news<p>newsletter</p></nav><input value=boats name=q><a href=/news>x</a>");
  /** @type {any} */
  const field = page.document.querySelector("input");
  const type = () => {
    field.value = "news";
    field.insertAdjacentHTML("afterend", "<p title=news>You wrote news, not newsletters</p>");
  };
  const text = captured(page, { then: type });
  for (const part of ["Latest news", "All news", "newsletter", "You wrote , not newsletters", "boats", "/news", "news"]) assert.ok(text.includes(`${part}"`), part);
  assert.match(captured(page), /Latest news.*You wrote news/); // as if all pages had it
  assert.match(captured(page, { contents: 1 }), /"title","All "/); // typed before the comparison: texts of other pages stay alone
});

test("a default that a script wrote counts as typed where the person is", () => {
  const page = openPage("<body><input value='Zanzibar'><p>For Zanzibar</p>");
  assert.match(captured(page, { contents: 1 }), /For Zanzibar/);
  page.document.querySelector("input")?.focus();
  assert.doesNotMatch(captured(page, { contents: 1 }), /For Zanzibar/);
});

test("a number is no part of a longer one, and what no other page was compared on has no text of its own", () => {
  const page = openPage("<title>Harbour</title><body><nav>Menu<input></nav><p>It opened in 2000 and costs 12000, or 20001: /q%3D2000</p><select><option>A</select><div id=host></div>");
  const { document } = page;
  const [field, option, host] = ["input", "option", "#host"].map((one) => /** @type {any} */ (document.querySelector(one)));
  field.value = "2000";
  assert.match(captured(page, { contents: 2 }), /It opened in {2}and costs 12000, or 20001: \/q%3D"/);
  field.value = document.title = option.textContent = "zorblaxi";
  host.attachShadow({ mode: "open" }).innerHTML = "<i>zorblaxi</i>";
  const text = captured(page);
  assert.doesNotMatch(text, /zorblaxi/);
  assert.match(text, /Menu/);
});

test("a page's own value in a field with the focus is not typed where nobody has touched the page", () => {
  const page = openPage("<body><input value=harbour autofocus><p>The harbour</p>");
  page.document.querySelector("input")?.focus();
  page.window.eval("Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } })");
  assert.match(captured(page, { contents: 1 }), /The harbour/);
});

test("values of three characters stay, and many and long ones take bounded time", () => {
  const page = openPage(`<body>${"<input>".repeat(2_000)}<p>A cat</p><p>Zanzibar</p><textarea></textarea>`);
  const [...fields] = page.document.querySelectorAll("input");
  for (const [number, field] of fields.entries()) field.value = `x${number}`;
  fields[0].value = "cat";
  fields[1].value = "Zanzibar";
  const long = "wall ".repeat(20_000);
  /** @type {any} */ (page.document.querySelector("textarea")).value = long;
  page.document.querySelector("p")?.setAttribute("title", long);
  const text = captured(page, { contents: 2 });
  assert.match(text, /A cat/);
  assert.ok(text.length < 200_000);
  assert.doesNotMatch(text, /wall wall/);
});
