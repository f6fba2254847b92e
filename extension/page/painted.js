"use strict";

/** The last look at a view: what share of the kept text that a person could read on the page can be read in it. It reads a sample of bounded size. */
sitestencil.painted ??= (() => {
  const { dom } = sitestencil;
  const MOST = 48;
  const LEAST_SIDE = 2;
  // In characters: enough to hold a word.
  const WORD = 16;
  // A window or a line of text that keeps less than this share of its size is squeezed; a line also holds few characters then.
  const LEAST_ROOM = 0.5;
  // Ideographs and kana: a line of them has half as many.
  const WIDE = /[\u2e80-\uffdc]/g;
  const SHORT_LINE = 12;
  const MASK = /url\("#([^"]+)"\)/;

  /** @typedef {Sample["looks"][number]} Look */
  /** A text's first line, and how many characters a line has. @typedef {{first?: DOMRect, line: number}} Lines */
  /** @type {Look} */
  const UNSEEN = { state: 0, room: 0, line: 0 };

  /** Places in texts of these lengths, evenly spaced by characters: each stands for the same share of the text. @type {Sitestencil["painted"]["spaced"]} */
  function spaced(lengths) {
    const step = lengths.reduce((sum, length) => sum + length, 0) / MOST;
    /** @type {Array<[place: number, offset: number]>} */
    const found = [];
    let end = 0;
    for (const [place, length] of lengths.entries()) {
      for (let at = (found.length + 0.5) * step; length && at < end + length; at += step) found.push([place, Math.floor(at - end)]);
      end += length;
    }
    return found;
  }

  /** @type {Sitestencil["painted"]["shareLost"]} */
  function shareLost(before, after) {
    const readable = [...before.keys()].filter((place) => before[place]);
    const lost = readable.filter((place) => after[place] < before[place]).length;
    return readable.length ? lost / readable.length : Number(before.length > 0 && !after.some(Boolean));
  }

  /** @type {Sitestencil["painted"]["sample"]} */
  function sample({ elements, parents, roots, texts }, shown) {
    const isHidden = new Uint8Array(elements.length); // with its frame
    for (const [index, above] of parents.entries()) if (index) isHidden[index] = isHidden[above] || Number(roots.has(index) && !shown.elements[above]);
    // Nothing is drawn of a page in a window without a size.
    const isKept = (/** @type {number} */ parent, /** @type {number} */ text) => dom.rect(elements[0]).width && shown.elements[parent] && !shown.hiddenTexts[text] && !isHidden[parent];
    const trimmed = texts.map(({ node, parent }, text) => (isKept(parent, text) ? dom.data(node).trim() : ""));
    const spots = spaced(trimmed.map(({ length }) => length)).map(([text, offset]) => ({ node: texts[text].node, offset: dom.data(texts[text].node).search(/\S/) + offset }));
    return { elements, spots, looks: looksAt(spots, elements) };
  }

  /** @type {Sitestencil["painted"]["lost"]} */
  function lost({ elements, spots, looks }) {
    const before = looks.map(({ state }) => state);
    const pictures = before.some(Boolean) ? [] : [...dom.all(/** @type {Element} */ (dom.documentElement(document)), sitestencil.grounds.PICTURES)];
    if (pictures.some((picture) => sitestencil.grounds.isSeen(picture) && isLarge(dom.rect(picture)))) return 0;
    return shareLost(before, looksAt(spots, elements).map((look, place) => (isSqueezed(looks[place], look) ? 0 : look.state)));
  }

  /** @type {(before: Look, after: Look) => boolean} */
  const isSqueezed = (before, after) => after.room < LEAST_ROOM * before.room || (after.line < SHORT_LINE && after.line < LEAST_ROOM * before.line);

  /** @type {(spots: Sample["spots"], elements: Sample["elements"]) => Look[]} */
  function looksAt(spots, elements) {
    const canvas = sitestencil.grounds.canvasOf(/** @type {Element} */ (dom.documentElement(document)));
    /** @type {Box[] | null} */
    let boxes = null;
    /** One long text may hold all places. @type {Map<Text, Lines>} */
    const read = new Map();
    for (const { node } of spots) if (!read.has(node)) read.set(node, linesOf(node));
    // Most pages need none of these.
    return spots.map((spot) => lookAt(spot, /** @type {Lines} */ (read.get(spot.node)), canvas, () => (boxes ??= sitestencil.grounds.boxesOf(elements))));
  }

  /** A page shows its text on some ground, if not one that can be found. @type {(spot: Sample["spots"][number], lines: Lines, canvas: string, boxes: () => Box[]) => Look} */
  function lookAt({ node, offset }, { first, line }, canvas, boxes) {
    const { grounds, scrolling } = sitestencil;
    const path = grounds.pathOf(node);
    // What has no box of its own, as a slot, tells nothing.
    const holder = path.find((element) => dom.styleOf(element).display !== "contents");
    if (!holder || dom.styleOf(path[0]).visibility !== "visible") return UNSEEN;
    if (path.some((element) => dom.frameRoot(element) && !grounds.isSeen(element)) || !Element.prototype.checkVisibility.call(holder, { opacityProperty: true })) return UNSEEN;
    if (path.some(isMaskedOut)) return UNSEEN;
    const rect = boxesIn(node, offset, WORD)[0] ?? first;
    const room = rect ? scrolling.roomOf(path, rect) : 0;
    if (!room) return UNSEEN;
    return { state: grounds.isClear(path, rect, canvas, boxes) ? 2 : 1, room, line };
  }

  /** Whether an element is drawn through a mask that is not: then Firefox draws nothing. @type {(element: Element) => boolean} */
  function isMaskedOut(element) {
    const id = MASK.exec(dom.styleOf(element).maskImage ?? "")?.[1];
    const mask = id && dom.first(/** @type {Document} */ (dom.ownerDocument(element)), `#${CSS.escape(id)}`);
    return Boolean(mask) && sitestencil.grounds.pathOf(/** @type {Element} */ (mask)).some((above) => dom.styleOf(above).display === "none");
  }

  /** @type {(node: Text) => Lines} */
  function linesOf(node) {
    const boxes = boxesIn(node, 0, Infinity);
    const line = boxes.length > 2 ? dom.data(node).replace(/\s+/g, " ").replace(WIDE, "xx").length / boxes.length : Infinity;
    return { first: boxes[0], line };
  }

  /** The boxes of a piece of text, one for each line. @type {(node: Text, start: number, length: number) => DOMRect[]} */
  function boxesIn(node, start, length) {
    const range = Document.prototype.createRange.call(dom.ownerDocument(node));
    const end = dom.data(node).length;
    range.setStart(node, Math.min(start, end));
    range.setEnd(node, Math.min(start + length, end));
    return [...range.getClientRects()].filter(isLarge);
  }

  /** @type {(box: DOMRect) => boolean} */
  const isLarge = ({ width, height }) => Math.min(width, height) > LEAST_SIDE;

  return { spaced, shareLost, sample, lost };
})();
