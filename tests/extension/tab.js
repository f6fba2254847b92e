/** A browser with one tab, for the tests of what happens in a tab. */

import assert from "node:assert/strict";
import { onSavingPage } from "../../extension/background/saving.js";
import { Tabs } from "../../extension/background/tabs.js";
import { textOf } from "../../extension/texts.js";
import { i18n } from "./i18n.js";

export const TAB = 7;
export const RESULT = { answer: { template: [[0, 1]], content_texts: [], scores: ["/w=="] }, summary: { elements: 1, confidence: 0.9, more_pages: 0 } };

/**
 * A browser with one tab whose page answers as page/main.js does, and a host that the test plays.
 * @param {{extract?: (snapshot: any, options: any) => Promise<any>, apply?: (change: string) => Promise<any>, grown?: any, save?: (capture: any, choices: any, onProgress?: any, onLast?: any) => Promise<string[]>, open?: () => Promise<void>, webPage?: boolean, silent?: boolean, icon?: string, packed?: any, popups?: boolean, incognito?: boolean, choices?: Record<string, unknown>, mayCopy?: boolean, typed?: TypedNews[], hello?: () => Promise<any>, pause?: () => Promise<void>, fails?: string[]}} options `pause`: on each way to the page or the store; `fails`: the commands in which the page has an exception
 */
