import assert from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { openPage } from "./page.js";

const { addresses, save } = openPage("").sitestencil;
const BASE = "https://example.org/news/a.html";

/**
 * The saved file of a page in which what has the class `c` is content, and text with an asterisk too.
 * @param {string | ReturnType<typeof openPage>} page
 */
function saved(page) {
  const { sitestencil, document } = typeof page === "string" ? openPage(page) : page;
  const { tree } = sitestencil.snapshot.take(document);
  /** @type {number[]} */
  const template = [];
  for (const [index, node] of tree.elements.entries()) {
    const names = sitestencil.dom.isShadowRoot(node) ? [] : sitestencil.dom.get(node, "class").split(" ");
    template.push(names.includes("t") ? 1 : names.includes("c") ? 0 : index ? template[tree.parents[index]] : 1);
  }
  const contentTexts = tree.texts.map(({ node, parent }) => Number(template[parent] && node.data.includes("*")));
  return sitestencil.save.html(document, {
    tree,
    template: Uint8Array.from(template),
    contentTexts: Uint8Array.from(contentTexts),
    url: document.URL,
  });
}

/** @param {string} html */
const body = (html) => html.slice(html.indexOf("<body>") + 6, html.indexOf("</body>"));

test("content goes, and the containers that held it stay", () => {
  assert.equal(body(saved("<body><header>Site</header><main><p class=c>News</p></main>")), "<header>Site</header><main></main>");
});

test("content around template stays as a container without its own text", () => {
  assert.equal(body(saved("<body><div class=c>News<p>more</p><nav class=t>Menu</nav></div>")), '<div class="c"><nav class="t">Menu</nav></div>');
});

test("content text in a template element goes", () => {
  assert.equal(body(saved("<body><p>By <b>line</b>*Jane</p>")), "<p>By <b>line</b></p>");
});

test("nodes that came after the detection are what the node above them is", () => {
  const page = openPage("<body><nav>Menu</nav><main class=c></main>");
  const { sitestencil, document } = page;
  const { tree } = sitestencil.snapshot.take(document);
  document.querySelector("nav")?.append(document.createElement("hr"));
  document.querySelector("main")?.append(document.createElement("video"));
  const known = { tree, template: Uint8Array.from([1, 1, 1, 1, 0]), contentTexts: Uint8Array.from([0]), url: document.URL };
  assert.equal(body(sitestencil.save.html(document, known)), "<nav>Menu<hr></nav>");
});

test("the file says its encoding and title first, keeps its doctype, and what the head says of this page alone goes", () => {
  const html = saved(`<!doctype html><head><base href=/sub/><title>News</title><meta charset=latin1><meta name=description content=News>
    <meta name=viewport content=w><meta http-equiv=refresh content=3><link rel=canonical href=/x><link rel=stylesheet href=s.css integrity=x crossorigin></head>`);
  assert.match(html, /^<!DOCTYPE html>\n<html><head><meta charset="utf-8">\n<title>Template of example.org<\/title>/);
  assert.match(html, /<link rel="stylesheet" href="https:\/\/example.org\/sub\/s.css">/);
  assert.match(html, /<meta name="viewport" content="w">/);
  assert.doesNotMatch(html, /News|latin1|refresh|canonical|<base|integrity|crossorigin/);
});

test("a public doctype is written whole", () => {
  const html = saved('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><p>x');
  assert.match(html, /^<!DOCTYPE html PUBLIC "-\/\/W3C\/\/DTD XHTML 1.0 Strict\/\/EN" "http:\/\/www.w3.org\/TR\/xhtml1\/DTD\/xhtml1-strict.dtd">\n/);
});

test("scripts go, in elements, handlers and addresses", () => {
  const html = saved(`<body onload="x()"><a href="java&#10;script:x()" onclick="x()">A</a><script>x()</script><noscript>x()</noscript><p>B`);
  assert.match(html, /<body><a href="#">A<\/a><p>B<\/p>/);
  assert.doesNotMatch(html, /x\(\)/);
});

test("addresses are absolute, wherever they stand", () => {
  const html = saved(`<body style="background:url(b.png)"><a href="?q">A</a><a href="#top">T</a><img src=i.png srcset="i.png 1x, /j,k.png 2x"><video poster=p.png></video>
    <form action=go><button formaction=other></button></form><style>p{background:url( 'c.png' )} @import "d.css";</style>`);
  for (const part of ['url(&quot;https://example.org/news/b.png&quot;)', 'href="https://example.org/news/a.html?q"', 'href="#top"', 'src="https://example.org/news/i.png"', 'srcset="https://example.org/news/i.png 1x, https://example.org/j,k.png 2x"', 'poster="https://example.org/news/p.png"', 'action="https://example.org/news/go"', 'formaction="https://example.org/news/other"', 'url( "https://example.org/news/c.png" )', '@import "https://example.org/news/d.css"']) {
    assert.ok(html.includes(part), `${part} in ${html}`);
  }
});

