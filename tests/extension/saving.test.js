import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fileName, textOfPage, onSavingPage, save, STANDARD } from "../../extension/background/saving.js";

const CAPTURED = /** @type {any} */ ({ capture: { json: '{"url":"https://example.org/a"}' }, url: "https://example.org/a", title: "A/B", files: [["u", "AA=="]] });

/** @type {{opened: string[], active: boolean[], closed: number[]}} */
let tabs;
/** @type {any} */
let kept;

beforeEach(() => {
  tabs = { opened: [], active: [], closed: [] };
  kept = {};
  /** @type {any} */ (globalThis).browser = {
    runtime: { getURL: (/** @type {string} */ path) => `extension://${path}` },
    storage: { local: { get: async () => kept, set: async (/** @type {any} */ values) => Object.assign(kept, values) } },
    tabs: {
      create: async (/** @type {any} */ { url, active }) => {
        tabs.active.push(active);
        tabs.opened.push(url);
        return { id: 5 };
      },
      remove: async (/** @type {number} */ id) => void tabs.closed.push(id),
    },
  };
});

/** @param {string} key */
function connect(key) {
  /** @type {Array<(message: any) => void>} */
  const listeners = [];
  /** @type {Array<() => void>} */
  const gone = [];
  const port = {
    name: key,
    given: /** @type {any[]} */ ([]),
    open: true,
    say: (/** @type {any} */ message) => listeners.forEach((listener) => listener(message)),
    drop: () => gone.forEach((listener) => listener()),
    postMessage: (/** @type {any} */ message) => port.given.push(message),
    disconnect: () => void (port.open = false),
    onMessage: { addListener: (/** @type {any} */ listener) => listeners.push(listener) },
    onDisconnect: { addListener: (/** @type {any} */ listener) => gone.push(listener) },
  };
  onSavingPage(/** @type {any} */ (port));
  return port;
}

/** @type {(saved?: (capture: any, choices: any, onProgress: any) => Promise<string[]>) => any} */
function host(saved = async () => ["<p>", "x"]) {
  return { save: saved };
}

async function opened() {
  while (!tabs.opened.length) await moment();
  return tabs.opened[0].split("#")[1];
}

const moment = () => new Promise((resolve) => setTimeout(resolve));

test("a page of the extension gets the file, and is closed when it has been taken, not before", async () => {
  const saved = save(CAPTURED, host());
  const port = connect(await opened());
  await moment();
  assert.deepEqual(port.given, [{ piece: "<p>" }, { piece: "x" }, { name: "example.org - A B - template.html", kind: "text/html" }]);
  assert.deepEqual([tabs.closed, tabs.active], [[], [false]]);
  port.say({ taken: true });
  await saved;
  assert.deepEqual(tabs.closed, [5]);
});

test("the shortcut saves with what was chosen the last time, and what the page is drawn with", async () => {
  kept.save = { format: "folder", offline: false };
  /** @type {any[]} */
  const asked = [];
  const saved = save(CAPTURED, host(async (...request) => (asked.push(request), ["x"])));
  const port = connect(await opened());
  await moment();
  const [[capture, choices]] = asked;
  assert.deepEqual(JSON.parse(capture), { url: "https://example.org/a", files: [["u", "AA=="]] });
  assert.deepEqual(choices, { ...STANDARD, ...kept.save });
  assert.deepEqual(port.given.at(-1), { name: "example.org - A B - template.zip", kind: "application/zip" });
  port.say({ taken: true });
  await saved;
});

