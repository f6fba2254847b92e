import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dropForbidden, dropKept } from "../../extension/background/kept.js";
import { HostError } from "../../extension/background/errors.js";
import { answerFrom, prepare } from "../../extension/kept/answering.js";
import { hashOf } from "../../extension/kept/hashing.js";
import { kindOf, stripped } from "../../extension/kept/naming.js";
import { RESULT, TAB, browserWith } from "./tab.js";

const { kept: KEPT, snapshots, answers } = JSON.parse(readFileSync(new URL("kept_example.json", import.meta.url), "utf8"));
const TEXT = JSON.stringify(KEPT);
const LEARNED_AT = KEPT.learned_at;
const NOW = LEARNED_AT + 60;
const FURTHER = { json: JSON.stringify(snapshots.further) };
const SITE = "example.org";
const HELLO = async () => ({ capabilities: ["memory", "kept-templates"] });

/** Of so many bytes, without a seed and with one: as python-xxhash has them. @type {Array<[number, string, string]>} */
const HASHES = [
  [1, "0xc44bdff4074eecdb", "0x32be332dd766ef8"],
  [3, "0x3698b80191e625f9", "0xe4c6fde340d3b878"],
  [4, "0x2e4ac2f1c52157fc", "0xfc752d9ae3edb0bf"],
  [8, "0x60e1baa91347a1f2", "0x834e56db54306f1e"],
  [9, "0x9c88fc32c37b56cb", "0x4e9aa1dfe4215bd5"],
  [16, "0xf9fbd0260ba978df", "0x96e6afd52260071b"],
  [17, "0xc56f339d36cc73d7", "0x4e5a4254822dd12"],
  [64, "0xef5426b31747db78", "0xfe8cfd43b10a586f"],
  [128, "0x31ccf8dec850d035", "0x2ed3380247d3d4e3"],
  [129, "0xc72af4c6ac4dea94", "0x307e149757018ef7"],
  [240, "0xe315d53d5129eede", "0xda67a85330348deb"],
  [241, "0x18773c512b008a63", "0x8c1f83d97c80312a"],
  [1024, "0x4986ea1c273817c6", "0x71436261f9c85005"],
  [1025, "0x7775793e9ae60f68", "0xc47acbdc709c265c"],
  [2048, "0xae9fe389b636a6c4", "0x13d0acece2f4d57"],
];

/** @param {string} template a digit for each element */
function rangesOf(template) {
  return [...template.matchAll(/1+/g)].map(({ 0: digits, index }) => [index, index + digits.length]);
}

/** @param {() => boolean} condition */
async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** @type {(templates?: string[], site?: string) => Record<string, unknown>} what is kept of a site, as it is stored */
function stored(templates = [fresh()], site = SITE) {
  const entries = templates.map((text, number) => ({ id: idOf(text) || String(number), text }));
  const bytes = entries.reduce((sum, { text }) => sum + text.length, 0);
  return { [`kept:${site}`]: { detector: "", templates: entries }, keptSites: [{ site, ids: entries.map(({ id }) => id), bytes }] };
}

/** @param {Record<string, unknown>} [changes] */
function fresh(changes = {}) {
  return JSON.stringify({ ...KEPT, learned_at: Date.now() / 1000, ...changes });
}

/** @param {string} text */
function idOf(text) {
  return /"id":"(\w+)"/.exec(text)?.[1] ?? "";
}

/**
 * A host that hands over what is kept.
 * @param {(request: any) => {ids?: string[], gone?: string[], templates?: any[]}} answer
 */
function handing(answer) {
  return async (/** @type {string} */ _, /** @type {any} */ request, /** @type {(message: any) => any} */ read) => {
    const { ids = [], gone = [], templates = [] } = answer(request);
    const parts = templates.length + 1;
    templates.forEach((template, index) => read({ type: "kept", id: 1, part: index + 1, parts, template }));
    return read({ type: "kept", id: 1, part: parts, parts, ids, gone });
  };
}

test("hashes are those of the specification", () => {
  const bytes = new DataView(Uint8Array.from({ length: 2048 }, (_, place) => (place * 31) & 255).buffer);
  assert.equal(hashOf(new DataView(new ArrayBuffer(8)), 0), 0x2d06800538d394c2n);
  const expected = HASHES.map(([length]) => length);
  assert.deepEqual(expected.map((length) => hashOf(bytes, length)), HASHES.map(([, hash]) => BigInt(hash)));
  assert.deepEqual(expected.map((length) => hashOf(bytes, length, 0x9e3779b185ebca8dn)), HASHES.map(([, , hash]) => BigInt(hash)));
});

test("white space inside a text takes no longer than other letters", () => {
  const start = performance.now();
  assert.equal(stripped(`\x1fa${" ".repeat(300_000)}b\u2003`).length, 300_002);
  assert.ok(performance.now() - start < 1000);
});

test("kinds are tag and classes, without numbers, places in a menu and an order", () => {
  assert.equal(kindOf("li", " item-12 b active\x1ca"), "li.a b item-0");
  assert.equal(kindOf("body", "home"), "body");
  assert.equal(kindOf("li", "is-OPEN"), "li.");
});