test("forms are saved as they are filled in, but for passwords and other secrets", () => {
  const page = openPage(`<body><input id=a value=old><input id=b type=password value=old><input id=c type=checkbox><input id=d autocomplete="cc-number">
    <select><option selected>One<option id=e>Two</select><textarea id=f>old</textarea>`);
  const field = (/** @type {string} */ id) => /** @type {any} */ (page.document.getElementById(id));
  for (const id of "abdf") field(id).value = `new ${id} <`;
  field("c").checked = true;
  field("e").selected = true;
  const html = saved(page);
  assert.match(html, /<input id="a" value="new a &lt;">/);
  assert.match(html, /<input id="b" type="password">/);
  assert.match(html, /<input id="c" type="checkbox" checked="">/);
  assert.match(html, /<option>One<\/option><option id="e" selected="">Two<\/option>/);
  assert.match(html, /<textarea id="f">new f &lt;<\/textarea>/);
  assert.doesNotMatch(html, /new [bd]/);
  assert.equal(field("a").getAttribute("value"), "old");
});

test("rules that scripts have put into a style element are saved", () => {
  const page = openPage("<head><style id=s>p { color: red; }</style></head>");
  /** @type {any} */ (page.document.getElementById("s")).sheet.insertRule("b { color: blue; }");
  assert.match(saved(page), /b { color: blue; }\np { color: red; }/);
});

test("an open shadow root is saved as a template element in its host", () => {
  const page = openPage("<body><x-card><i>light</i></x-card>");
  const root = /** @type {Element} */ (page.document.querySelector("x-card")).attachShadow({ mode: "open" });
  root.append(page.document.createElement("slot"), Object.assign(page.document.createElement("p"), { className: "c", textContent: "News" }));
  assert.equal(body(saved(page)), '<x-card><template shadowrootmode="open"><slot></slot></template><i>light</i></x-card>');
});

test("a frame of the same origin is saved with its own template in it", () => {
  const page = openPage("<body><iframe></iframe>");
  const frame = /** @type {any} */ (page.document.querySelector("iframe"));
  frame.contentDocument.body.append("Menu ", Object.assign(frame.contentDocument.createElement("p"), { className: "c", textContent: "News" }));
  const html = saved(page);
  assert.match(html, /<iframe srcdoc="&lt;html&gt;.*Menu/);
  assert.doesNotMatch(html, /News/);
});

test("what is saved parses back to the tree that was kept", () => {
  const page = openPage(`<!doctype html><body><pre>\n\nx &amp; y\u00a0&lt;</pre><svg viewBox="0 0 1 1"><linearGradient id=g></linearGradient></svg>
    <template><b title='"'>in</b></template><textarea>\n\nx</textarea><style>a::after{content:"<\\/style>"}</style><table><tr><td>x</table>`);
  const again = new JSDOM(saved(page)).window.document;
  assert.equal(again.body.innerHTML.trimEnd(), page.document.body.innerHTML.trimEnd());
  assert.equal(again.querySelector("pre")?.textContent, "\nx & y\u00a0<");
  assert.equal(again.querySelector("linearGradient")?.localName, "linearGradient");
});

test("saving changes nothing in the page", () => {
  const page = openPage("<!doctype html><body><input value=a><iframe></iframe><p class=c>x");
  const before = page.document.documentElement.outerHTML;
  saved(page);
  assert.equal(page.document.documentElement.outerHTML, before);
});

test("the file's name is host and title, without what systems do not take", () => {
  assert.equal(save.fileName("example.org", "A/B: \"news\"\n?"), "example.org - A B news - template.html");
  assert.equal(save.fileName("example.org", ""), "example.org - template.html");
  assert.equal(save.fileName("", "..."), "page - template.html");
  assert.equal(save.fileName("example.org", `${"\u{1f600}".repeat(200)}`).includes("\ufffd"), false);
  assert.ok(save.fileName("example.org", "x".repeat(500)).length < 130);
});

test("a srcset is read by the standard's rules", () => {
  assert.equal(addresses.sourceSet("a.png, b.png 2x ,c.png 3x", BASE), "https://example.org/news/a.png, https://example.org/news/b.png 2x, https://example.org/news/c.png 3x");
  assert.equal(addresses.sourceSet("data:image/png;base64,AA== 1x", BASE), "data:image/png;base64,AA== 1x");
  assert.equal(addresses.sourceSet("", BASE), "");
});

test("addresses within the document and inline data stay", () => {
  assert.equal(addresses.css("fill: url(#g); background: url(data:image/png;base64,AA)", BASE), 'fill: url("#g"); background: url("data:image/png;base64,AA")');
  assert.equal(addresses.absolute("  ", BASE), "  ");
  assert.equal(addresses.absolute("http://[", BASE), "http://[");
});
