import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { ERRORS } from "../../extension/background/errors.js";
import { sentencesOf, textOf } from "../../extension/texts.js";
import { MESSAGES, i18n } from "./i18n.js";

const ROOT = new URL("../../", import.meta.url);
const PLURAL = /_(zero|one|two|few|many|other)$/;
const LOCALES = readdirSync(new URL("extension/_locales/", ROOT));

const HOST = readFileSync(new URL("src/sitestencil/detectors/__init__.py", ROOT), "utf8");
const DETECTORS = [...HOST.matchAll(/DetectorInfo\(\s*"([\w-]+)",\s*"([^"]+)"/g)].map(([, name, title]) => ({ name, title }));

/** @param {Record<string, import("./i18n.js").Entry>} messages */
function inLanguage(messages) {
  /** @type {any} */ (globalThis).browser = { i18n: i18n(messages) };
}

/** All of the extension's files with this ending, and the shared manifest. @param {string} ending */
const sources = (ending) =>
  [...readdirSync(new URL("extension/", ROOT), { recursive: true }).map((name) => `extension/${name}`), "manifest/extension.json"]
    .filter((name) => name.endsWith(ending) && !name.includes("_locales"))
    .map((name) => readFileSync(new URL(name, ROOT), "utf8"))
    .join("\n");

/** @type {(text: string, pattern: RegExp) => string[]} */
const all = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);

const named = new Set(Object.keys(MESSAGES).map((name) => name.replace(PLURAL, "")));

