import assert from "node:assert/strict";
import { test } from "node:test";
import { orderOf } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";
import { asker, openPage } from "./page.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
const LIMITS = { elements: 100_000, bytes: 1_000_000 };
const PAGE = '<html><head></head><body><main data-description="show">News</main><dialog></dialog></body></html>';
const LEFT = PAGE.replace("<body", '<body data-abcdefghijk="hide"').replace("<main", '<main data-abcdefghijk="show" data-abcdefghijk-reading="piece"');

/** Makes what Firefox leaves as it ends the scripts: a highlight, and a panel. @type {(window: any, within: string) => void} */
function leave(window, within) {
  window.CSS.highlights.set("abcdefghijk-content", new window.Highlight());
  const roots = new WeakMap();
  Object.defineProperty(window.Element.prototype, "openOrClosedShadowRoot", { get() { return roots.get(this) ?? null; } });
  const host = window.document.createElement("div");
  roots.set(host, host.attachShadow({ mode: "closed" }));
  roots.get(host).innerHTML = '<div role="region" data-abcdefghijk="panel">Comparing</div>';
  window.document.querySelector(within).prepend(host);
}

for (const within of ["html", "dialog"]) {
  test(`marks, highlights and a panel that ended scripts left in ${within} go before the page is read`, () => {
    const { window, document } = openPage(LEFT, { prepare: (window) => leave(window, within) });
    assert.equal(document.documentElement.outerHTML, PAGE);
    assert.equal(window.CSS.highlights.size, 0);
  });
}

test("a copy of a marked element that the page puts in later loses its marks", async () => {
  const page = openPage(LEFT, { prepare: (window) => leave(window, "html") });
  const ask = asker(page);
  ask("snapshot", LIMITS);
  ask("answer", { template: [[0, 4]], content_texts: [] });
  ask("show", orderOf({ name: "template" }));
  page.document.body.insertAdjacentHTML("beforeend", '<p data-abcdefghijk="show">Late</p>');
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(page.document.querySelector("p")?.outerHTML, "<p>Late</p>");
});

test("a page's own attributes stay, also where it has highlights and closed shadow roots", () => {
  const own = PAGE.replace("<body", '<body data-abcdefghijk="hide"');
  const { window, document } = openPage(own, {
    prepare(window) {
      leave(window, "html");
      window.CSS.highlights = new Map([["description", new window.Highlight()]]);
      window.document.querySelector("div").openOrClosedShadowRoot.innerHTML = '<div role="region" data-abcdefghijk="open"></div>';
    },
  });
  assert.equal(document.documentElement.outerHTML, own.replace("<head>", "<div></div><head>"));
  assert.equal(window.CSS.highlights.size, 1);
});
