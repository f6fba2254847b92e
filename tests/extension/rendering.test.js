import assert from "node:assert/strict";
import { test } from "node:test";
import { closeLeftTabs, openTab } from "../../extension/background/left_tabs.js";
import { AT_ONCE, IN_ALL, loaderFor, RenderedTabs } from "../../extension/background/ways.js";
import { openPage } from "./page.js";

const URLS = Array.from({ length: 100 }, (_, number) => `https://example.org/${number}`);
const NOBODY = new AbortController().signal;

/**
 * A browser whose tabs give their page when the test says so.
 * @param {{isPage?: boolean, fails?: boolean, tab?: any, kept?: any, chosen?: any, open?: any[], granted?: boolean}} [options]
 */
function browserWithTabs({ isPage = true, fails = false, tab = {}, kept = {}, chosen = {}, open = [], granted = true } = {}) {
  const seen = { open: new Map(open.map((one) => [one.id, one])), most: 0, created: /** @type {any[]} */ ([]), closed: /** @type {number[]} */ ([]) };
  /** @type {Array<() => void>} */
  const settling = [];
  const area = (/** @type {any} */ items) => ({
    get: async () => ({ ...items }),
    set: async (/** @type {any} */ more) => void Object.assign(items, more),
    remove: async (/** @type {string} */ name) => void delete items[name],
  });
  const answers = async (/** @type {any} */ { files, args }) => {
    if (files) return { ok: true, value: { webPage: true, view: "none" } };
    if (args[0] === "snapshot") return { ok: true, value: { json: '{"url":"https://example.org/0"}' } };
    await new Promise((resolve) => settling.push(() => resolve(null)));
    if (fails) throw new Error("The tab crashed.");
    return { ok: true, value: { status: 404 } };
  };
  /** @type {any} */ (globalThis).browser = {
    storage: { session: area(kept), local: area(chosen) },
    permissions: { contains: async () => granted },
    tabs: {
      TAB_ID_NONE: -1,
      create: async (/** @type {any} */ properties) => {
        const id = 100 + seen.created.length;
        seen.created.push(properties);
        seen.open.set(id, { id, ...properties });
        seen.most = Math.max(seen.most, seen.open.size);
        return { id };
      },
      update: async (/** @type {number} */ id, /** @type {any} */ changes) => Object.assign(seen.open.get(id), changes),
      remove: async (/** @type {number} */ id) => {
        seen.closed.push(id);
        seen.open.delete(id);
      },
      get: async (/** @type {number} */ id) => ({ id, status: "complete", url: "https://example.org/a", windowId: 1, ...tab }),
      query: async (/** @type {any} */ { url }) => [...seen.open.values()].filter((one) => !url || one.url === url),
    },
    runtime: { getURL: (/** @type {string} */ path) => `moz-extension://a${path}` },
    scripting: { executeScript: async (/** @type {any} */ order) => [{ result: await answers(order) }] },
  };
  const page = /** @type {any} */ ({ tabId: 7, run: async () => isPage });
  return { seen, settling, kept, rendered: new RenderedTabs(page, /** @type {any} */ ({ id: 7, windowId: 1 })) };
}

const pause = (milliseconds = 5) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("a page is captured when it has settled, with its status, and its tab is closed", async () => {
  const { seen, settling, rendered, kept } = browserWithTabs();
  const loading = rendered.load(URLS[0], NOBODY);
  await pause();
  assert.deepEqual(seen.created, [{ url: "/pages/opening.html", openerTabId: 7, windowId: 1, active: false }]);
  assert.deepEqual(seen.open.get(100), { id: 100, url: URLS[0], muted: true, openerTabId: 7, windowId: 1, active: false });
  assert.deepEqual(kept.openedTabs, [100]);
  settling[0]();
  assert.deepEqual(await loading, { snapshot: { url: "https://example.org/0" }, status: 404 });
  assert.deepEqual([seen.open.size, kept.openedTabs], [0, []]);
});

test("of a hundred pages few are open at once, and no more than a few in all", async () => {
  const { seen, settling, rendered } = browserWithTabs();
  const loads = URLS.map((url) => rendered.load(url, NOBODY));
  let isDone = false;
  const all = Promise.all(loads).finally(() => (isDone = true));
  while (!isDone) {
    settling.splice(0).forEach((settle) => settle());
    await pause(1);
  }
  assert.equal(seen.most, AT_ONCE);
  assert.equal(seen.created.length, IN_ALL);
  assert.equal(seen.open.size, 0);
  assert.equal((await all).filter(({ error }) => /enough/.test(error ?? "")).length, URLS.length - IN_ALL);
});

