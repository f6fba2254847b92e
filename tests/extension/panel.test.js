import assert from "node:assert/strict";
import { test } from "node:test";
import { messagePanel, orderOf } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";
import { asker, byPerson, openPage, panelOf, plain, press } from "./page.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
/** @import { AboutAnswer } from "../../extension/messages.js" */
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
  assert.deepEqual([button("save").textContent, button("close").getAttribute("aria-label")], ["Save as HTML", "Close this panel"]);
  press(button("original"));
  press(button("gaps"));
  assert.deepEqual(plain(page.messages), [{ type: "view", mode: "original" }, { type: "gaps" }]);
  assert.equal(panel.root?.host.isConnected, true);
  press(button("close"));
  assert.equal(panel.root?.host.isConnected, false);
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

test("the panel offers the way first that fits what is wrong, and says so", () => {
  const offered = (/** @type {Partial<AboutAnswer>} */ wrong) => {
    const { panel } = orderOf({ name: "doubtful", sessionLinks: ["/a"], canRender: true, ...wrong });
    const ways = panel?.buttons.map(({ name }) => name).filter((name) => name === "session" || name === "rendered");
    return { ways, sentence: panel?.sentence ?? "" };
  };
  assert.deepEqual(offered({ doubt: "built_by_scripts" }).ways, ["rendered", "session"]);
  assert.match(offered({ doubt: "built_by_scripts" }).sentence, /Open some of its pages in background tabs/);
  assert.deepEqual(offered({ doubt: "needs_login" }).ways, ["session", "rendered"]);
  assert.match(offered({ doubt: "needs_login" }).sentence, /after a login.*compare with your login/);
  assert.deepEqual(offered({ doubt: "not_the_served_page" }).ways, ["session", "rendered"]);
  assert.match(offered({ doubt: "not_the_served_page" }).sentence, /compare with your login.*open some in background tabs/);
  assert.doesNotMatch(offered({ doubt: "built_by_scripts", canRender: false }).sentence, /helps/);
});

test("a collapsed panel leaves a tab alone that opens it again, and both are told; only a person can", () => {
  const page = openPage(HTML);
  const { panel, button } = panelOf(page);
  const names = () => [...(panel.root?.querySelectorAll("button") ?? [])].map((one) => one.getAttribute("name"));
  asker(page)("say", TEMPLATE.panel);
  const all = names();
  button("collapse").click();
  assert.deepEqual(names(), all);
  button("collapse").focus();
  press(button("collapse"));
  assert.deepEqual([names(), panel.root?.textContent?.includes("Template")], [["collapse"], false]);
  assert.equal(panel.root?.activeElement, button("collapse"));
  assert.equal(button("collapse").getAttribute("aria-label"), "Open the Sitestencil panel");
  press(button("collapse"));
  assert.deepEqual(names(), all);
  assert.deepEqual(plain(page.messages), [{ type: "panel", choices: { collapsed: true } }, { type: "panel", choices: { collapsed: false } }]);
});

test("a view's panel opens collapsed once the person collapsed one, but not a question or a message", () => {
  const panel = { collapsed: true };
  assert.equal(orderOf({ name: "content", panel }).panel?.collapsed, true);
  for (const name of /** @type {const} */ (["inspect", "doubtful"])) assert.equal(orderOf({ name, panel }).panel?.collapsed, undefined);
  assert.equal(messagePanel("Text", panel).collapsed, undefined);
});

test("the content's panel collapses when the person scrolls on, and stays so until its tab is pressed", () => {
  const page = openPage(HTML);
  const { panel, button } = panelOf(page);
  const isTab = () => panel.root?.querySelectorAll("button").length === 1;
  const scroll = (/** @type {Element} */ at) => byPerson(at, new page.window.Event("wheel", { bubbles: true, composed: true }));
  const say = (/** @type {"content" | "template"} */ name) => asker(page)("say", orderOf({ name }).panel);
  say("template");
  scroll(page.document.body);
  assert.equal(isTab(), false, "the template's panel stays");
  say("content");
  page.document.body.dispatchEvent(new page.window.Event("wheel", { bubbles: true }));
  scroll(button("close"));
  assert.equal(isTab(), false, "the page itself and scrolling inside the panel change nothing");
  scroll(page.document.body);
  assert.equal(isTab(), true);
  say("content");
  assert.equal(isTab(), true, "parts that load later do not open it");
  press(button("collapse"));
  assert.equal(isTab(), false);
  byPerson(page.document.body, new page.window.KeyboardEvent("keydown", { key: "PageDown", bubbles: true }));
  assert.equal(isTab(), true);
  say("template");
  assert.equal(isTab(), false);
  assert.deepEqual(plain(page.messages), [{ type: "panel", choices: { collapsed: false } }], "scrolling is no choice for other pages");
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
  assert.deepEqual(plain(page.messages.pop()), { type: "panel", choices: { place: { side: "right", edge: "bottom", x: 48, y: 118 } } });
  assert.match(inset(), /48px.*118px/);
  Object.assign(box, { left: 10, top: 5 });
  byPerson(button("move"), key("ArrowUp"));
  assert.deepEqual(plain(page.messages.pop()), { type: "panel", choices: { place: { side: "left", edge: "top", x: 10, y: 0 } } });
});

test("a press on the handle moves the panel to the next corner, and the next panel stands there", () => {
  const page = openPage(HTML);
  const { button, inset } = movable(page);
  press(button("move"));
  const place = { side: "left", edge: "bottom", x: 16, y: 16 };
  assert.deepEqual(plain(page.messages), [{ type: "panel", choices: { place } }]);
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