test("the template that fits best answers, as the program would", () => {
  for (const name of ["further", "changed"]) {
    const answer = answerFrom(prepare([TEXT]), JSON.stringify(snapshots[name]), NOW);
    assert.deepEqual(answer?.answer.template, rangesOf(answers[name].template));
    assert.deepEqual(answer?.answer.scores, [answers[name].scores]);
    assert.equal(answer?.isSure, answers[name].unknown === 0);
  }
});

test("a page of another kind has no answer, and what was learned long ago is not sure", () => {
  assert.equal(answerFrom(prepare([TEXT]), JSON.stringify(snapshots.other), NOW), null);
  assert.equal(answerFrom(prepare([TEXT]), FURTHER.json, LEARNED_AT + 31 * 86_400)?.isSure, false);
  assert.equal(answerFrom(prepare([]), FURTHER.json, NOW), null);
});

test("templates that are damaged, newer, huge or made to do harm are left out", () => {
  const wrong = [
    TEXT.slice(0, -9), "", "null", "[]", 7, undefined,
    { version: 2 }, { parents: "AQEBAQECAwQGAQIJ" }, { parents: KEPT.tags }, { kinds: "AQABCAMDAwMEBQYHYw==" }, { hashes: "" },
    { size: 14 }, { size: 1e12 }, { size: -1 }, { size: "13" }, { own_texts: "AQABAgMEBWM=" }, { template: "?" }, { names: {} },
    { scores: "AA==" }, { text_counts: "BQA=" }, { ids: null }, { names: KEPT.names.concat("x".repeat(300_000)) },
  ].map((one) => (typeof one === "object" ? JSON.stringify({ ...KEPT, ...one }) : one));
  for (const one of wrong) {
    const prepared = prepare([one, TEXT]);
    assert.deepEqual([prepared.usable.length, prepared.broken], [1, true], String(one).slice(0, 300));
  }
});

test("what is kept shows before the host has answered, and the host's answer takes its place", async () => {
  const { tabs, seen, state } = browserWith({
    packed: FURTHER,
    choices: stored(),
    extract: async () => {
      await until(() => state().name === "template");
      assert.deepEqual(seen.answers[0], { template: rangesOf(answers.further.template), content_texts: [], scores: [answers.further.scores], early: true });
      assert.match(seen.orders[0].panel.sentence, /remembered/i);
      return RESULT;
    },
  });
  await tabs.click(TAB);
  assert.deepEqual(seen.answers.at(-1), RESULT.answer);
  assert.equal(seen.styles, 2);
  assert.ok(seen.kept.timings.kept > 0);
});