export function browserWith({ extract = async () => RESULT, apply = async () => RESULT, grown = null, save = async () => ["<p>"], open = async () => {}, webPage = true, silent = false, icon, packed = { json: '{"url":"https://example.org/"}' }, popups = true, incognito = false, choices = {}, mayCopy = true, typed = [], hello = async () => {}, pause = async () => {}, fails = [] } = {}) {
  const seen = {
    states: /** @type {any[]} */ ([]),
    titles: /** @type {string[]} */ ([]),
    ran: /** @type {string[]} */ ([]),
    styles: 0,
    woken: 0,
    pages: /** @type {string[]} */ ([]),
    popups: /** @type {string[]} */ ([]),
    said: /** @type {string[]} */ ([]),
    panels: /** @type {any[]} */ ([]),
    kept: /** @type {Record<string, any>} */ ({}),
    answers: /** @type {any[]} */ ([]),
    rules: /** @type {any[]} */ ([]),
    orders: /** @type {any[]} */ ([]),
    judgements: /** @type {any[]} */ ([]),
    copied: /** @type {string[]} */ ([]),
  };
  let view = "none";
  let isPending = false;
  /** The browser runs scripts in their order. */
  let arrived = Promise.resolve();
  let nextPopup = "";
  /** @type {any} */
  let about;
  /** @type {Record<string, any>} */
  const chosen = {};
  /** @type {Record<string, (...parameters: any[]) => unknown>} */
  const page = {
    word: () => "word",
    describe: () => ({ webPage, view, word: "word", ...(about && { about }) }),
    snapshot: () => {
      [view, about, isPending] = ["none", undefined, true];
      return packed;
    },
    stop: () => {
      if (isPending) [view, about, isPending] = ["none", undefined, false];
    },
    grown: () => grown,
    judged: (judgement) => {
      seen.judgements.push(judgement);
      return judgement.order.mode === view;
    },
    answer: (answer, known, rules = []) => {
      assert.ok(isPending, "the answer is to no snapshot");
      isPending = Boolean(answer.early);
      if (view === "none") view = "original";
      seen.answers.push(answer);
      seen.rules.push(...rules);
      return (about = rules.length ? { ...known, corrections: rules.length } : known);
    },
    show: (order, news) => {
      if (news) page.answer(news.answer, news.about);
      view = order.mode;
      seen.orders.push(order);
    },
    copy: (text) => {
      seen.copied.push(text);
      return mayCopy;
    },
    capture: () => ({ capture: packed, url: "https://example.org/", title: "Page", typed }),
    files: () => [],
    say: (panel) => {
      seen.said.push(panel.sentence);
      seen.panels.push(panel);
    },
  };
  const local = {
    get: async () => ({ ...chosen, ...choices }),
    set: async (/** @type {any} */ items) => void Object.assign(chosen, items),
    remove: async (/** @type {string | string[]} */ keys) => void [keys].flat().forEach((key) => delete chosen[key]),
  };
  const session = {
    get: async () => ({ ...seen.kept }),
    set: async (/** @type {any} */ items) => {
      await pause();
      Object.assign(seen.kept, items);
      if (`tab:${TAB}` in items) seen.states.push(items[`tab:${TAB}`]);
    },
    remove: async (/** @type {string | string[]} */ keys) => {
      for (const key of [keys].flat()) delete seen.kept[key];
      if (keys === `tab:${TAB}`) seen.states.push({ name: "idle" });
    },
  };
  const ignore = async () => {};
  globalThis.fetch = async () => new Response("");
  /** @type {any} */ (globalThis).browser = {
    i18n: i18n(),
    storage: { local, session },
    runtime: {
      sendMessage: async () => { throw new Error("Could not establish connection."); },
      getURL: (/** @type {string} */ path) => path,
    },
    tabs: {
      TAB_ID_NONE: -1,
      create: async (/** @type {any} */ { url }) => {
        seen.pages.push(url);
        if (url.startsWith("pages/save.html")) setTimeout(() => onSavingPage(savingPort(url)), 1);
        return { id: 99 };
      },
      remove: async () => {},
      query: async () => [{ id: TAB }],
      get: async () => ({ active: true, id: TAB, incognito, url: "https://www.example.org/a", favIconUrl: icon }),
    },
    action: {
      setTitle: async (/** @type {any} */ { title }) => void seen.titles.push(title),
      getTitle: async () => seen.titles.at(-1) ?? textOf(["title_idle"]),
      setBadgeText: ignore,
      setBadgeBackgroundColor: ignore,
      setBadgeTextColor: ignore,
      setIcon: ignore,
      setPopup: async (/** @type {any} */ { popup }) => void (nextPopup = popup),
      openPopup: async () => {
        if (!popups) throw new Error("Browser window has no toolbar.");
        seen.popups.push(nextPopup);
      },
    },
    scripting: {
      insertCSS: async () => void seen.styles++,
      removeCSS: async () => void (seen.styles = Math.max(0, seen.styles - 1)),
      executeScript: async (/** @type {any} */ { files, args }) => {
        await (arrived = arrived.then(pause));
        if (files) {
          await open();
          seen.ran.push("arrive");
          if (silent) return [{ frameId: 0 }];
          const value = page.describe();
          return [{ result: { ok: true, value: { .../** @type {any} */ (value), ...(webPage && view === "none" && { snapshot: page.snapshot() }) } } }];
        }
        assert.doesNotMatch(JSON.stringify(args), /\bnull\b/, "Chromium drops null from what it passes on");
        const [name, parameters] = args;
        if (name !== "describe") seen.ran.push(name);
        const result = fails.includes(name) ? { ok: false, message: "TypeError: No." } : { ok: true, value: page[name]?.(...parameters) ?? null };
        await pause();
        return [{ result }];
      },
    },
  };
  const state = () => seen.states.at(-1);
  const host = { wake: () => void seen.woken++, hello, extract, apply, save };
  /** Another document, or one that comes back. @param {string} nextView @param {any} [nextAbout] */
  const load = (nextView, nextAbout) => void ([view, about, isPending] = [nextView, nextAbout, false]);
  return { tabs: new Tabs(/** @type {any} */ (host)), seen, state, chosen, load, view: () => view };
}

/**
 * The port of the page that saves, which says at once that the file is taken.
 * @param {string} url
 * @returns {any}
 */
function savingPort(url) {
  /** @type {(message: any) => void} */
  let taken = () => {};
  return {
    name: url.split("#")[1],
    onMessage: { addListener: (/** @type {any} */ listener) => (taken = listener) },
    onDisconnect: { addListener: () => {} },
    postMessage: (/** @type {any} */ { name }) => void (name && taken({ taken: true })),
  };
}
