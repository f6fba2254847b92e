import assert from "node:assert/strict";
import { test } from "node:test";
import { orderOf } from "../../extension/background/panels.js";
import { i18n } from "./i18n.js";
import { asker, correct, openPage, panelOf, plain, press } from "./page.js";
import { TAB, browserWith } from "./tab.js";

/** @type {any} */ (globalThis).browser = { i18n: i18n() };
const LIMITS = { elements: 100_000, bytes: 1_000_000 };
const SOON_MS = 300; // as in later.js
const HTML = "<!doctype html><body id=body><header id=header>Site</header><main id=main><p id=p>News</main>";
const ANSWER = { template: [[0, 5]], content_texts: [], scores: [Buffer.from([9, 9, 9, 9, 8, 7]).toString("base64")] };

/** @param {Document} document */
const marks = (document) =>
  [...document.querySelectorAll("[data-sitestencil]")].map((element) => `${element.id}: ${element.getAttribute("data-sitestencil")}`);

/** A page whose template shows, into which something has come. */
function grownPage(mode = "template") {
  const page = openPage(HTML);
  const { panel, button } = panelOf(page);
  page.window.HTMLCanvasElement.prototype.getContext = () => null;
  const ask = asker(page);
  ask("snapshot", LIMITS);
  ask("answer", ANSWER, { confidence: 0.9 });
  ask("show", orderOf(/** @type {any} */ ({ name: mode })));
  const later = page.document.createElement("p");
  later.id = "later";
  later.append("More");
  page.document.getElementById("main")?.append(later);
  return { page, panel, button, ask, later };
}

test("what comes into a page of which a part is hidden is told once, and not what its panel does", async () => {
  const { page, ask, later } = grownPage();
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.deepEqual(plain(page.messages), [{ type: "grown" }]);
  ask("show", orderOf({ name: "original" }));
  later.after("bare words");
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.equal(page.messages.length, 1);
  assert.equal(ask("grown", LIMITS), null);
});

test("a view that has lost its text is told of soon, by colours too, however long what is new has to wait", async () => {
  const changes = {
    "a new text": (/** @type {Document} */ { body }) => body.append("Bare words"),
    "a class": (/** @type {Document} */ { body }) => (body.className = "dark"),
  };
  for (const [name, change] of Object.entries(changes)) {
    const { page, ask, later } = grownPage();
    for (let shows = 0; shows < 6; shows++) {
      ask("show", orderOf({ name: "template" }));
      later.append("More");
      await new Promise((resolve) => setTimeout(resolve));
    }
    await new Promise((resolve) => setTimeout(resolve, 400));
    change(page.document);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.deepEqual(plain(page.messages), [], name);
    page.sitestencil.view.isBlank = () => true;
    change(page.document);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.deepEqual(plain(page.messages), [{ type: "grown" }], name);
    ask("show", orderOf({ name: "original" }));
  }
});

