import assert from "node:assert/strict";
import { test } from "node:test";
import { messagePanel, orderOf } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";
import { asker, byPerson, openPage, panelOf, plain, press } from "./page.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
const LIMITS = { elements: 100_000, bytes: 1_000_000 };
const HTML = "<!doctype html><body><header>Site</header><main>News<nav>Menu</nav></main>";
const ANSWER = { template: [[0, 4], [5, 6]], content_texts: [] };
const TEMPLATE = orderOf({ name: "template" });

test("the panel is a region with a name, in its language and direction; Escape closes it, and gives the focus back", () => {
  const page = openPage(HTML.replace("News", "<input id=field>"));
  const ask = asker(page);
  const { panel, button } = panelOf(page);
  const field = /** @type {HTMLElement} */ (page.document.getElementById("field"));
  const open = () => ask("say", { ...orderOf({ name: "template" }).panel, direction: "rtl" });
  open();
  const region = panel.root?.querySelector("[role=region]");
  assert.deepEqual([region?.getAttribute("aria-label"), panel.root?.host.getAttribute("dir")], ["Sitestencil", "rtl"]);
  assert.equal(button("template").getAttribute("aria-pressed"), "true");
  field.focus();
  button("gaps").focus();
  assert.match(button("gaps").style.outline, /solid/);
  open();
  assert.equal(panel.root?.activeElement, button("gaps"), "the focus stays when the content changes");
  byPerson(button("gaps"), new page.window.KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true }));
  assert.equal(panel.root?.host.isConnected, false);
  assert.equal(page.document.activeElement, field);
  open();
  byPerson(page.document.body, new page.window.KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  assert.equal(panel.root?.host.isConnected, false);
});

test("the panel's buttons lead to a view mode, act, or close it", () => {
  const page = openPage(HTML);
  const ask = asker(page);
  const { panel, button } = panelOf(page);
  ask("snapshot", LIMITS);
  ask("answer", ANSWER);
  ask("show", TEMPLATE);
  press(button("menu"));
  assert.deepEqual([button("save").textContent, button("close").getAttribute("aria-label")], ["Save as HTML", "Close this panel"]);
  press(button("original"));
  press(button("gaps"));
  assert.deepEqual(plain(page.messages), [{ type: "press", button: "original" }, { type: "press", button: "gaps" }]);
  assert.equal(panel.root?.host.isConnected, true);
  press(button("close"));
  assert.equal(panel.root?.host.isConnected, false);
});

test("the menu opens and closes by its button, Escape, a press in the page and a change of the view, and stays for its switches", () => {
  const page = openPage(HTML);
  const { panel, button } = panelOf(page);
  const { KeyboardEvent, Event } = page.window;
  const say = (/** @type {any} */ state) => asker(page)("say", orderOf(state).panel);
  const isOpen = () => {
    const items = /** @type {HTMLElement | null | undefined} */ (panel.root?.querySelector("[data-menu]"));
    assert.equal(button("menu").getAttribute("aria-expanded"), String(items?.style.display !== "none"));
    return items?.style.display !== "none";
  };
  const ways = {
    button: () => press(button("menu")),
    Escape: () => byPerson(page.document.body, new KeyboardEvent("keydown", { key: "Escape", bubbles: true })),
    page: () => byPerson(page.document.body, new Event("pointerdown", { bubbles: true })),
    view: () => (press(button("template")), say({ name: "template" })),
  };
  for (const [name, way] of Object.entries(ways)) {
    say({ name: "content" });
    assert.equal(isOpen(), false, name);
    button("menu").click();
    assert.equal(isOpen(), false, "a page opens no menu");
    press(button("menu"));
    assert.equal(isOpen(), true, name);
    button("reading_sepia").focus();
    press(button("reading_sepia"));
    say({ name: "content", reading: "sepia" });
    assert.deepEqual([isOpen(), panel.root?.activeElement], [true, button("reading_sepia")], name);
    way();
    assert.equal(isOpen(), false, name);
    if (name !== "view") assert.equal(panel.root?.activeElement, button("menu"), "the focus does not stay on what is hidden");
  }
  assert.equal(panel.root?.host.isConnected, true);
});

test("where the system forces its colours, a pressed button has those of what is chosen", () => {
  for (const matches of [true, false]) {
    const page = openPage(HTML);
    /** @type {any} */ (page.window).matchMedia = (/** @type {string} */ query) => ({ matches: matches && query === "(forced-colors: active)" });
    const { button } = panelOf(page);
    asker(page)("say", TEMPLATE.panel);
    assert.equal(button("template").getAttribute("aria-pressed"), "true");
    assert.equal(/highlighttext/i.test(button("template").style.color), matches);
    assert.doesNotMatch(button("content").style.color, /highlight/i);
  }
});

