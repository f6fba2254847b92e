"use strict";

/**
 * The inspect view: a picture over the page tints each element, blue for template, orange for main content, green for
 * what is around it, paler with less confidence. The panel explains the element under the pointer, or the selected one
 * with the elements that a correction would switch. No node of the page changes.
 */
sitestencil.inspect ??= (() => {
  const { dom } = sitestencil;
  const TEMPLATE = "10 90 190";
  const CONTENT = "225 95 0";
  const AROUND = "70 140 60";
  const PALEST = 0.1;
  const MORE_IF_SURE = 0.35;
  const REPAINT_MS = 500;
  const DASHES = [8, 5];
  const CONTROLS = new Set(["a", "button", "summary"]);
  // The canvas gets at most this share of the time.
  const SHARE_OF_TIME = 5;

  /**
   * @typedef {object} Inspected
   * @property {KnownPage} page
   * @property {Map<Node, number>} numbers of the page's elements
   * @property {HTMLCanvasElement} canvas
   * @property {number} current index of the explained element, -1 for none
   * @property {boolean} isPicked whether it is selected, and stays when the pointer moves
   * @property {number[]} within the elements that the arrow keys widened from, the innermost first
   * @property {Proposal | null} proposal the rules that would switch the selected element
   * @property {AbortController} listening
   */
  /** @type {Inspected | null} */
  let open = null;
  let isPaintDue = false;
  let paintTook = 0;

  /** Opens the view; the panel is open already. @type {(page: KnownPage, onGone: () => void) => void} `onGone`: called when the page has removed the picture, as by writing itself anew */
  function start(page, onGone) {
    stop();
    const canvas = sitestencil.panel.underlay();
    const numbers = new Map(page.tree.elements.map((node, index) => [/** @type {Node} */ (node), index]));
    open = { page, numbers, canvas, current: -1, isPicked: false, within: [], proposal: null, listening: new AbortController() };
    const { signal } = open.listening;
    for (const view of viewsOf(page.tree)) {
      view.addEventListener("mousemove", onMove, { capture: true, signal });
      view.addEventListener("click", onClick, { capture: true, signal });
      view.addEventListener("keydown", onKey, { capture: true, signal });
      view.addEventListener("scroll", paintSoon, { capture: true, passive: true, signal });
    }
    addEventListener("resize", paintSoon, { signal });
    const timer = setInterval(() => (dom.isConnected(canvas) ? paintSoon() : onGone()), REPAINT_MS);
    signal.addEventListener("abort", () => clearInterval(timer));
    explain(-1);
    paint();
  }

  function stop() {
    open?.listening.abort();
    open?.canvas.remove();
    open = null;
  }

  /** @type {(tree: Tree) => Set<PageWindow>} the windows of the page and of its frames */
  function viewsOf({ elements }) {
    return new Set(elements.filter((node) => !dom.isShadowRoot(node) && dom.isConnected(node)).map((node) => dom.windowOf(node)));
  }

  /** @param {Event} event */
  function onMove(event) {
    if (!open || open.isPicked || !event.isTrusted) return;
    const element = elementAt(event);
    if (element !== open.current && !isInPanel(event)) explain(element);
  }

  /** A person's click selects an element or releases it, unseen by the page. @param {Event} event */
  function onClick(event) {
    if (!open || !event.isTrusted || isInPanel(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const element = elementAt(event);
    open.isPicked = element >= 0 && !(open.isPicked && element === open.current);
    open.within = [];
    explain(element);
  }

  /** Arrow keys change the selection from anywhere, unseen by the page. @param {KeyboardEvent} event */
  function onKey(event) {
    if (!open?.isPicked || !event.isTrusted || isInPanel(event) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!key(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** @type {(event: Event) => boolean} */
  function isInPanel(event) {
    return event.composedPath().some((node) => node instanceof Node && sitestencil.panel.isOwn(node));
  }

  /** @type {(event: Event) => number} the innermost known element that the event happened in, -1 for none; of an icon the link or button that it stands for */
  function elementAt(event) {
    const numbers = event.composedPath().map((node) => open?.numbers.get(/** @type {Node} */ (node)));
    const number = numbers.find((number) => number !== undefined) ?? -1;
    const { names, parents } = /** @type {Inspected} */ (open).page.tree;
    let icon = -1;
    for (let at = number; at >= 0; at = parents[at]) {
      if (names[at] === "svg") icon = at;
      if (icon >= 0 && CONTROLS.has(names[at])) return at;
    }
    return icon < 0 ? number : icon;
  }

  /** Arrow keys select: up widens to the parent, down narrows to the element before, or to the first child. @type {(name: string) => boolean} whether the key was used */
  function key(name) {
    if (!open) return false;
    const { page, current, within } = open;
    const back = name === "ArrowDown" ? within.pop() : undefined;
    const next = back ?? neighbour(page.tree, current, name);
    if (next === null) return false;
    if (next >= 0) {
      open.isPicked = true;
      if (name === "ArrowUp") within.push(current);
      else if (name !== "ArrowDown") open.within = [];
      explain(current < 0 ? inWindow() : next);
      const node = page.tree.elements[open.current];
      if (node && !dom.isShadowRoot(node)) node.scrollIntoView({ block: "nearest", behavior: "instant" });
      paintSoon();
    }
    return true;
  }

  /** @returns {number} the element in the window, where arrow keys begin */
  function inWindow() {
    const element = document.elementFromPoint?.(innerWidth / 2, innerHeight / 3);
    return (element && open?.numbers.get(element)) ?? 0;
  }

  /** @type {(tree: Pick<Tree, "parents">, from: number, name: string) => number | null} -1 if there is no such element, null for another key; `name`: of the key */
  function neighbour({ parents }, from, name) {
    if (!["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].includes(name)) return null;
    if (from < 0) return 0;
    if (name === "ArrowUp") return parents[from];
    if (name === "ArrowDown") return parents.indexOf(from, from + 1);
    if (name === "ArrowRight") return parents.indexOf(parents[from], from + 1);
    return from === 0 ? -1 : parents.lastIndexOf(parents[from], from - 1);
  }

  /** @param {number} element -1 for none */
  function explain(element) {
    if (!open) return;
    const { page, isPicked } = open;
    const { corrections, panel, reasons } = sitestencil;
    if (element >= 0 && !dom.isConnected(page.tree.elements[element])) element = -1;
    open.current = element;
    const isSelected = isPicked && element >= 0;
    open.proposal = isSelected ? corrections.propose(page, element) : null;
    // A private window keeps nothing for other pages.
    const all = sitestencil.api.get().extension?.inIncognitoContext ? [] : /** @type {const} */ (["all_pages"]);
    const preview = isSelected ? reasons.previewOf(page, element, open.proposal) : [];
    panel.explain(element < 0 ? [] : reasons.linesOf(page, element), preview, open.proposal ? ["only_page", ...all] : []);
    paintSoon();
  }

  /** Drops the selection. @returns {boolean} whether there was one */
  function release() {
    if (!open?.isPicked) return false;
    Object.assign(open, { isPicked: false, within: [] });
    explain(-1);
    return true;
  }

  /** @returns {Proposal | null} the rules that would switch the selected element */
  function proposal() {
    return open && open.proposal;
  }

  /** Shows the changed answer. */
  function refresh() {
    if (open) explain(open.current);
  }

  function paintSoon() {
    if (isPaintDue) return;
    isPaintDue = true;
    setTimeout(
      () => requestAnimationFrame(() => {
        isPaintDue = false;
        paint();
      }),
      SHARE_OF_TIME * paintTook,
    );
  }

  function paint() {
    const context = open?.canvas.getContext("2d");
    if (!open || !context) return;
    const start = performance.now();
    const { canvas, page, current, proposal } = open;
    const scale = devicePixelRatio;
    [canvas.width, canvas.height] = [Math.round(innerWidth * scale), Math.round(innerHeight * scale)];
    context.scale(scale, scale);
    const boxes = boxesOf(page.tree);
    const around = sitestencil.reasons.aroundOf(page);
    for (const [index, box] of boxes.entries()) {
      if (box) tint(context, box, colourOf(page.template[index], page.scores?.[index], around[index]));
    }
    paintTexts(context, page, boxes);
    context.setLineDash(DASHES);
    for (const number of proposal?.here ?? []) outline(context, boxes[number], proposal?.allPages.is === "template" ? TEMPLATE : CONTENT);
    context.setLineDash([]);
    outline(context, boxes[current], page.template[current] ? TEMPLATE : around[current] ? AROUND : CONTENT);
    paintTook = performance.now() - start;
  }

  /** @type {(context: CanvasRenderingContext2D, box: Box | null | undefined, colour: string) => void} */
  function outline(context, box, colour) {
    if (!box) return;
    context.lineWidth = 3;
    context.strokeStyle = `rgb(${colour})`;
    context.strokeRect(box.x + 1.5, box.y + 1.5, box.width - 3, box.height - 3);
  }

  /** Paints content text of template elements. @type {(context: CanvasRenderingContext2D, page: KnownPage, boxes: Array<Box | null>) => void} */
  function paintTexts(context, { tree, contentTexts }, boxes) {
    for (const [number, { node, parent }] of tree.texts.entries()) {
      const around = boxes[parent];
      if (!contentTexts[number] || !around || !dom.isConnected(node)) continue;
      const range = Document.prototype.createRange.call(dom.ownerDocument(node));
      range.selectNodeContents(node);
      const corner = dom.rect(tree.elements[parent]);
      for (const { x, y, width, height } of range.getClientRects()) {
        tint(context, { x: x - corner.x + around.x, y: y - corner.y + around.y, width, height }, colourOf(0, undefined));
      }
    }
  }

  /** Replaces the colour of the elements around instead of mixing. @type {(context: CanvasRenderingContext2D, box: Box, colour: string) => void} */
  function tint(context, { x, y, width, height }, colour) {
    context.clearRect(x, y, width, height);
    context.fillStyle = colour;
    context.fillRect(x, y, width, height);
  }

  /** @type {(isTemplate: number, score: number | undefined, isAround?: number) => string} `score`: 0 to 255 */
  function colourOf(isTemplate, score = isTemplate ? 255 : 0, isAround = 0) {
    const sure = Math.max(0, (isTemplate ? score : 255 - score) / 127.5 - 1);
    return `rgb(${isTemplate ? TEMPLATE : isAround ? AROUND : CONTENT} / ${(PALEST + MORE_IF_SURE * sure).toFixed(2)})`;
  }

  /** @typedef {{x: number, y: number, width: number, height: number}} Box */
  /** @type {(tree: Tree) => Array<Box | null>} the elements' boxes in the window; null if not visible */
  function boxesOf({ elements, parents }) {
    /** @type {Map<Document | null, {x: number, y: number}>} the corners of documents */
    const corners = new Map([[document, { x: 0, y: 0 }]]);
    /** @type {Array<Box | null>} */
    const boxes = [];
    for (const [index, node] of elements.entries()) {
      boxes.push(null);
      if (dom.isShadowRoot(node) || !dom.isConnected(node)) continue;
      const owner = dom.ownerDocument(node);
      const frame = boxes[parents[index]];
      if (!corners.has(owner)) corners.set(owner, frame ?? { x: NaN, y: NaN });
      const corner = /** @type {{x: number, y: number}} */ (corners.get(owner));
      const { x, y, width, height } = dom.rect(node);
      const box = { x: x + corner.x, y: y + corner.y, width, height };
      const isInWindow = box.x < innerWidth && box.y < innerHeight && box.x + width > 0 && box.y + height > 0;
      if (width && height && isInWindow && Element.prototype.checkVisibility.call(node, { visibilityProperty: true })) boxes[index] = box;
    }
    return boxes;
  }

  return { start, stop, key, release, proposal, refresh, colourOf };
})();
