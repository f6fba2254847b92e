import assert from "node:assert/strict";
import { test } from "node:test";
import { HostError } from "../../extension/background/errors.js";
import { onSavingPage } from "../../extension/background/saving.js";
import { Tabs } from "../../extension/background/tabs.js";

const TAB = 7;
const RESULT = { template: [[0, 1]], content_texts: [], summary: { elements: 1 } };

/**
 * A browser with one tab whose page answers as page/main.js does, and a host that the test plays.
 * @param {{extract?: (snapshot: any, options: any) => Promise<any>, save?: (capture: any) => Promise<string[]>, open?: () => Promise<void>, webPage?: boolean, silent?: boolean}} options
 */
function browserWith({ extract = async () => RESULT, save = async () => ["<p>"], open = async () => {}, webPage = true, silent = false } = {}) {
  const seen = { titles: /** @type {string[]} */ ([]), ran: /** @type {string[]} */ ([]), styles: 0, pages: /** @type {string[]} */ ([]), said: /** @type {string[]} */ ([]) };
  let view = "none";
  /** @type {Record<string, (parameter: any) => unknown>} */
  const page = {
    describe: () => ({ webPage, view }),
    snapshot: () => ({ url: "https://example.org/" }),
    show: () => void (view = "template"),
    restore: () => void (view = "original"),
    capture: () => ({ capture: { url: "https://example.org/" }, title: "Page" }),
    say: (message) => void seen.said.push(message),
  };
  const area = { get: async () => ({}), set: async () => {} };
  const ignore = async () => {};
  /** @type {any} */ (globalThis).browser = {
    storage: { local: area, session: area },
    runtime: { sendMessage: async () => { throw new Error("Could not establish connection."); }, getURL: (/** @type {string} */ path) => path },
    tabs: {
      create: async (/** @type {any} */ { url }) => {
        seen.pages.push(url);
        if (url.startsWith("pages/save.html")) setTimeout(() => onSavingPage(savingPort(url)), 1);
        return { id: 99 };
      },
      remove: async () => {},
    },
    action: {
      setTitle: async (/** @type {any} */ { title }) => void seen.titles.push(title),
      setBadgeText: ignore,
      setBadgeBackgroundColor: ignore,
      setBadgeTextColor: ignore,
      setIcon: ignore,
    },
    scripting: {
      insertCSS: async () => void seen.styles++,
      removeCSS: async () => void seen.styles--,
      executeScript: async (/** @type {any} */ { files, args }) => {
        if (files) return open();
        if (silent) return [{ frameId: 0 }];
        const [name, parameters] = args;
        seen.ran.push(name);
        return [{ result: { ok: true, value: page[name]?.(parameters[0]) ?? null } }];
      },
    },
  };
  return { tabs: new Tabs(/** @type {any} */ ({ extract, save })), seen };
}

/**
 * The port of the page that saves, which says at once that the file is taken.
 * @param {string} url
 * @returns {any}
 */
function savingPort(url) {
  /** @type {() => void} */
  let taken = () => {};
  return {
    name: `saving:${url.split("#")[1]}`,
    onMessage: { addListener: (/** @type {any} */ listener) => (taken = listener) },
    onDisconnect: { addListener: () => {} },
    postMessage: (/** @type {any} */ { name }) => void (name && taken()),
  };
}

test("a click looks for the template once, and the clicks after it only show and restore", async () => {
  let extractions = 0;
  const { tabs, seen } = browserWith({ extract: async () => (extractions++, RESULT) });
  await tabs.click(TAB);
  assert.match(String(seen.titles.at(-1)), /this is the template/);
  await tabs.click(TAB);
  assert.match(String(seen.titles.at(-1)), /again/);
  assert.equal(seen.styles, 0);
  await tabs.click(TAB);
  assert.match(String(seen.titles.at(-1)), /this is the template/);
  assert.equal(extractions, 1);
});

test("a click while working cancels, and the next one starts again", async () => {
  let extractions = 0;
  const { tabs, seen } = browserWith({
    extract: (_, { signal }) =>
      ++extractions > 1
        ? Promise.resolve(RESULT)
        : new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });
  const first = tabs.click(TAB);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await tabs.click(TAB);
  await first;
  assert.match(String(seen.titles.at(-1)), /show the template of this page$/);
  assert.ok(seen.ran.includes("stop"));
  await tabs.click(TAB);
  assert.match(String(seen.titles.at(-1)), /this is the template/);
});

test("a page that is still loading is waited for, visibly, and a click while that lasts cancels", async () => {
  let loaded = () => {};
  const { tabs, seen } = browserWith({ open: () => new Promise((resolve) => (loaded = () => resolve())) });
  const first = tabs.click(TAB);
  await new Promise((resolve) => setTimeout(resolve, 250));
  assert.match(String(seen.titles.at(-1)), /Click to cancel/);
  await tabs.click(TAB);
  assert.match(String(seen.titles.at(-1)), /show the template of this page$/);
  loaded();
  await first;
  assert.deepEqual(seen.ran, ["describe"]);
});

test("an error of the host is said on the button and in the page, and nothing is hidden", async () => {
  const { tabs, seen } = browserWith({
    extract: async () => {
      throw HostError.answered({ number: 301, name: "no-candidates", message: "No other page." });
    },
  });
  await tabs.click(TAB);
  assert.match(String(seen.titles.at(-1)), /No other page\. Click to try again/);
  assert.deepEqual(seen.said, ["No other page."]);
  assert.equal(seen.styles, 0);
});

test("a missing host opens the page that explains", async () => {
  const { tabs, seen } = browserWith({ extract: async () => Promise.reject(new HostError("missing")) });
  await tabs.click(TAB);
  assert.deepEqual(seen.pages, ["/pages/help.html"]);
  assert.match(String(seen.titles.at(-1)), /not installed for this browser/);
});

test("where the browser lets no extension in, and where there is no web page, the button says so", async () => {
  const closed = browserWith({ open: async () => Promise.reject(new Error("Cannot access a chrome:// URL")) });
  await closed.tabs.click(TAB);
  assert.match(String(closed.seen.titles.at(-1)), /not possible here: the browser keeps extensions out/);
  const silent = browserWith({ silent: true });
  await silent.tabs.click(TAB);
  assert.match(String(silent.seen.titles.at(-1)), /not possible here: the browser keeps extensions out/);
  const picture = browserWith({ webPage: false });
  await picture.tabs.click(TAB);
  assert.match(String(picture.seen.titles.at(-1)), /not possible here: this is not a web page/);
});

test("saving finds the template first where nothing is known of the page, and only saves where it is", async () => {
  const { tabs, seen } = browserWith();
  await tabs.save(TAB);
  assert.deepEqual(seen.ran, ["describe", "snapshot", "answer", "show", "capture"]);
  seen.ran.length = 0;
  await tabs.save(TAB);
  assert.deepEqual(seen.ran, ["describe", "capture"]);
});

test("a page that cannot be saved is told so", async () => {
  const { tabs, seen } = browserWith({ save: async () => { throw new HostError("answered", "", "Too deep."); } });
  await tabs.save(TAB);
  assert.deepEqual(seen.said, ["Too deep."]);
});

test("a click while the file is written does not stop it, and shows the page", async () => {
  let written = () => {};
  const { tabs, seen } = browserWith({ save: () => new Promise((_, reject) => (written = () => reject(new HostError("lost")))) });
  const saving = tabs.save(TAB);
  while (!seen.ran.includes("capture")) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await tabs.click(TAB);
  assert.ok(seen.ran.includes("restore"));
  written();
  await saving;
});
