import assert from "node:assert/strict";
import { test } from "node:test";
import { i18n } from "./i18n.js";

const OWN = "chrome-extension://own/";
/** @type {Record<string, (...parameters: any[]) => any>} */
const listeners = {};
const asked = /** @type {string[]} */ ([]);
const levels = /** @type {any[]} */ ([]);
const event = (/** @type {string} */ name) => ({ addListener: (/** @type {any} */ listener) => (listeners[name] = listener) });
const store = { get: async () => ({}), set: async () => {}, remove: async () => {}, setAccessLevel: async (/** @type {any} */ level) => levels.push(level) };

/** @type {any} */ (globalThis).browser = {
  i18n: i18n(),
  storage: { local: store, session: store },
  runtime: {
    getURL: (/** @type {string} */ path) => OWN + path.slice(1),
    getManifest: () => ({ version: "1" }),
    onInstalled: event("installed"),
    onMessage: event("message"),
    onConnect: event("connect"),
    connectNative: () => {
      asked.push("host");
      throw new Error("no host");
    },
  },
  action: { onClicked: event("click") },
  commands: { onCommand: event("command") },
  tabs: { TAB_ID_NONE: -1, query: async () => [], get: async (/** @type {number} */ id) => (asked.push(`tab ${id}`), { id, url: "https://example.org/" }) },
};
await import("../../extension/background/main.js");

test("what the extension's own pages may ask for, no script in a web page gets, whatever it says of itself", async () => {
  const messages = [{ type: "hello" }, { type: "sites" }, { type: "forget" }, { type: "render", tabId: 3, links: [] }];
  const others = [
    { url: "https://example.org/", tab: { id: 3 } },
    { url: `https://example.org/?${OWN}pages/options.html`, tab: { id: 3 } },
    { url: "chrome-extension://own.example/", tab: { id: 3 } },
    { tab: { id: 3 } },
    {},
  ];
  for (const message of messages) {
    for (const sender of others) assert.equal(listeners.message({ ...message, url: OWN }, sender, assert.fail), false);
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(asked.length, 0);
  for (const message of messages.slice(0, 3)) {
    const answer = await new Promise((resolve) => assert.equal(listeners.message(message, { url: `${OWN}pages/options.html` }, resolve), true));
    assert.equal(answer.ok, false);
  }
  assert.ok(asked.includes("host"));
});

test("no script in a web page reads the person's choices", () => {
  assert.deepEqual(levels, [{ accessLevel: "TRUSTED_CONTEXTS" }]);
});
