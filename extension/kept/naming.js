/** How the program names what it compares (pure): as Python reads white space, digits and the case of letters. */

const SPACE = String.raw`[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
const ONE_SPACE = new RegExp(SPACE);
const SPACES = new RegExp(`${SPACE}+`);
const ALL_SPACE = new RegExp(`^${SPACE}+$`);
const DIGITS = /\p{Nd}+/gu;
const PLACE_IN_MENU =
  /(^|[-_])(act[iıİ]ve|current|selected|open|opened|toggled|here|show|expanded|collapsed|[iıİ]n)([-_]|$)/iu;
const MOST_CLASSES = 8;

/** @type {(text: string) => string} a text without the white space around it */
export function stripped(text) {
  // No expression finds the end's: each space of a long row inside would be looked at again from every one before it.
  let [start, end] = [0, text.length];
  while (start < end && ONE_SPACE.test(text[start])) start++;
  while (end > start && ONE_SPACE.test(text[end - 1])) end--;
  return text.slice(start, end);
}

/** @type {(text: string) => boolean} whether it is white space, and any */
export function isSpace(text) {
  return ALL_SPACE.test(text);
}

/** @type {(name: string) => string} a name with all numbers alike */
export function withoutNumbers(name) {
  return name.replace(DIGITS, "0");
}

/**
 * @param {string} tag
 * @param {string | undefined} classes the attribute's value
 * @returns {string} tag and classes, whatever their order; the tag alone for `body`, whose classes name the page
 */
export function kindOf(tag, classes) {
  if (!classes || tag === "body") return tag;
  const names = classes.split(SPACES).filter(Boolean).slice(0, MOST_CLASSES);
  const kinds = names.filter((name) => !PLACE_IN_MENU.test(name)).map(withoutNumbers);
  return `${tag}.${kinds.sort(byCodePoints).join(" ")}`;
}

/** @type {(one: string, other: string) => number} */
function byCodePoints(one, other) {
  const [points, others] = [[...one], [...other]];
  const at = points.findIndex((point, index) => point !== others[index]);
  if (at < 0) return points.length - others.length;
  if (at >= others.length) return 1;
  return /** @type {number} */ (points[at].codePointAt(0)) - /** @type {number} */ (others[at].codePointAt(0));
}

/** Numbers for names, the same for pages that are compared, and which of them have classes. */
export class Names {
  /** @type {Map<string, number>} */
  #numbers = new Map();
  /** Whether each has a dot in it. @type {boolean[]} */
  hasClasses = [];

  /** @type {(name: string) => number} */
  number(name) {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      this.#numbers.set(name, (number = this.#numbers.size));
      this.hasClasses.push(name.includes("."));
    }
    return number;
  }
}
