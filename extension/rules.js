/** The rules of a person's corrections, and their files (pure). */

const VERSION = 1;
export const MOST_RULES = 200;
export const MOST_SITES = 2000;
export const LONGEST_SELECTOR = 1000;
export const MOST_BYTES = 2_000_000;
export const MOST_BOXES = 32;
const LONGEST_ADDRESS = 10_000;

const IDENT = String.raw`-?[A-Za-z_\u0080-\uffff][\w\u0080-\uffff-]*`;
const VALUE = String.raw`(?:"[^"\\\n]*"|'[^'\\\n]*'|${IDENT})`;
const PARTS = [
  String.raw`[.#]${IDENT}`,
  String.raw`\[\s*${IDENT}\s*(?:[~|^$*]?=\s*${VALUE}\s*)?\]`,
  String.raw`:(?:root|first-child|last-child|first-of-type)(?![\w-])`,
  String.raw`:nth-(?:child|of-type)\([\dn+\s-]{1,20}\)`,
];
const COMPOUND = String.raw`(?:(?:\*|${IDENT})(?:${PARTS.join("|")})*|(?:${PARTS.join("|")})+)`;
const COMBINATOR = String.raw`(?:\s*[>+~,]\s*|\s+)`;
const BOX = /^[a-z][a-z0-9-]*(?:[.#]-?[A-Za-z_][\w-]*)*$/;
const FIRST = new RegExp(`^${COMPOUND}`);
const NEXT = new RegExp(`^${COMBINATOR}${COMPOUND}`);

/** @type {(selector: string) => boolean} whether it has only parts that rules may have; the command refuses others */
export function isSelector(selector) {
  if (selector.length > LONGEST_SELECTOR) return false;
  const first = FIRST.exec(selector);
  if (!first) return false;
  let rest = selector.slice(first[0].length);
  while (rest) {
    const next = NEXT.exec(rest);
    if (!next) return false;
    rest = rest.slice(next[0].length);
  }
  return true;
}

/**
 * @param {RulesFile["sites"]} sites
 * @param {string} site
 * @param {Correction} correction
 * @param {boolean} undone
 * @returns {RulesFile["sites"]} the rules after a correction or its undoing; the oldest make room
 */
export function changed(sites, site, { added, removed }, undone) {
  const kept = (Object.hasOwn(sites, site) ? sites[site] : []).filter((rule) => !isSame(rule, added));
  const rules = [...kept, ...(undone ? removed : [added])].slice(-MOST_RULES);
  const others = Object.entries(sites).filter(([name]) => name !== site);
  return Object.fromEntries(rules.length ? [...others.slice(1 - MOST_SITES), [site, rules]] : others);
}

/** @type {(one: Rule, other: Rule) => boolean} whether two rules are of the same elements and pages */
export function isSame(one, other) {
  const [first, second] = [one, other].map(({ selector, page, where = [] }) => JSON.stringify([selector, page, where]));
  return first === second;
}

/** @type {(sites: RulesFile["sites"]) => string} a file of rules */
export function textOfRules(sites) {
  const sorted = Object.fromEntries(Object.entries(sites).sort(([one], [other]) => (one < other ? -1 : 1)).map(([site, rules]) => [site, rules.map(bare)]));
  return `${JSON.stringify({ sitestencil_rules: VERSION, sites: sorted }, null, 1)}\n`;
}

/** @type {(text: string) => {sites: RulesFile["sites"]} | {problem: Phrase}} the rules of a file, or the reason why they are invalid */
export function rulesIn(text) {
  if (text.length > MOST_BYTES) return { problem: ["rules_too_long"] };
  /** @type {any} */
  let file;
  try {
    file = JSON.parse(text);
  } catch (error) {
    return { problem: ["rules_no_json", error instanceof Error ? error.message : ""] };
  }
  if (!isObject(file) || !isObject(file.sites)) return { problem: ["rules_no_rules"] };
  if (file.sitestencil_rules !== VERSION) return { problem: ["rules_other_version"] };
  const entries = Object.entries(file.sites);
  if (entries.length > MOST_SITES) return { problem: ["rules_too_long"] };
  for (const [site, rules] of entries) {
    if (!Array.isArray(rules) || rules.length > MOST_RULES) return { problem: ["rules_wrong_site", site] };
    const wrong = rules.find((rule) => !isRule(rule));
    if (wrong !== undefined) return { problem: ["rules_wrong_rule", site, JSON.stringify(wrong).slice(0, 100)] };
  }
  const sites = entries.map(([site, rules]) => [site, rules.map(bare)]);
  return { sites: Object.fromEntries(sites) };
}

/** @type {(value: any) => boolean} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @type {(rule: Rule) => Rule} a rule without all that rules do not have */
function bare({ selector, is, page, where, off }) {
  return { selector, is, ...(page && { page }), ...(where?.length && { where }), ...(off && { off }) };
}

/** @type {(rule: any) => boolean} */
function isRule(rule) {
  if (!isObject(rule) || typeof rule.selector !== "string" || !isSelector(rule.selector)) return false;
  const { is, page = "", where = [], off = false } = rule;
  const isPage = typeof page === "string" && page.length <= LONGEST_ADDRESS;
  const areBoxes = Array.isArray(where) && where.length <= MOST_BOXES && where.every((box) => typeof box === "string" && BOX.test(box));
  return (is === "template" || is === "content") && isPage && areBoxes && typeof off === "boolean";
}
