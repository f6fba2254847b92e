import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, plain } from "./page.js";

const { answer, plan } = openPage("").sitestencil;

/**
 * Columns from one line per element: depth by indentation, then T or C, then what else is true of it.
 * @param {string} text
 */
function columns(text) {
  /** @type {number[]} */
  const path = [];
  const parents = [];
  const facts = text.split("\n").filter((line) => line.trim());
  for (const [index, line] of facts.entries()) {
    const depth = line.search(/\S/) / 2;
    path[depth] = index;
    parents.push(depth ? path[depth - 1] : -1);
  }
  const column = (/** @type {RegExp} */ pattern) => facts.map((line) => Number(pattern.test(line)));
  return { parents, shown: column(/T/), visible: column(/^(?!.*hidden)/), markable: column(/^(?!.*shadow root)/), roots: column(/root of/), now: column(/shows now/) };
}

/** @param {Map<number, string>} marks */
const list = (marks) => plain([...marks]);

test("one mark on top hides a whole piece of content", () => {
  const page = columns(`
T root of document
  T
    C
      C
      C
    T`);
  assert.deepEqual(list(plan.plan(page)), [[2, "hide"]]);
});

test("template inside content is shown again, and content inside that hidden again", () => {
  const page = columns(`
T root of document
  C
    T
      T
      C`);
  assert.deepEqual(list(plan.plan(page)), [[1, "hide"], [2, "show"], [4, "hide"]]);
});

test("template that the page itself hides stays hidden", () => {
  const page = columns(`
T root of document
  C
    T hidden by the page`);
  assert.deepEqual(list(plan.plan(page)), [[1, "hide"]]);
});

test("content that the page hides now is marked, so that it does not come out when a menu opens", () => {
  const page = columns(`
T root of document
  C hidden by the page`);
  assert.deepEqual(list(plan.plan(page)), [[1, "hide"]]);
});

test("a shadow root takes no mark, and what is below it is seen from its host", () => {
  const page = columns(`
T root of document
  T
    C shadow root
      C
      T`);
  assert.deepEqual(list(plan.plan(page)), [[3, "hide"]]);
});

test("a frame's document inherits nothing from the page around it", () => {
  const page = columns(`
T root of document
  C
    C root of frame
      T`);
  assert.deepEqual(list(plan.plan(page)), [[1, "hide"], [2, "hide"], [3, "show"]]);
});

test("content that the page's rules show in spite of its hidden parent gets a mark of its own", () => {
  const page = columns(`
T root of document, shows now
  C
    C shows now
    C`);
  assert.deepEqual(list(plan.missed(page)), [[2, "hide"]]);
});

test("nothing is missed where all shows as it should", () => {
  const page = columns(`
T root of document, shows now
  C
    T shows now
    T hidden by the page`);
  assert.deepEqual(list(plan.missed(page)), []);
});

test("ranges make a mask, half open", () => {
  assert.deepEqual([...answer.mask([[0, 2], [3, 4]], 5)], [1, 1, 0, 1, 0]);
});

test("ranges beyond the snapshot are refused", () => {
  assert.throws(() => answer.mask([[3, 6]], 5), /names nodes 3 to 6 of 5/);
  assert.throws(() => answer.mask([[-1, 2]], 5), /names nodes/);
});

const bytes = (/** @type {number[]} */ ...values) => Uint8Array.from(values);

test("without the content, the template shows, but for the texts in it that are content", () => {
  const page = { template: bytes(1, 1, 0), contentTexts: bytes(0, 1, 0), rest: bytes(), mainTexts: bytes() };
  assert.deepEqual(plain(plan.without("content", page, [1, 1, 2])), plain({ elements: bytes(1, 1, 0), hiddenTexts: bytes(0, 1, 0) }));
});

test("without the template, the content shows, and of the template only what holds text of the content", () => {
  const page = { template: bytes(1, 1, 0, 1), contentTexts: bytes(0, 1, 0, 0), rest: bytes(), mainTexts: bytes() };
  assert.deepEqual(
    plain(plan.without("template", page, [1, 1, 2, 3])),
    plain({ elements: bytes(0, 1, 1, 0), hiddenTexts: bytes(1, 0, 0, 1) }),
  );
});

test("without the rest, the main content shows, and of the rest only what holds main texts", () => {
  const page = { template: bytes(1, 0, 0), contentTexts: bytes(0, 0, 0), rest: bytes(1, 1, 0), mainTexts: bytes(0, 1, 0) };
  assert.deepEqual(
    plain(plan.without("rest", page, [0, 1, 2])),
    plain({ elements: bytes(0, 1, 1), hiddenTexts: bytes(1, 0, 0) }),
  );
});

test("content without main content inside is around it", () => {
  const parents = [0, 0, 0, 2, 0, 4, 0];
  const page = {
    template: bytes(1, 0, 0, 0, 1, 0, 0),
    contentTexts: bytes(),
    rest: bytes(1, 0, 1, 0, 1, 1, 1),
    mainTexts: bytes(0, 1),
  };
  assert.deepEqual([...plan.around(page, { parents }, [0, 6])], [0, 0, 0, 0, 0, 1, 0]);
});

test("what shows without the template is marked through the page's root", () => {
  const page = columns(`
C root of document
  C
    T
  C`);
  assert.deepEqual(list(plan.plan(page)), [[0, "hide"], [2, "show"]]);
});

test("closed gaps are on top of each piece in which nothing shows, within hidden pieces too", () => {
  const page = columns(`
T root of document
  C
    T
    C
      C
  T
    C
    T`);
  assert.deepEqual(list(plan.gaps(page)), [[3, "gone"], [6, "gone"]]);
});

test("what held only a corrected element goes with it, but not what holds a text or another element", () => {
  const page = columns(`
T root of document
  T
    T
      C
  T
    C
    T
  T
    C`);
  const cut = new Set([3, 5, 8]);
  const gaps = plan.gaps(page, (/** @type {number} */ index) => cut.has(index), (/** @type {number} */ index) => index === 7);
  assert.deepEqual(list(gaps), [[1, "gone"], [5, "gone"], [8, "gone"]]);
});

test("a frame whose content shows nothing goes as a whole; what shows in it stays hidden with it", () => {
  const page = columns(`
T root of document
  C
    T root of frame
      T
  T
    C shadow root
      C
      T`);
  assert.deepEqual(list(plan.gaps(page)), [[1, "gone"], [6, "gone"]]);
});

test("scores are a byte an element, whatever pieces they come in", () => {
  const base64 = (/** @type {number[]} */ ...values) => Buffer.from(values).toString("base64");
  assert.deepEqual([...answer.bytesOf([base64(0, 255), "", base64(7)], 3)], [0, 255, 7]);
  const many = Uint8Array.from({ length: 200_000 }, (_, index) => index % 256);
  const slices = [many.subarray(0, 100_001), many.subarray(100_001)].map((slice) => Buffer.from(slice).toString("base64"));
  assert.deepEqual(Buffer.from(answer.bytesOf(slices, many.length)), Buffer.from(many));
});

test("scores of more or fewer elements than the page has are refused", () => {
  assert.throws(() => answer.bytesOf(["AAAA"], 2), /scores of more than 2 elements/);
  assert.throws(() => answer.bytesOf(["AAAA"], 4), /scores of 3 elements, of 4/);
});
