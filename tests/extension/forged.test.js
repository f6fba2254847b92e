import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { orderOf, sessionPanel } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";
import { asker, byPerson, openPage, panelOf, plain, press } from "./page.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
const LIMITS = { elements: 100_000, bytes: 1_000_000 };
const HTML = "<!doctype html><body><header id=top>Site</header><main>News<p>Story</main>";
const ANSWER = { template: [[0, 4]], content_texts: [] };

/** @type {Window[]} */
const windows = [];
afterEach(() => windows.splice(0).forEach((window) => window.close()));

/** @param {ViewMode} name */
function shown(name) {
  const page = openPage(HTML);
  windows.push(page.window);
  const { panel, button } = panelOf(page);
  page.window.HTMLCanvasElement.prototype.getContext = () => null;
  page.window.Element.prototype.scrollIntoView = () => {};
  const ask = asker(page);
  ask("snapshot", LIMITS);
  ask("answer", ANSWER, {});
  ask("show", orderOf({ name }));
  const event = (/** @type {string} */ kind, /** @type {string} */ type, rest = {}) =>
    new page.window[kind](type, { bubbles: true, composed: true, cancelable: true, ...rest });
  return { page, panel, button, ask, event, types: () => plain(page.messages).map((/** @type {any} */ { type }) => type) };
}

/** @param {number} ms */
const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

test("a page makes no rule in the inspect view: neither by clicks of its own nor by keys", () => {
  const { page, panel, button, event, types } = shown("inspect");
  const main = /** @type {HTMLElement} */ (page.document.querySelector("main"));
  const host = /** @type {HTMLElement} */ (panel.root?.host);
  main.click();
  main.dispatchEvent(event("MouseEvent", "click"));
  main.dispatchEvent(event("MouseEvent", "mousemove"));
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Escape"]) host.dispatchEvent(event("KeyboardEvent", "keydown", { key }));
  page.document.dispatchEvent(event("KeyboardEvent", "keydown", { key: "Escape" }));
  assert.deepEqual(types(), []);
  assert.equal(host.isConnected, true);
  assert.equal(panel.root?.querySelector("[data-explanation]")?.textContent, "");
  byPerson(main, event("MouseEvent", "click"));
  for (const name of ["only_page", "all_pages"]) button(name).click();
  assert.deepEqual(types(), []);
  press(button("only_page"));
  assert.deepEqual(types(), ["corrected"]);
});

test("a page's own click on a link in the inspect view goes where the page has it go", () => {
  const { page, event } = shown("inspect");
  assert.equal(page.document.querySelector("p")?.dispatchEvent(event("MouseEvent", "click")), true);
});

test("only a person presses the panel's buttons, and only a person allows what is listed", () => {
  const { page, button, ask, types } = shown("template");
  button("content").click();
  ask("say", sessionPanel(["https://example.org/b", "https://example.org/c"]));
  button("allow").click();
  assert.deepEqual(types(), []);
  press(button("allow"));
  assert.deepEqual(plain(page.messages), [{ type: "press", button: "allow", links: ["https://example.org/b", "https://example.org/c"] }]);
});

test("a page that says again and again that it has come back is not believed", async () => {
  const { page, types } = shown("original");
  for (let count = 0; count < 50; count++) page.window.dispatchEvent(new page.window.PageTransitionEvent("pageshow", { persisted: true }));
  await pass(20);
  assert.deepEqual(types(), []);
});

test("what a page can cause is told at most once a second, the last word last", async () => {
  const { page, ask } = shown("original");
  const comesBack = () => {
    const event = new page.window.Event("pageshow");
    Object.defineProperty(event, "persisted", { value: true });
    byPerson(page.window, event);
  };
  for (let count = 0; count < 50; count++) comesBack();
  ask("show", orderOf({ name: "content" }));
  await pass(1_100);
  assert.deepEqual(plain(page.messages), [{ type: "returned" }, { type: "returned" }]);
});

test("a page does not end the work on itself by saying that it goes", () => {
  const page = openPage(HTML);
  windows.push(page.window);
  asker(page)("snapshot", LIMITS);
  page.window.dispatchEvent(new page.window.Event("pagehide"));
  assert.equal(page.ports[0].open, true);
});

test("neither forged events nor a page that scrolls itself have later looks come sooner; a person's wheel does", async () => {
  const { page, ask, event } = shown("template");
  const add = () => page.document.querySelector("main")?.append(page.document.createElement("p"));
  const watched = async (/** @type {() => void} */ meanwhile) => {
    ask("grown");
    ask("judged", { about: {}, order: orderOf({ name: "template" }) });
    const before = page.messages.length;
    meanwhile();
    add();
    await pass(450);
    return page.messages.length - before;
  };
  assert.equal(await watched(() => {}), 1);
  await pass(1_000);
  const forge = () => {
    for (const name of ["scroll", "wheel", "touchmove", "pointerdown", "keydown"]) page.document.body.dispatchEvent(event("Event", name));
    byPerson(page.document, event("Event", "scroll"));
  };
  assert.equal(await watched(forge), 0);
  await pass(1_000);
  assert.equal(await watched(() => byPerson(page.document.body, event("Event", "wheel"))), 1);
});
