import assert from "node:assert/strict";
import { test } from "node:test";
import { LONGEST_SELECTOR, MOST_BYTES, MOST_RULES, MOST_SITES, changed, isSelector, rulesIn, textOfRules } from "../../extension/rules.js";

/** @type {(selector: string, is?: string) => any} */
const rule = (selector, is = "content") => ({ selector, is });
/** @type {(sites: unknown, version?: unknown) => string} */
const file = (sites, version = 1) => JSON.stringify({ sitestencil_rules: version, sites });

test("what can cost much, or means something else to the command, is no rule's selector", () => {
  for (const bad of ["a/**/", "\\31 a", "a b".repeat(LONGEST_SELECTOR)]) {
    assert.ok(!isSelector(bad), bad);
  }
});

test("a selector made to take long is refused at once", () => {
  const start = performance.now();
  for (const part of ["a-", "a ", ".a", "[a=", "a>", ":nth-child("]) isSelector(`${part.repeat(LONGEST_SELECTOR / part.length - 1)}!`);
  assert.ok(performance.now() - start < 500);
});

test("a file of rules is read again as it was written, and only with what rules have", () => {
  const sites = { "b.example": [rule(".news"), rule(".news > h2", "template")], "a.example": [rule("#x")] };
  assert.deepEqual(rulesIn(textOfRules(sites)), { sites });
  assert.match(textOfRules(sites), /^\{\n "sitestencil_rules": 1,\n "sites": \{\n {2}"a\.example"/);
  assert.deepEqual(rulesIn(file({ "a.example": [{ ...rule("p"), more: 1 }] })), { sites: { "a.example": [rule("p")] } });
});

test("a rule may be off, of one page, or of one kind of page", () => {
  const sites = { "a.example": [{ ...rule("p"), page: "https://a.example/?x" }, { ...rule("p"), where: ["body.single", "x-main#a.b"], off: true }] };
  assert.deepEqual(rulesIn(textOfRules(sites)), { sites });
  assert.deepEqual(rulesIn(file({ "a.example": [{ ...rule("p"), where: [], off: false }] })), { sites: { "a.example": [rule("p")] } });
});

test("a file that cannot be used is refused, and it is said why", () => {
  const many = Array.from({ length: MOST_RULES + 1 }, () => rule("a"));
  const sites = Object.fromEntries(Array.from({ length: MOST_SITES + 1 }, (_, number) => [`${number}.example`, []]));
  /** @type {Array<[string, string]>} */
  const cases = [
    ["{", "rules_no_json"],
    ["[]", "rules_no_rules"],
    ["null", "rules_no_rules"],
    [file([]), "rules_no_rules"],
    [file({}, 2), "rules_other_version"],
    [file({ "a.example": {} }), "rules_wrong_site"],
    [file({ "a.example": many }), "rules_wrong_site"],
    [file({ "a.example": [rule("a:has(b)")] }), "rules_wrong_rule"],
    [file({ "a.example": [rule("a", "maybe")] }), "rules_wrong_rule"],
    [file({ "a.example": [null] }), "rules_wrong_rule"],
    [file({ "a.example": [{ ...rule("p"), page: 1 }] }), "rules_wrong_rule"],
    [file({ "a.example": [{ ...rule("p"), where: "body" }] }), "rules_wrong_rule"],
    [file({ "a.example": [{ ...rule("p"), where: ["body > p"] }] }), "rules_wrong_rule"],
    [file({ "a.example": [{ ...rule("p"), off: "no" }] }), "rules_wrong_rule"],
    [file(sites), "rules_too_long"],
    [" ".repeat(MOST_BYTES + 1), "rules_too_long"],
  ];
  for (const [text, problem] of cases) {
    const read = rulesIn(text);
    assert.equal("problem" in read && read.problem[0], problem, text.slice(0, 80));
  }
});

test("a correction is kept for its site, and gone when it is undone", () => {
  const before = { "a.example": [rule(".x"), rule(".y")], "b.example": [rule("p")] };
  const correction = { added: rule(".x", "template"), removed: [rule(".x")] };
  const after = changed(before, "a.example", correction, false);
  assert.deepEqual(after["a.example"], [rule(".y"), rule(".x", "template")]);
  assert.deepEqual(after["b.example"], [rule("p")]);
  assert.deepEqual(changed(after, "a.example", correction, true)["a.example"], [rule(".y"), rule(".x")]);
  assert.deepEqual(changed({ "a.example": [rule("p")] }, "a.example", { added: rule("p"), removed: [] }, true), {});
});

test("corrections of the same selector on other pages stay", () => {
  const before = { "a.example": [{ ...rule(".x"), page: "https://a.example/" }, { ...rule(".x"), where: ["body"] }, { ...rule(".y"), off: true }] };
  const after = changed(before, "a.example", { added: { ...rule(".x", "template"), where: ["body"] }, removed: [] }, false)["a.example"];
  assert.deepEqual(after, [before["a.example"][0], before["a.example"][2], { ...rule(".x", "template"), where: ["body"] }]);
});

test("the corrections made longest ago make room", () => {
  const full = { "a.example": Array.from({ length: MOST_RULES }, (_, number) => rule(`.a${number}`)) };
  const after = changed(full, "a.example", { added: rule(".new"), removed: [] }, false)["a.example"];
  assert.equal(after.length, MOST_RULES);
  assert.deepEqual([after[0], after.at(-1)], [rule(".a1"), rule(".new")]);
});