test("who is asked chooses before anything is written, and is told how it goes on", async () => {
  const choices = { format: "jinja", offline: false };
  /** @type {any} */
  let asked = null;
  const saved = save(
    CAPTURED,
    host(async (_, chosen, onProgress) => {
      asked = chosen;
      onProgress({ pages_loaded: 2, pages_wanted: 3 });
      return ["x"];
    }),
    { asks: true },
  );
  const port = connect(await opened());
  await moment();
  assert.deepEqual([port.given, tabs.active, asked], [[{ ask: STANDARD }], [true], null]);
  port.say({ alive: true });
  port.say({ choices });
  await moment();
  assert.deepEqual([asked, kept.save], [choices, choices]);
  assert.deepEqual(port.given.slice(1), [{ progress: [2, 3] }, { piece: "x" }, { name: "example.org - A B - template.jinja.html", kind: "text/html" }]);
  port.say({ taken: true });
  await saved;
  assert.deepEqual(tabs.closed, [5]);
});

test("the content is saved as Markdown at first, then as the last time", async () => {
  const saved = save(CAPTURED, host(async (_, { format }) => [format]), { asks: true, hides: "rest" });
  const port = connect(await opened());
  await moment();
  assert.deepEqual(port.given, [{ ask: { format: "markdown" } }]);
  port.say({ choices: { format: "text" } });
  await moment();
  assert.deepEqual(port.given.slice(1), [{ piece: "text" }, { name: "A B.txt", kind: "text/plain" }]);
  assert.deepEqual(kept, { saveContent: "text" });
  port.say({ taken: true });
  await saved;
});

test("the content to copy is Markdown without metadata", async () => {
  /** @type {any} */
  let asked;
  const { text } = await textOfPage(CAPTURED, host(async (_, choices) => ((asked = choices), ["# A", " page\n"])));
  assert.deepEqual([text, asked], ["# A page\n", { format: "markdown", front_matter: false }]);
});

test("who closes the page instead of choosing saves nothing, and that is no error", async () => {
  const saved = save(CAPTURED, host(() => assert.fail("the host was asked")), { asks: true });
  const port = connect(await opened());
  await moment();
  port.drop();
  await saved;
});

test("a page that is closed before the file is taken saves nothing, and that is an error", async () => {
  const saved = save(CAPTURED, host());
  const refused = assert.rejects(saved, /was closed/);
  const port = connect(await opened());
  await moment();
  port.drop();
  await refused;
});

test("nobody else gets a file", async () => {
  const saved = save(CAPTURED, host());
  const key = await opened();
  assert.equal(connect("another").open, false);
  const port = connect(key);
  await moment();
  port.say({ taken: true });
  await saved;
  assert.equal(connect(key).open, false);
});

test("a page over 64 MiB is refused with its size, and the host is not asked", async () => {
  const large = { url: "https://example.org/", title: "", typed: [], capture: { bytes: 64 * 1024 * 1024 + 1 } };
  const refused = save(large, host(() => assert.fail("the host was asked")));
  await assert.rejects(refused, { phrase: ["save_page_too_large", 65, 64] });
});

test("the file's name is host and title, without what systems do not take", () => {
  assert.equal(fileName("example.org", 'A/B: "news"\n?'), "example.org - A B news - template.html");
  assert.equal(fileName("example.org", ""), "example.org - template.html");
  assert.equal(fileName("example.org", "index.html"), "example.org - index - template.html");
  assert.equal(fileName("", "..."), "page - template.html");
  assert.equal(fileName("example.org", `${"\u{1f600}".repeat(200)}`).includes("\ufffd"), false);
  assert.ok(fileName("example.org", "x".repeat(500)).length < 130);
});

test("the content's file has the page's title, once its ending, and no name of a device", () => {
  const named = (/** @type {string} */ title, /** @type {any} */ format = "markdown") => fileName("example.org", title, { format });
  assert.equal(named("How to tie: a bowline | Ropes"), "How to tie a bowline Ropes.md");
  assert.equal(named("README.md"), "README.md");
  assert.equal(named("index.html", "content-html"), "index.html");
  assert.equal(named("\u202egpj.exe\u200b", "text"), "gpj.exe.txt");
  assert.equal(named(""), "example.org.md");
  assert.equal(named("con"), "page.md");
  assert.equal(named("..."), "page.md");
  assert.ok(named("x".repeat(300)).length < 110);
});