test("a page that has grown is told without marks, with what was sent and said before, and its marks stay", () => {
  const { page, ask } = grownPage();
  assert.deepEqual(marks(page.document), ["p: hide"]);
  const { mode, about, known, now } = ask("grown", LIMITS);
  assert.deepEqual([mode, about], ["template", { confidence: 0.9 }]);
  assert.deepEqual([JSON.parse(known.snapshot.json).tags.length, known.template, known.scores], [6, [[0, 5]], ANSWER.scores[0]]);
  assert.equal(JSON.parse(now.json).tags.length, 7);
  assert.doesNotMatch(now.json, /data-sitestencil"/);
  assert.deepEqual(marks(page.document), ["p: hide"]);
});

test("what came later is what the answer about it says; what was there stays as it was", () => {
  const { page, panel, ask } = grownPage();
  ask("grown", LIMITS);
  // The answer about the whole page is another one on what was known: that does not count.
  const about = { confidence: 0.9, later: /** @type {const} */ ("judged") };
  ask("judged", { answer: { template: [[0, 4], [5, 6]], content_texts: [] }, about, order: orderOf({ name: "template", ...about }) });
  assert.deepEqual(marks(page.document), ["p: hide", "later: hide"]);
  assert.match(panel.root?.textContent ?? "", /Parts that loaded later follow/);
  assert.deepEqual(ask("describe").about, about);
  ask("show", orderOf({ name: "original" }));
  assert.deepEqual(marks(page.document), []);
});

test("what the person said of a part holds for what comes into it later, and so does what is said after that", () => {
  const { page, button, ask } = grownPage();
  ask("show", orderOf({ name: "inspect" }));
  correct(page, button, "main");
  ask("show", orderOf({ name: "template" }));
  ask("grown", LIMITS);
  const answer = { template: [[0, 5], [6, 7]], content_texts: [] };
  ask("judged", { answer, about: {}, order: orderOf({ name: "template" }) });
  assert.deepEqual(marks(page.document), ["main: hide", "p: hide", "later: hide"]);
  ask("show", orderOf({ name: "inspect" }));
  correct(page, button, "main");
  ask("show", orderOf({ name: "template" }));
  assert.deepEqual(marks(page.document), []);
});

test("a page that moves on within its document while a part is hidden has what is new judged, and can be compared anew", async () => {
  const { page, panel, ask } = grownPage();
  page.window.history.pushState(null, "", "/other");
  assert.equal(ask("describe").view, "template");
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.deepEqual(plain(page.messages), [{ type: "grown" }]);
  const { about } = ask("grown", LIMITS);
  assert.deepEqual(about, { confidence: 0.9, moved: true });
  const order = orderOf({ name: "template", confidence: 0.9, moved: true, later: "judged" });
  ask("judged", { answer: { template: [[0, 5]], content_texts: [] }, about, order });
  assert.deepEqual(marks(page.document), ["p: hide", "later: hide"]);
  assert.match(panel.root?.textContent ?? "", /address has changed since the comparison\. Parts that loaded later follow/);
  assert.deepEqual(ask("describe").about, about);
  const again = /** @type {HTMLElement | null | undefined} */ (panel.root?.querySelector("button[name=again]"));
  press(again);
  assert.deepEqual(plain(page.messages).at(-1), { type: "press", button: "again" });
});

test("what cannot be judged shows in both views, and the panel says so, unless it was closed", () => {
  for (const mode of /** @type {const} */ (["template", "content"])) {
    const { page, panel, ask } = grownPage(mode);
    ask("grown", LIMITS);
    const about = { later: /** @type {const} */ ("shown") };
    ask("judged", { about, order: orderOf({ name: mode, ...about }) });
    assert.equal(page.document.getElementById("later")?.getAttribute("data-sitestencil"), mode === "content" ? "show" : null);
    assert.match(panel.root?.textContent ?? "", /cannot be judged, so they show/);
  }
  const closed = grownPage();
  closed.page.sitestencil.panel.close();
  closed.ask("grown", LIMITS);
  closed.ask("judged", { about: {}, order: orderOf({ name: "template" }) });
  assert.equal(closed.page.sitestencil.panel.isOpen(), false);
});

test("a judgement that comes when another view shows does not count", () => {
  const { page, ask } = grownPage();
  ask("grown", LIMITS);
  ask("show", orderOf({ name: "content" }));
  const before = marks(page.document);
  ask("judged", { about: {}, order: orderOf({ name: "template" }) });
  assert.deepEqual(marks(page.document), before);
  assert.equal(ask("describe").view, "content");
});

test("the host's answer counts where the page is still of its kind, and what no host judges is shown", async () => {
  const snapshot = { json: "{}" };
  const grown = { mode: "template", about: { confidence: 0.9 }, known: { snapshot, template: [], content_texts: [] }, now: snapshot };
  /** @param {(change: string) => Promise<any>} apply */
  const told = async (apply) => {
    const { tabs, seen, state } = browserWith({ grown, apply });
    await tabs.click(TAB);
    await tabs.grown(TAB);
    return { state: state(), judgement: seen.judgements[0] };
  };
  const answer = { template: [], content_texts: [] };
  const fitting = await told(async () => ({ answer, summary: { fits: true } }));
  assert.deepEqual(fitting.state, { name: "template", confidence: 0.9, later: "judged" });
  assert.equal(fitting.judgement.answer, answer);
  for (const apply of [async () => ({ answer, summary: { fits: false } }), () => Promise.reject(new Error("lost"))]) {
    const { state, judgement } = await told(apply);
    assert.equal(state?.later, "shown");
    assert.ok(!("answer" in judgement));
    assert.match(judgement.order.panel.sentence, /cannot be judged, so they show/);
  }
});

test("a page that changes its address all the time is looked at no sooner for that", async () => {
  const { page, ask } = grownPage();
  const started = performance.now();
  for (let count = 0; count < 12; count++) {
    page.window.history.pushState(null, "", `/${count}`);
    ask("describe");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const most = Math.floor(Math.log2((performance.now() - started) / SOON_MS + 1)); // each wait is twice the last
  assert.ok(page.messages.length >= 1);
  assert.ok(page.messages.length <= most, `${page.messages.length} looks, ${most} at most`);
});

test("what the page writes anew or moves while it shows as it is shows with the content, is judged, and can be saved", async () => {
  /** @type {Record<string, (page: ReturnType<typeof openPage>) => void>} */
  const changes = {
    "written anew": ({ document }) => {
      const main = /** @type {Element} */ (document.getElementById("main"));
      main.innerHTML = `${main.innerHTML}`;
    },
    "new words": ({ document }) => void (/** @type {Element} */ (document.getElementById("p")).textContent = "News"),
    "moved words": ({ document }) => document.getElementById("header")?.append(/** @type {Element} */ (document.getElementById("p")).firstChild ?? ""),
  };
  for (const [name, change] of Object.entries(changes)) {
    const page = openPage(HTML);
    const ask = asker(page);
    ask("snapshot", LIMITS);
    ask("answer", ANSWER, {});
    ask("show", orderOf({ name: "template" }));
    ask("show", orderOf({ name: "original" }));
    change(page);
    const before = page.document.documentElement.outerHTML;
    /** @type {{template_texts: Array<[number, number]>, texts: Array<[number, number, string]>}} */
    const { template_texts: template, texts } = JSON.parse(ask("capture", "rest", LIMITS).capture.json);
    const news = texts.findIndex(([, , text]) => text === "News");
    assert.ok(!template.some(([start, end]) => start <= news && news < end), name);
    ask("show", orderOf({ name: "content", closeGaps: true }));
    const holder = /** @type {Element} */ (page.sitestencil.tree.treeOf(page.document).elements[texts[news][0]]);
    assert.equal(holder.closest("[data-sitestencil=gone]")?.outerHTML, undefined, name);
    assert.notEqual(holder.getAttribute("data-sitestencil"), "hide", name);
    const hidden = [...(page.window.CSS.highlights.get("sitestencil-content") ?? [])].map(String);
    assert.ok(!hidden.includes("News"), name);
    if (name === "written anew") {
      await new Promise((resolve) => setTimeout(resolve, 400));
      assert.deepEqual(plain(page.messages), [{ type: "grown" }]);
    }
    ask("show", orderOf({ name: "original" }));
    assert.equal(page.document.documentElement.outerHTML, before, name);
  }
});
