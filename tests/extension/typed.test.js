import assert from "node:assert/strict";
import { test } from "node:test";
import { byPerson, openPage, plain } from "./page.js";

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

/** A person types: scripts' own events are not trusted. @type {(field: any, value?: string) => void} */
function type(field, value = "") {
  if (value) field.value = value;
  byPerson(field, new field.ownerDocument.defaultView.Event("input", { bubbles: true, composed: true }));
}

/** @type {(field: any, name: string) => any} */
function add(field, name) {
  return field.parentNode.appendChild(field.ownerDocument.createElement(name));
}

/**
 * The ways in which pages draw what a person types themselves: what is typed, and what is gone.
 * @type {Record<string, [typed: string, draw: (field: any, place: any, page: any) => void, gone: RegExp]>}
 */
const DRAWN = {
  "a text for each letter": ["annasecret", (field, place) => place.append(...field.value), /"e"|sec/],
  "a short word's letters": ["anna", (field, place) => place.append(...field.value), /-1,"n"/],
  "groups of digits": ["4111222233334444", (field, place) => (place.innerHTML = field.value.replace(/.{4}/g, "<i>$&</i> ")), /4111|2222|3333/],
  "groups of digits in one value": ["4111222233334444", (_, place) => (place.title = "4111 2222-3333 4444"), /4111|2222|3333/],
  "a preview of Markdown": ["anna_secret_here", (_, place) => (place.innerHTML = "anna<b>secret</b>here"), /anna|secret|here/],
  "an address in an address": ["anna secret", (_, place) => (place.innerHTML = `<a href="/in?next=${encodeURIComponent("/q?a=anna%20secret")}">in</a>`), /secret/],
  "an address in two more": ["anna sécret", (_, place) => (place.innerHTML = `<a href="/in?next=${encodeURIComponent(encodeURIComponent("/q?a=anna+s%C3%A9cret"))}">in</a>`), /anna|cret/],
  "a field that an editor empties": ["anna", (field, place) => ([place.textContent, field.value] = ["anna: 73", ""]), /anna|73/],
  "a frame of a designer": ["", (_, place) => frameIn(place, "anna"), /anna/],
  "a field in a closed shadow root": ["", (_, place, page) => closedIn(place, page, "<input value=annasecret>"), /annasecret/],
  "an editable element in a closed shadow root": ["", (_, place, page) => closedIn(place, page, "<p contenteditable>annasecret</p>"), /annasecret/],
};

/** @type {(place: any, text: string) => void} */
function frameIn(place, text) {
  const frame = place.appendChild(place.ownerDocument.createElement("iframe"));
  frame.contentDocument.body.append(text);
  frame.contentDocument.body.dataset.mode = "on";
}

/** @type {(place: any, page: any, html: string) => void} */
function closedIn(place, { window }, html) {
  place.innerHTML = "<x-field data-text=annasecret></x-field>";
  const root = place.firstChild.attachShadow({ mode: "closed" });
  root.innerHTML = html;
  window.browser.dom = { openOrClosedShadowRoot: (/** @type {any} */ host) => (host === place.firstChild ? root : null) };
  type(root.firstChild);
}

/** @param {any} page @param {{hides?: PagePart, then?: () => void, contents?: number}} [options] `then`: between the comparison and saving; `contents`: how many texts no other page has */
function captureOf({ sitestencil, document }, { hides = "content", then = () => {}, contents = 0 } = {}) {
  const { tree, snapshot } = sitestencil.snapshot.take(document);
  const typed = sitestencil.typed.valuesIn(tree);
  const [elements, texts] = [tree.elements.length, tree.texts.length];
  const known = { snapshot: { json: JSON.stringify(snapshot) }, template: [[0, elements]], content_texts: [[texts - contents, texts]] };
  const template = new Uint8Array(elements).fill(1);
  const none = new Uint8Array(texts);
  then();
  return sitestencil.capture.take(document, { tree, template, contentTexts: none, rest: template, mainTexts: none, unjudged: new Set(), known, typed }, hides);
}

/** @type {(...parameters: Parameters<typeof captureOf>) => string} */
const captured = (...parameters) => JSON.stringify(plain(captureOf(...parameters).capture));

