/** Lists of the options whose lines have a bin. */

const SVG = "http://www.w3.org/2000/svg";
const BIN = "M4 6h16M9 6V4h6v2M6 6l1 14h10l1-14M10 10v6M14 10v6";

/** @type {(content: Node, label: string, onBin: () => void) => HTMLLIElement} `label`: of the bin, for screen readers */
export function lineOf(content, label, onBin) {
  const line = document.createElement("li");
  line.className = "line";
  const bin = document.createElement("button");
  bin.type = "button";
  bin.className = "bin";
  bin.title = label;
  bin.setAttribute("aria-label", label);
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", BIN);
  picture.append(path);
  bin.append(picture);
  bin.addEventListener("click", onBin);
  line.append(content, bin);
  return line;
}

/** Replaces a list's content. The focus stays at its place, where the next line may be now. @type {(list: HTMLElement, content: ReadonlyArray<Node>) => void} */
export function replaceLines(list, content) {
  const controls = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("input, button")]);
  const at = controls().indexOf(/** @type {HTMLElement} */ (document.activeElement));
  list.replaceChildren(...content);
  if (at >= 0) controls()[Math.min(at, controls().length - 1)]?.focus();
}
