import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { element, fillTexts, greet, showCommand, showKeys } from "../../extension/pages/connection.js";
import { i18n } from "./i18n.js";

/**
 * A page of the extension in place of this program's own document.
 * @param {string} name
 * @param {{answer?: any, commands?: Array<{name: string, shortcut: string}>}} [options]
 * @returns {Document}
 */
function openPage(name, { answer, commands = [] } = {}) {
  const html = readFileSync(new URL(`../../extension/pages/${name}.html`, import.meta.url), "utf8");
  const { window } = /** @type {any} */ (new JSDOM(html));
  Object.assign(globalThis, {
    document: window.document,
    HTMLElement: window.HTMLElement,
    HTMLButtonElement: window.HTMLButtonElement,
    browser: {
      i18n: i18n(),
      commands: { getAll: async () => commands },
      runtime: { sendMessage: async (/** @type {any} */ message) => message.type === "hello" && answer },
    },
  });
  return window.document;
}

/** @param {Element | null | undefined} one */
const textIn = (one) => one?.textContent?.replace(/\s+/g, " ").trim();

for (const name of ["help", "impossible", "options", "privacy", "welcome"]) {
  test(`on the ${name} page, every text is filled in and none is left out`, () => {
    const document = openPage(name);
    fillTexts();
    for (const one of document.querySelectorAll("[data-text]")) assert.ok(textIn(one), one.outerHTML);
    assert.doesNotMatch(document.documentElement.textContent ?? "", /\$|\ue000|undefined/);
    assert.equal(document.documentElement.lang, "en");
  });
}

test("what stands in an element with a text takes its place in that text, filled in itself", () => {
  const document = openPage("help");
  fillTexts();
  const [install, register, comeBack] = document.querySelectorAll("li");
  assert.equal(textIn(install), "Install the helper program. You need Python 3.11 or later, and pipx. In the folder of Sitestencil's source, run: pipx install . && pipx ensurepath");
  assert.equal(install.querySelector("code")?.textContent, "pipx install . && pipx ensurepath");
  assert.equal(textIn(register), "Open a new terminal, and connect your browsers: sitestencil install");
  assert.equal(textIn(comeBack), "Come back here and click Try again.");
  assert.equal(comeBack.querySelector("em")?.textContent, "Try again");
});

test("the command is the one for this system", async () => {
  for (const [os, command] of [["linux", "pipx install . && pipx ensurepath"], ["mac", "pipx install . && pipx ensurepath"], ["win", "pipx install .; pipx ensurepath"]]) {
    openPage("help");
    /** @type {any} */ (globalThis).browser.runtime.getPlatformInfo = async () => ({ os });
    fillTexts();
    await showCommand(element("command", globalThis.HTMLElement));
    assert.equal(element("command", globalThis.HTMLElement).textContent, command);
  }
});

test("the keys are said as they really are, and not at all where a command has none", async () => {
  const commands = [{ name: "_execute_action", shortcut: "Alt+Shift+1" }, { name: "save-template", shortcut: "" }];
  const document = openPage("options", { commands });
  fillTexts();
  await showKeys();
  const keys = [...document.querySelectorAll("p:has([data-command])")];
  const [toggle, save] = [keys[0], keys[keys.length - 1]];
  assert.equal(textIn(toggle), "Show the template, the page, and the content in turn. Key: Alt+Shift+1");
  assert.equal(toggle.querySelector("kbd")?.textContent, "Alt+Shift+1");
  assert.equal(textIn(save), "Save what you see: the template or the content.");
});

test("the status says how the handshake went, and what the browser says of a failure", async () => {
  const document = openPage("help", { answer: { ok: true, hello: { version: "1.2.3" } } });
  await greet();
  const status = element("status", globalThis.HTMLElement);
  assert.equal(document.getElementById("status"), status);
  assert.deepEqual([status.dataset.outcome, textIn(status)], ["good", "The helper program is ready (version 1.2.3)."]);
  openPage("help", { answer: { ok: false, problem: ["host_exited"], detail: "Native host has exited." } });
  await greet();
  const failed = element("status", globalThis.HTMLElement);
  assert.equal(failed.dataset.outcome, "bad");
  assert.match(String(textIn(failed)), /could not start, or stopped at once\. \(The browser says: Native host has exited\.\)/);
});

test("an element that a script counts on is there, and of its kind", () => {
  openPage("help");
  assert.equal(element("again", globalThis.HTMLButtonElement).id, "again");
  assert.throws(() => element("status", globalThis.HTMLButtonElement), /no HTMLButtonElement with the id status/);
});