for (const [name, copy] of Object.entries(WAYS)) {
  for (const tag of ["input", "textarea"]) {
    test(`what a person typed into ${tag === "input" ? "a field" : "a large field"} goes from ${name}`, () => {
      const page = openPage(`<body><nav>Menu<form><${tag} class=field></${tag}></form></nav>`);
      /** @type {any} */
      const field = page.document.querySelector(".field");
      const typed = name === "a class" ? "Zanzibar-4711" : TYPED;
      type(field, typed);
      copy(field, typed);
      for (const hides of /** @type {PagePart[]} */ (["content", "rest"])) {
        const text = captured(page, { hides, contents: page.sitestencil.snapshot.take(page.document).tree.texts.length - 1 });
        for (const part of ["Zanzibar", "4711", "mit"]) assert.ok(!text.includes(part), `${part} in ${text}`);
        assert.match(text, /Menu/);
      }
    });
  }
}

for (const [name, [typed, draw, gone]] of Object.entries(DRAWN)) {
  for (const isEarly of [true, false]) {
    test(`what a person typed goes from ${name}, ${isEarly ? "before" : "after"} the comparison`, () => {
      const page = openPage("<body id=n><nav>Menu</nav><div><textarea></textarea><div class=place></div></div>");
      const [field, place] = ["textarea", ".place"].map((one) => page.document.querySelector(one));
      const write = () => {
        if (typed) type(field, typed);
        draw(field, place, page);
      };
      if (isEarly) write();
      const text = captured(page, isEarly ? { contents: page.sitestencil.snapshot.take(page.document).tree.texts.length - 1 } : { then: write });
      assert.doesNotMatch(text, gone);
      assert.match(text, /Menu/);
    });
  }
}

const SENTENCE = "The harbour of the harbour town is older than the harbour itself.";