test("a tab is closed where its page fails, and where it is not needed any more", async () => {
  const failing = browserWithTabs({ fails: true });
  const loading = failing.rendered.load(URLS[0], NOBODY);
  await pause();
  failing.settling[0]();
  await assert.rejects(loading, /crashed/);
  assert.equal(failing.seen.open.size, 0);
  const { seen, rendered } = browserWithTabs();
  const running = new AbortController();
  const cancelled = rendered.load(URLS[0], running.signal);
  await pause();
  assert.equal(seen.open.size, 1);
  running.abort();
  await assert.rejects(cancelled, /abort/i);
  assert.equal(seen.open.size, 0);
});

test("what would be saved as a file is not opened", async () => {
  const { seen, rendered } = browserWithTabs({ isPage: false });
  assert.deepEqual(await rendered.load(URLS[0], NOBODY), { error: "The page is not HTML." });
  assert.deepEqual(seen.created, []);
});

test("a background that starts closes the tabs that the last one has left, before it opens any", async () => {
  const open = [{ id: 5, url: "moz-extension://a/pages/opening.html" }, { id: 6, url: URLS[0] }];
  const { seen, kept } = browserWithTabs({ open, kept: { openedTabs: [3, 4] } });
  closeLeftTabs();
  const id = await openTab(URLS[5], {});
  assert.deepEqual(seen.closed, [3, 4, 5]);
  assert.deepEqual(kept.openedTabs, [id]);
});

test("in a private window, and without the browser's permission, no tab is opened", async () => {
  const about = { sessionLinks: URLS };
  const page = /** @type {any} */ ({ tabId: 7 });
  const chosen = { renderedSites: ["example.org"] };
  const hidden = browserWithTabs({ tab: { incognito: true }, chosen });
  assert.equal(await loaderFor("rendered", page, about, true), null);
  assert.deepEqual(hidden.seen.created, []);
  const refused = browserWithTabs({ granted: false, chosen });
  assert.equal(await loaderFor("rendered", page, about, true), null);
  assert.deepEqual(refused.seen.created.map(({ url }) => url), ["/pages/rendered.html#7"]);
  assert.deepEqual(refused.kept["rendering:7"], { url: "https://example.org/a", links: URLS, most: IN_ALL });
  const allowed = browserWithTabs({ chosen });
  assert.equal((await loaderFor("rendered", page, about, false))?.way, "rendered");
  assert.deepEqual(allowed.seen.created, []);
});

test("a page has settled when nothing has come for a while and it leads somewhere, or when the time is over", async () => {
  const { sitestencil, window } = openPage("<p>Loading</p>");
  const started = performance.now();
  const settled = sitestencil.snapshot.settled(40, 5000);
  setTimeout(() => window.document.body.append("more"), 30);
  setTimeout(() => window.document.body.insertAdjacentHTML("beforeend", "<a href='/b'>b</a>"), 60);
  assert.equal((await settled).status, 203);
  const took = performance.now() - started;
  assert.ok(took >= 95 && took < 2000, String(took));
  const late = performance.now();
  await openPage("<p>Loading for ever</p>").sitestencil.snapshot.settled(20, 100);
  assert.ok(performance.now() - late >= 95);
});

test("a server's word that an address is a file is believed, and silence is not", async () => {
  /** @type {Array<[Response | Error, boolean]>} */
  const cases = [
    [new Response("", { headers: { "content-type": "text/html" } }), true],
    [new Response("", { headers: { "content-type": "application/zip" } }), false],
    [new Response("", { headers: { "content-type": "text/html", "content-disposition": "attachment; filename=a.html" } }), false],
    [new Response("", { status: 405, headers: { "content-type": "text/plain" } }), true],
    [new TypeError("blocked"), true],
  ];
  for (const [answer, expected] of cases) {
    const { sitestencil, window } = openPage("<p>Page</p>");
    window.fetch = async (/** @type {string} */ _, /** @type {any} */ { method }) => {
      assert.equal(method, "HEAD");
      if (answer instanceof Error) throw answer;
      return answer;
    };
    assert.equal(await sitestencil.session.leadsToPage("https://example.org/b"), expected);
    assert.equal(await sitestencil.session.leadsToPage("https://other.example/b"), false);
  }
});