test("every text that a page of the extension, the manifest or a script names is there", () => {
  const inScripts = sources(".js");
  const used = [
    ...all(sources(".html"), /data-text="([^"]*)"/g),
    ...all(sources(".json"), /__MSG_(\w+)__/g),
    ...all(inScripts, /textOf\(\[\s*"(\w+)"/g),
    ...all(inScripts, /\[\["(\w+)"/g),
    ...all(inScripts, /"((?:title|panel|inspect|doubt|welcome|privacy|permission|host|error|impossible|status|report|help|options)_\w+)"/g),
  ];
  assert.ok(used.length > 80);
  for (const name of used) assert.ok(named.has(name), name);
});

test("every text is used", () => {
  const used = new Set([
    ...all(sources(".html"), /data-text="([^"]*)"/g),
    ...all(sources(".json"), /__MSG_(\w+)__/g),
    ...all(sources(".js"), /"(\w+)"/g),
  ]);
  // Some names are put together, as `panel_${button}`.
  const types = ["host_messages", "messages"].map((name) => readFileSync(new URL(`extension/${name}.d.ts`, ROOT), "utf8")).join("\n");
  const parts = new Set([
    ...all(sources(".js"), /[" ](?:impossible_)?(\w+)\b/g),
    ...all(types, /"(\w+)"/g),
    ...DETECTORS.map(({ name }) => name.replaceAll("-", "_")),
  ]);
  const begins = all(sources(".js"), /`(\w+_)\$\{/g);
  /** @type {(name: string) => boolean} */
  const isMade = (name) => begins.some((begin) => name.startsWith(begin) && isPart(name.slice(begin.length).replace(/_how$/, "")));
  const isPart = (/** @type {string} */ rest) => parts.has(rest) || isMade(rest);
  assert.deepEqual([...named].filter((name) => !used.has(name) && !isMade(name)), []);
});

test("every language has every text, with the same placeholders, and all plural forms of its own", () => {
  for (const locale of LOCALES) {
    /** @type {Record<string, import("./i18n.js").Entry>} */
    const messages = JSON.parse(readFileSync(new URL(`extension/_locales/${locale}/messages.json`, ROOT), "utf8"));
    assert.deepEqual(new Set(Object.keys(messages).map((name) => name.replace(PLURAL, ""))), named);
    assert.ok(messages.description.message.length <= 132, locale);
    const forms = new Intl.PluralRules(messages.language.message).resolvedOptions().pluralCategories;
    for (const [name, { message, placeholders = {} }] of Object.entries(messages)) {
      const english = MESSAGES[name] ?? MESSAGES[name.replace(PLURAL, "_other")];
      assert.deepEqual(numbersOf(placeholders), numbersOf(english.placeholders), `${locale}: ${name}`);
      assert.ok(message.trim(), `${locale}: ${name}`);
      assert.deepEqual(new Set(all(message, /\$(\w+)\$/g).map((one) => one.toLowerCase())), new Set(Object.keys(placeholders)), name);
      if (PLURAL.test(name)) for (const form of forms) assert.ok(messages[name.replace(PLURAL, `_${form}`)], `${name}: ${form}`);
    }
  }
});

/** Which value stands in which placeholder. @param {Record<string, {content: string}>} [placeholders] */
const numbersOf = (placeholders = {}) => Object.fromEntries(Object.entries(placeholders).map(([name, { content }]) => [name, content]));

test("English and Spanish are there, and what a language says is not left in English", () => {
  assert.deepEqual(LOCALES.toSorted(), ["en", "es"]);
  const spanish = JSON.parse(readFileSync(new URL("extension/_locales/es/messages.json", ROOT), "utf8"));
  const same = Object.keys(MESSAGES).filter((name) => spanish[name].message === MESSAGES[name].message);
  assert.deepEqual(same, ["direction", "name", "panel_reading_sepia"]);
});

test("every detector of the host has its title, in English as the host has it", () => {
  assert.equal(DETECTORS.length, 8);
  const titles = DETECTORS.map(({ name }) => MESSAGES[`detector_${name.replaceAll("-", "_")}`]?.message);
  assert.deepEqual(titles, DETECTORS.map(({ title }) => title));
});

test("browsers and stores take the names, and the description's length", () => {
  for (const name of Object.keys(MESSAGES)) assert.match(name, /^[a-z_]+$/);
  assert.ok(MESSAGES.description.message.length <= 132);
});

test("numbers, texts and other phrases stand where the text wants them", () => {
  inLanguage(MESSAGES);
  assert.match(textOf(["title_error", "The moon is in the way."]), /: The moon is in the way\. Click/);
  assert.match(textOf(["title_working_of", 3, 2]), /2 of 3\. Click/);
  assert.equal(textOf(["title_error", ["error_unknown", "No $1 moon."]]), "Sitestencil: The helper program says: No $1 moon. Click to try again");
  assert.equal(sentencesOf([["title_template"], ["title_click_for_page"]]), "Sitestencil: this is the template. Click to go back to the page");
});

test("the first number decides the plural, by the rules of the language that the texts are in", () => {
  inLanguage(MESSAGES);
  assert.match(textOf(["title_more_pages", 1]), /^Compare 1 more similar page for/);
  assert.match(textOf(["title_more_pages", 2]), /^Compare 2 more similar pages for/);
  inLanguage({
    language: { message: "pl" },
    title_more_pages_one: { message: "one" },
    title_more_pages_few: { message: "few" },
    title_more_pages_other: { message: "other" },
  });
  assert.deepEqual([1, 2, 5].map((count) => textOf(["title_more_pages", count])), ["one", "few", "other"]);
});

test("every error of the protocol has a text of its own", () => {
  const protocol = readFileSync(new URL("host/PROTOCOL.md", ROOT), "utf8");
  const numbers = all(protocol, /^\| (\d{3}) \|/gm);
  assert.deepEqual(Object.keys(ERRORS), numbers);
});

test("a value in a text brings no character that reorders or breaks the line", () => {
  inLanguage(MESSAGES);
  const shown = textOf(["sites_take_back_of", "a\u202eb\u2066c\u0007d"]);
  assert.ok(shown.includes("abcd"), shown);
});

test("scripts in pages leave out the same characters as the extension's pages", () => {
  const [own, copy] = ["texts.js", "page/panel.js"].map((name) => /const UNFIT = (.*);/.exec(readFileSync(new URL(`extension/${name}`, ROOT), "utf8"))?.[1]);
  assert.ok(own);
  assert.equal(copy, own);
});