test("what a script put into a field, or what nobody has touched, cuts nothing", () => {
  const page = openPage(`<body><input><input readonly><div contenteditable>${SENTENCE}</div><p>The harbour</p>`);
  const [field, fixed] = /** @type {any[]} */ ([...page.document.querySelectorAll("input")]);
  field.value = fixed.value = "harbour";
  fixed.focus();
  let inputs = 0;
  page.window.performance.eventCounts = { get: () => inputs };
  for (const later of [0, 1]) {
    const text = captured(page, { contents: 2, then: () => (inputs = later) });
    assert.match(text, /The harbour"/);
    assert.ok(text.includes(SENTENCE));
  }
});

for (const kind of ["type=PASSWORD", "autocomplete=username", "autocomplete='section-a new-password'", "autocomplete=cc-number", "autocomplete=one-time-code"]) {
  test(`a secret that a tool fills in by a script, into a field with ${kind}, goes from all that the page made of it`, () => {
    const page = openPage(`<body><nav>Menu<input ${kind}></nav><p>For annasecret</p>`);
    /** @type {any} */
    const field = page.document.querySelector("input");
    field.value = "annasecret";
    field.dispatchEvent(new page.window.Event("input", { bubbles: true }));
    WAYS["data in JSON"](field, field.value);
    const text = captured(page, { contents: 1 });
    assert.doesNotMatch(text, /annasecret/);
    assert.match(text, /Menu.*For /);
  });
}

test("what a person typed goes where the page puts new fields in the place of its old ones", () => {
  for (const isEarly of [true, false]) {
    const page = openPage("<body><nav>Menu<form><input></form></nav><p class=out>You wrote </p>");
    const [form, out] = ["form", ".out"].map((one) => /** @type {any} */ (page.document.querySelector(one)));
    const write = () => {
      for (const typed of ["anna", "annasec", "annasecret"]) {
        type(form.firstChild, typed);
        form.innerHTML = `<input value="${typed}">`;
        out.firstChild.data = `You wrote ${typed}`;
      }
    };
    if (isEarly) write();
    const text = captured(page, isEarly ? { contents: 1 } : { then: write, contents: 1 });
    assert.doesNotMatch(text, /anna|sec/);
    assert.match(text, /Menu.*You wrote /);
  }
});

test("what a person typed into a field that is gone, and no field has any more, is the page's word", () => {
  const page = openPage("<body><nav>Menu<input></nav><p>The harbour</p>");
  type(page.document.querySelector("input"), "harbour");
  page.document.querySelector("input")?.remove();
  assert.match(captured(page, { contents: 1 }), /The harbour/);
});

test("a word stays that the page's own sentences have often", () => {
  const page = openPage(`<body><input><p>${SENTENCE}</p><p>The town</p><p>The harbour</p>`);
  type(page.document.querySelector("input"), "harbour");
  assert.doesNotMatch(captured(page, { contents: 3 }), /harbour/);
  page.document.body.insertAdjacentHTML("beforeend", `<p>${SENTENCE}</p>`);
  assert.equal(captured(page, { contents: 4 }).split("harbour").length - 1, 7);
});

test("it tells what it cuts, and what it keeps", () => {
  const page = openPage(`<body><input><p>${SENTENCE}</p><p>${SENTENCE}</p><p class=last>Quiet</p>`);
  const news = () => plain(captureOf(page, { contents: 3 }).cut.news());
  assert.deepEqual(news(), []);
  type(page.document.querySelector("input"), "harbour");
  assert.deepEqual(news(), ["kept"]);
  page.document.querySelector(".last")?.setAttribute("contenteditable", "");
  assert.deepEqual(news(), ["kept", "cut"]);
});

test("many fields and lines hide nothing that was typed", () => {
  const page = openPage(`<body><textarea></textarea><input><p>Hello annasecret</p>${"<input>".repeat(250)}`);
  const [field, ...others] = /** @type {any[]} */ ([...page.document.querySelectorAll("input")]);
  for (const [number, other] of others.entries()) other.value = `the long value of a row ${number}`;
  type(field, "annasecret");
  type(page.document.querySelector("textarea"), Array.from({ length: 250 }, (_, number) => `a long line ${number}`).join("\n"));
  assert.doesNotMatch(captured(page, { contents: 1 }), /annasecret/);
});

test("what the page had before, or other pages have, stays, and a lone word is no part of a longer one", () => {
  const page = openPage("<body class=news><nav title='All news'>Latest news<p>newsletter</p></nav><input value=boats name=q><a href=/news>x</a>");
  /** @type {any} */
  const field = page.document.querySelector("input");
  const then = () => {
    type(field, "news");
    field.insertAdjacentHTML("afterend", "<p title=news>You wrote news, not newsletters</p>");
  };
  const text = captured(page, { then });
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
  type(field, "2000");
  assert.match(captured(page, { contents: 2 }), /It opened in {2}and costs 12000, or 20001: \/q%3D"/);
  field.value = document.title = option.textContent = "zorblaxi";
  host.attachShadow({ mode: "open" }).innerHTML = "<i>zorblaxi</i>";
  const text = captured(page);
  assert.doesNotMatch(text, /zorblaxi/);
  assert.match(text, /Menu/);
});

test("a page's own value in a field with the focus is not typed where nobody has typed", () => {
  const page = openPage("<body><input value=harbour autofocus><p>The harbour</p>");
  page.document.querySelector("input")?.focus();
  page.window.performance.eventCounts = new Map([["input", 0]]);
  assert.match(captured(page, { contents: 1 }), /The harbour/);
});

test("values of three characters stay, and many and long ones take bounded time", () => {
  const page = openPage(`<body>${"<input>".repeat(2_000)}<p>A cat</p><p>Zanzibar</p><textarea></textarea>`);
  const [...fields] = page.document.querySelectorAll("input");
  for (const [number, field] of fields.entries()) type(field, `x${number}`);
  type(fields[0], "cat");
  type(fields[1], "Zanzibar");
  const long = "wall ".repeat(20_000);
  type(page.document.querySelector("textarea"), long);
  page.document.querySelector("p")?.setAttribute("title", long);
  const text = captured(page, { contents: 2 });
  assert.match(text, /A cat/);
  assert.ok(text.length < 200_000);
  assert.doesNotMatch(text, /wall wall/);
});
