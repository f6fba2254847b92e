/** The options' corrections: a line for each, by site; exported and imported as a file. */

import { choice, choose } from "../background/memory.js";
import { MOST_BYTES, isSame, isSelector, rulesIn, textOfRules } from "../rules.js";
import { printable, textOf } from "../texts.js";
import { element } from "./connection.js";
import { lineOf, replaceLines } from "./lists.js";

const FILE_NAME = "sitestencil-rules.json";
const IS = /** @type {const} */ ({ template: "rules_is_template", content: "rules_is_content" });
const HASH = "#corrections:";

/** Shows the corrections, and stores changes. The panel leads to those of one site. */
export async function showCorrections() {
  const file = element("rules-file", HTMLInputElement);
  element("export-rules", HTMLButtonElement).addEventListener("click", () => void exportRules());
  element("import-rules", HTMLButtonElement).addEventListener("click", () => file.click());
  file.addEventListener("change", () => void importRules(file));
  browser.storage.local.onChanged.addListener((changes) => {
    if ("rules" in changes) void show();
  });
  await show();
  if (!location.hash.startsWith(HASH)) return;
  const heading = document.getElementById(`site:${decodeURIComponent(location.hash.slice(HASH.length))}`);
  (heading ?? element("rules", HTMLElement)).scrollIntoView();
  heading?.focus();
}

const kept = async () => (await choice("rules")) ?? {};

async function show() {
  const sites = Object.entries(await kept()).sort(([one], [other]) => (one < other ? -1 : 1));
  replaceLines(element("rules", HTMLElement), sites.flatMap(([site, rules]) => listOf(site, rules)));
  element("no-rules", HTMLElement).hidden = sites.length > 0;
}

/** @type {(site: string, rules: ReadonlyArray<Rule>) => HTMLElement[]} */
function listOf(site, rules) {
  const heading = document.createElement("h3");
  heading.id = `site:${site}`;
  heading.tabIndex = -1;
  heading.textContent = site;
  const list = document.createElement("ul");
  list.className = "lines";
  list.setAttribute("aria-labelledby", heading.id);
  list.append(
    ...rules.map((rule) => lineOf(partsOf(site, rule), textOf(["rules_delete", rule.selector, site]), () => void change(site, rule, []))),
  );
  return [heading, list];
}

/** @type {(site: string, rule: Rule) => HTMLElement} its switch with words, and its selector to edit */
function partsOf(site, rule) {
  const { off, words, ...on } = rule;
  const [parts, label, text] = ["div", "label", "span"].map((name) => document.createElement(name));
  const [box, selector] = [document.createElement("input"), document.createElement("input")];
  box.type = "checkbox";
  box.setAttribute("role", "switch");
  box.checked = !off;
  box.addEventListener("change", () => void change(site, rule, [{ ...on, ...(words && { words }), ...(!box.checked && { off: true }) }]));
  selector.className = "selector";
  selector.value = printable(rule.selector);
  selector.setAttribute("aria-label", textOf(["rules_selector", site]));
  selector.addEventListener("change", () => {
    // Its words were of another element.
    if (isSelector(selector.value)) return void change(site, rule, [{ ...on, selector: selector.value, ...(off && { off }) }]);
    say(["rules_wrong_rule", site, selector.value], "bad");
    selector.value = printable(rule.selector);
  });
  text.textContent = [...(words ? [textOf(["rules_box", words])] : []), `${textOf([IS[rule.is]])}, ${textOf(pagesOf(rule))}`].join(" ");
  if (rule.where) text.title = printable(rule.where.join(" > "));
  label.append(box, text);
  parts.append(label, selector);
  return parts;
}

/** @type {(rule: Rule) => Phrase} */
function pagesOf({ page, where }) {
  if (page) return ["rules_on_page", URL.canParse(page) ? page.slice(new URL(page).origin.length) : page];
  return [where ? "rules_on_kind" : "rules_on_all"];
}

/** @type {(site: string, rule: Rule, replacement: ReadonlyArray<Rule>) => Promise<void>} */
async function change(site, rule, replacement) {
  const { [site]: rules = [], ...others } = await kept();
  const changed = rules.flatMap((one) => (isSame(one, rule) ? replacement : one));
  await choose({ rules: changed.length ? { ...others, [site]: changed } : others });
}

/** @param {HTMLInputElement} input */
async function importRules(input) {
  const [file] = input.files ?? [];
  input.value = "";
  if (!file) return;
  if (file.size > MOST_BYTES) return say(["rules_too_long"], "bad");
  const read = rulesIn(await file.text());
  if ("problem" in read) return say(read.problem, "bad");
  await choose({ rules: { ...(await kept()), ...read.sites } });
  say(["rules_imported"], "good");
}

async function exportRules() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([textOfRules(await kept())], { type: "application/json" }));
  link.download = FILE_NAME;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @type {(phrase: Phrase, outcome: "good" | "bad") => void} */
function say(phrase, outcome) {
  const status = element("rules-status", HTMLElement);
  status.hidden = false;
  status.dataset.outcome = outcome;
  status.textContent = textOf(phrase);
}
