import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fileName, onSavingPage, save } from "../../extension/background/saving.js";

const CAPTURED = /** @type {any} */ ({ capture: { json: '{"url":"https://example.org/a"}' }, url: "https://example.org/a", title: "A/B" });

/** @type {{opened: string[], closed: number[]}} */
let tabs;

beforeEach(() => {
  tabs = { opened: [], closed: [] };
  /** @type {any} */ (globalThis).browser = {
    runtime: { getURL: (/** @type {string} */ path) => `extension://${path}` },
    tabs: {
      create: async (/** @type {any} */ { url, active }) => {
        assert.equal(active, false);
        tabs.opened.push(url);
        return { id: 5 };
      },
      remove: async (/** @type {number} */ id) => void tabs.closed.push(id),
    },
  };
});

/** @param {string} key */
function connect(key) {
  const port = {
    name: `saving:${key}`,
    given: /** @type {any[]} */ ([]),
    open: true,
    say: () => {},
    drop: () => {},
    postMessage: (/** @type {any} */ message) => port.given.push(message),
    disconnect: () => void (port.open = false),
    onMessage: { addListener: (/** @type {any} */ listener) => (port.say = listener) },
    onDisconnect: { addListener: (/** @type {any} */ listener) => (port.drop = listener) },
  };
  onSavingPage(/** @type {any} */ (port));
  return port;
}

async function opened() {
  while (!tabs.opened.length) await new Promise((resolve) => setTimeout(resolve));
  return tabs.opened[0].split("#")[1];
}

test("a page of the extension gets the file, and is closed when it has been taken, not before", async () => {
  const saved = save(CAPTURED, { save: async () => ["<p>", "x"] });
  const port = connect(await opened());
  assert.deepEqual(port.given, [{ piece: "<p>" }, { piece: "x" }, { name: "example.org - A B - template.html" }]);
  assert.deepEqual(tabs.closed, []);
  port.say();
  await saved;
  assert.deepEqual(tabs.closed, [5]);
});

test("a page that is closed before the file is taken saves nothing, and that is an error", async () => {
  const saved = save(CAPTURED, { save: async () => ["x"] });
  connect(await opened()).drop();
  await assert.rejects(saved, /was closed/);
});

test("nobody else gets a file", async () => {
  const saved = save(CAPTURED, { save: async () => ["x"] });
  const key = await opened();
  assert.equal(connect("another").open, false);
  connect(key).say();
  await saved;
  assert.equal(connect(key).open, false);
});

test("a page over 64 MiB is refused with its size, and the host is not asked", async () => {
  const large = { url: "https://example.org/", title: "", capture: { bytes: 64 * 1024 * 1024 + 1 } };
  const refused = save(large, { save: () => assert.fail("the host was asked") });
  await assert.rejects(refused, { phrase: ["save_page_too_large", 65, 64] });
});

test("the file's name is host and title, without what systems do not take", () => {
  assert.equal(fileName("example.org", 'A/B: "news"\n?'), "example.org - A B news - template.html");
  assert.equal(fileName("example.org", ""), "example.org - template.html");
  assert.equal(fileName("", "..."), "page - template.html");
  assert.equal(fileName("example.org", `${"\u{1f600}".repeat(200)}`).includes("\ufffd"), false);
  assert.ok(fileName("example.org", "x".repeat(500)).length < 130);
});