test("where a part is not known the panel says that details may change, and a click cancels", async () => {
  const { tabs, seen, state } = browserWith({
    packed: { json: JSON.stringify(snapshots.changed) },
    choices: stored(),
    extract: (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });
  const click = tabs.click(TAB);
  await until(() => seen.orders.length === 1);
  assert.match(seen.orders[0].panel.sentence, /details may change/);
  assert.equal(state().name, "working");
  await tabs.click(TAB);
  await click;
  assert.deepEqual([state().name, seen.styles], ["idle", 0]);
});

test("a click on a page that shows what is kept leads on, whether or not the host has started", async () => {
  for (const hello of [HELLO, () => new Promise(() => {})]) {
    const { tabs, seen, state } = browserWith({
      packed: FURTHER,
      choices: stored(),
      hello,
      extract: (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    const click = tabs.click(TAB);
    await until(() => seen.states.some(({ name }) => name === "template"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await tabs.click(TAB);
    await click;
    assert.ok(seen.ran.includes("settle"));
    assert.deepEqual([state().name, seen.styles], ["original", 0]);
    await tabs.click(TAB);
    assert.deepEqual([state().name, state().remembered], ["content", true]);
  }
});

test("a click on what is kept leads on, too, while the work is ending after the host's answer", async () => {
  const { tabs, state } = browserWith({
    packed: FURTHER,
    choices: stored(),
    extract: async () => (await until(() => state().name === "template"), RESULT),
  });
  const { session } = globalThis.browser.storage;
  const get = session.get.bind(session);
  let isTidying = false;
  let goOn = () => {};
  const waiting = new Promise((resolve) => (goOn = () => resolve(null)));
  session.get = async (/** @type {any} */ keys) => {
    isTidying ||= keys === null;
    if (keys === null) await waiting;
    return get(keys);
  };
  const click = tabs.click(TAB);
  await until(() => isTidying);
  const next = tabs.click(TAB);
  goOn();
  await Promise.all([click, next]);
  assert.equal(state().name, "original");
});

test("a host that compares anew is waited for, and one that fails takes the view back", async () => {
  const { tabs, seen, state } = browserWith({
    packed: FURTHER,
    choices: stored(),
    extract: async (_, { onProgress }) => {
      await until(() => state().name === "template");
      onProgress({ pages_loaded: 1, pages_wanted: 3 });
      await until(() => state().name === "working");
      throw new HostError("stopped");
    },
  });
  await tabs.click(TAB);
  assert.deepEqual([state().name, seen.styles], ["error", 0]);
  assert.ok(seen.ran.includes("stop"));
});

test("nothing that is kept shows in a private window, of a site on the list, when the switch is off, or by another detector", async () => {
  const ways = [
    { incognito: true },
    { choices: { neverRemembered: ["example.org"] } },
    { choices: { remembers: false } },
    { choices: { detector: "temex" } },
  ];
  for (const { incognito, choices } of ways) {
    const { tabs, seen } = browserWith({ packed: FURTHER, incognito, choices: { ...stored(), ...choices } });
    await tabs.click(TAB);
    assert.equal(seen.answers.length, 1);
  }
});

test("after an answer what the host remembers is kept, and nothing is asked or kept of a private window", async () => {
  const asked = /** @type {any[]} */ ([]);
  const ask = handing((request) => (asked.push(request), { ids: [KEPT.id], templates: [KEPT] }));
  const { tabs, chosen } = browserWith({ packed: FURTHER, ask });
  await tabs.click(TAB);
  await until(() => "keptSites" in chosen);
  assert.deepEqual(asked, [{ type: "kept", url: "https://www.example.org/a", detector: null, ids: [] }]);
  assert.deepEqual(chosen, stored([TEXT]));
  const hidden = browserWith({ packed: FURTHER, ask, incognito: true });
  await hidden.tabs.click(TAB);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual([asked.length, hidden.chosen], [1, {}]);
});

test("what the host does not remember any more is dropped, and what was used longest ago makes room", async () => {
  const before = Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`kept:s${number}.example`, stored()[`kept:${SITE}`]]));
  const sites = Array.from({ length: 30 }, (_, number) => ({ site: `s${number}.example`, ids: [number === 17 ? "ff" : "ee"], bytes: 90_000 }));
  sites[12].bytes = 2_500_000;
  const ask = handing(({ ids }) => ({ ids: [KEPT.id], templates: [KEPT], gone: ids.filter((/** @type {string} */ id) => id === "ff") }));
  const { tabs, chosen } = browserWith({ packed: FURTHER, ask });
  Object.assign(chosen, before, { keptSites: sites });
  await tabs.click(TAB);
  await until(() => chosen.keptSites.at(-1).site === SITE);
  const left = [...sites.slice(13, 17), ...sites.slice(18)].map(({ site }) => site);
  assert.deepEqual(chosen.keptSites.map((/** @type {any} */ one) => one.site), [...left, SITE]);
  assert.deepEqual(Object.keys(chosen).sort(), [...left, SITE].map((site) => `kept:${site}`).concat("keptSites").sort());
});

test("what is damaged is dropped, and asked for again", async () => {
  /** @type {any[]} */
  const asked = [];
  const ask = handing((request) => (asked.push(request.ids), { ids: [KEPT.id], templates: [KEPT] }));
  const { tabs, chosen, seen } = browserWith({ packed: FURTHER, ask });
  Object.assign(chosen, stored(["{", TEXT]));
  await tabs.click(TAB);
  await until(() => asked.length === 1 && "keptSites" in chosen);
  assert.deepEqual([asked, chosen], [[[]], stored([TEXT])]);
  assert.equal(seen.answers.at(-1), RESULT.answer);
  chosen.keptSites = "no list";
  await tabs.viewChanged(TAB, "none");
  const other = browserWith({ packed: FURTHER, ask });
  Object.assign(other.chosen, { ...stored([TEXT]), keptSites: [7] });
  await other.tabs.click(TAB);
  await until(() => asked.length === 2 && other.chosen.keptSites[0].site === SITE);
});

test("what is cleared is gone, and so is what the host was asked for before", async () => {
  const { chosen, tabs } = browserWith({ packed: FURTHER, ask: async () => (await dropKept(), { ids: [KEPT.id], gone: [], templates: new Map([[KEPT.id, TEXT]]) }) });
  Object.assign(chosen, stored([TEXT]), { closeGaps: false });
  await tabs.click(TAB);
  await until(() => !("keptSites" in chosen));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(chosen, { closeGaps: false });
});

test("of a site that is put on the list nothing is kept, nor of any when the switch is put off", async () => {
  const { chosen } = browserWith();
  Object.assign(chosen, stored(), stored([TEXT], "news.example.com"));
  chosen.keptSites = [stored(), stored([TEXT], "news.example.com")].flatMap(({ keptSites }) => keptSites);
  chosen.neverRemembered = ["example.com"];
  await dropForbidden();
  assert.deepEqual(Object.keys(chosen), [`kept:${SITE}`, "keptSites", "neverRemembered"]);
  assert.deepEqual(chosen.keptSites.map((/** @type {any} */ one) => one.site), [SITE]);
  chosen.remembers = false;
  await dropForbidden();
  assert.deepEqual(Object.keys(chosen), ["neverRemembered", "remembers"]);
});