test("of a guess, the first button is the one that helps; a login is first only where the site shows one", () => {
  const SITE = { sessionLinks: ["/a"], canRender: true, canLoadMore: true };
  const ways = (/** @type {Partial<AboutAnswer>} */ about) => orderOf({ name: "doubtful", ...about }).panel?.buttons.map(({ name, main }) => (main ? `${name}!` : name));
  assert.deepEqual(ways({ ...SITE, doubt: "needs_login" }), ["session!", "rendered", "more", "template", "original"]);
  for (const doubt of /** @type {const} */ (["built_by_scripts", "not_the_served_page"])) assert.deepEqual(ways({ ...SITE, doubt }), ["rendered!", "session", "more", "template", "original"]);
  for (const doubt of /** @type {const} */ (["no_similar_page", "nothing_loaded", "unsure"])) assert.equal(ways({ ...SITE, doubt })?.[0], "more!");
  assert.deepEqual(ways({ doubt: "alone", asked: "content" }), ["content!", "original"]);
  const surely = /** @type {const} */ ({ name: "doubtful", doubt: "no_similar_page", mainConfidence: 0.98, canLoadMore: true });
  const labels = (/** @type {Partial<AboutAnswer>} */ about) => orderOf({ ...surely, ...about }).panel?.buttons.map(({ name, label }) => [name, label]);
  assert.deepEqual(labels({})?.slice(1), [["content", "Content"], ["template", "Show anyway"], ["original", "Cancel"]]);
  assert.deepEqual(labels({ mainConfidence: 0.5, asked: "content" })?.slice(1), [["content", "Show anyway"], ["original", "Cancel"]]);
});

/** A page with an open panel of a fixed size at a place. @param {any} page */
function movable(page) {
  const { panel, button } = panelOf(page);
  const box = { left: 900, top: 600, width: 100, height: 50 };
  page.sitestencil.dom.rect = () => box;
  Object.assign(page.window, { innerWidth: 1024, innerHeight: 768 });
  asker(page)("say", TEMPLATE.panel);
  const inset = () => /** @type {HTMLElement | null | undefined} */ (panel.root?.querySelector("[role=region]"))?.style.inset ?? "";
  return { box, button, inset };
}

test("arrow keys on the handle move the panel within the window, and its place is told from the nearest corner", () => {
  const page = openPage(HTML);
  const { box, button, inset } = movable(page);
  const key = (/** @type {string} */ name) => new page.window.KeyboardEvent("keydown", { key: name, bubbles: true, composed: true, cancelable: true });
  button("move").dispatchEvent(key("ArrowLeft"));
  assert.deepEqual(page.messages, []);
  byPerson(button("move"), key("ArrowLeft"));
  assert.deepEqual(plain(page.messages.pop()), { type: "panel", place: { side: "right", edge: "bottom", x: 48, y: 118 } });
  assert.match(inset(), /48px.*118px/);
  Object.assign(box, { left: 10, top: 5 });
  byPerson(button("move"), key("ArrowUp"));
  assert.deepEqual(plain(page.messages.pop()), { type: "panel", place: { side: "left", edge: "top", x: 10, y: 0 } });
});

test("a press on the handle moves the panel to the next corner, and the next panel stands there", () => {
  const page = openPage(HTML);
  const { button, inset } = movable(page);
  press(button("move"));
  const place = { side: "left", edge: "bottom", x: 16, y: 16 };
  assert.deepEqual(plain(page.messages), [{ type: "panel", place }]);
  const before = inset();
  press(button("close"));
  asker(page)("say", messagePanel("A sentence."));
  assert.equal(inset(), before);
  asker(page)("say", { ...messagePanel("A sentence."), place: { side: "right", edge: "top", x: 1, y: 2 } });
  assert.notEqual(inset(), before);
});

test("neither the panel's sentence nor its labels are reordered", () => {
  const page = openPage(HTML);
  const { panel, button } = panelOf(page);
  const content = /** @type {any} */ (TEMPLATE.panel);
  const buttons = [{ name: "save", label: "S\u202eave", description: "Sa\u2066ve it" }];
  const shown = () => panel.root?.querySelector("[role=status]")?.textContent;
  for (const end of ["1", "2"]) {
    asker(page)("say", { ...content, buttons, sentence: `a\u202eb\u0007${end}` });
    assert.deepEqual([shown(), button("save").textContent, button("save").title], [`ab${end}`, "Save", "Save it"]);
  }
});
