import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { titleOf } from "../../extension/detectors.js";
import { i18n } from "./i18n.js";

const HOST = readFileSync(new URL("../../src/sitestencil/detectors/__init__.py", import.meta.url), "utf8");
const SPANISH = JSON.parse(readFileSync(new URL("../../extension/_locales/es/messages.json", import.meta.url), "utf8"));

test("every detector of the host has its title in English as the host has it, and one in Spanish", () => {
  const known = [...HOST.matchAll(/DetectorInfo\(\s*"([\w-]+)",\s*"([^"]+)"/g)].map(([, name, title]) => ({ name, title }));
  assert.equal(known.length, 8);
  /** @type {any} */ (globalThis).browser = { i18n: i18n() };
  for (const { name, title } of known) assert.equal(titleOf({ name, title: "?" }), title);
  /** @type {any} */ (globalThis).browser = { i18n: i18n(SPANISH) };
  for (const { name, title } of known) assert.ok(!["?", "", title].includes(titleOf({ name, title: "?" })), name);
});

test("a detector that the extension does not know has the host's title", () => {
  assert.equal(titleOf({ name: "moon", title: "Moon: by night" }), "Moon: by night");
});
