"use strict";

/** Plans which elements show when a part is hidden, and which need marks. Visibility is inherited: one mark on top hides a whole piece, and one mark on a piece inside shows it again. */
sitestencil.plan ??= (() => {
  /** The elements that hold and draw a kept text stay, since nothing shows inside a hidden one. @type {Sitestencil["plan"]["without"]} */
  function without(part, { template, contentTexts, rest, mainTexts }, holders, drawnIn = holders) {
    const [judged, texts] = part === "rest" ? [rest, mainTexts] : [template, contentTexts];
    const keepsTemplate = Number(part === "content");
    const elements = judged.map((one) => Number(one === keepsTemplate));
    const kept = holders.map((holder, text) => Number(texts[text] ? !keepsTemplate : judged[holder] === keepsTemplate));
    for (const [text, element] of drawnIn.entries()) if (kept[text]) elements[element] = elements[holders[text]] = 1;
    // Elements that hide the template may stay as paper, with no text.
    const hiddenTexts = drawnIn.map((element, text) => Number(!kept[text] && (!keepsTemplate || elements[element])));
    return { elements, hiddenTexts: Uint8Array.from(hiddenTexts) };
  }

  /** @type {Sitestencil["plan"]["around"]} */
  function around({ template, rest, mainTexts }, { parents }, holders) {
    const holds = rest.map((one) => 1 - one);
    for (const [text, holder] of holders.entries()) if (mainTexts[text]) holds[holder] = 1;
    for (let index = parents.length - 1; index > 0; index--) if (holds[index]) holds[parents[index]] = 1;
    return holds.map((one, index) => Number(!one && !template[index]));
  }

  /** @type {(page: PlanColumns) => Map<number, Mark>} */
  function plan({ parents, shown, visible, markable, roots }) {
    /** @type {Map<number, Mark>} */
    const marks = new Map();
    const within = new Uint8Array(parents.length);
    for (let index = 0; index < parents.length; index++) {
      const above = roots[index] ? 1 : within[parents[index]];
      within[index] = markable[index] ? shown[index] : above;
      if (within[index] === above) continue;
      if (!shown[index]) marks.set(index, "hide");
      else if (visible[index]) marks.set(index, "show");
    }
    return marks;
  }

  /** The elements that the marks missed: the page's rules give them `visibility: visible`, so they inherit nothing. @type {(page: MissedColumns) => Map<number, Mark>} */
  function missed({ shown, visible, now, markable }) {
    /** @type {Map<number, Mark>} */
    const marks = new Map();
    for (let index = 0; index < shown.length; index++) {
      if (!markable[index]) continue;
      if (!shown[index] && now[index]) marks.set(index, "hide");
      else if (shown[index] && visible[index] && !now[index]) marks.set(index, "show");
    }
    return marks;
  }

  /** The marks that close gaps, on top of each piece in which nothing shows. @type {Sitestencil["plan"]["gaps"]} */
  function gaps({ parents, shown, markable, roots }, isCut = () => false, holdsText = () => false) {
    const holds = new Uint8Array(parents.length);
    const cut = new Uint8Array(parents.length);
    for (let index = parents.length - 1; index >= 0; index--) {
      const above = parents[index];
      if (markable[index] && shown[index] && (!cut[index] || holdsText(index))) holds[index] = 1;
      if (roots[index]) continue;
      if (holds[index]) holds[above] = 1;
      else if (cut[index] || isCut(index)) cut[above] = 1;
    }
    /** @type {Map<number, Mark>} */
    const marks = new Map();
    const gone = new Uint8Array(parents.length);
    for (let index = 0; index < parents.length; index++) {
      gone[index] = Number(!roots[index] && !holds[index]);
      if (gone[index] && markable[index] && !isGoneAbove(gone, parents, markable, parents[index])) marks.set(index, "gone");
    }
    return marks;
  }

  /** @type {(gone: ArrayLike<number>, parents: ArrayLike<number>, markable: ArrayLike<number>, index: number) => boolean} */
  function isGoneAbove(gone, parents, markable, index) {
    while (index >= 0 && !markable[index]) index = parents[index];
    return index >= 0 && Boolean(gone[index]);
  }

  return { around, without, plan, missed, gaps };
})();
