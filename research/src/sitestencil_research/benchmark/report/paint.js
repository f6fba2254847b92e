// Paints the elements of each state, one picture per answer, deepest element last, and returns the pictures.
//
// arguments[0]: answers, each a string with one letter per element: R right, W wrong, M missed, others are not painted.
// arguments[1]: {height: the page's height, scale: picture pixels per page pixel, colours: by letter}
const [answers, { height, scale, colours }] = arguments;
const elements = [...document.querySelectorAll("*")];
const width = document.documentElement.clientWidth;
const left = window.scrollX;
const top = window.scrollY;

/** Return the boxes of an element and of its own text, in picture pixels. */
function boxes(element) {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
  const found = [...element.getClientRects()];
  for (const child of element.childNodes) {
    if (child.nodeType !== Node.TEXT_NODE || !child.data.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(child);
    found.push(...range.getClientRects());
  }
  return found
    .filter((box) => box.width > 0 && box.height > 0 && box.top + top < height)
    .map((box) => {
      const x = Math.round((box.left + left) * scale);
      const y = Math.round((box.top + top) * scale);
      return [x, y, Math.round((box.right + left) * scale) - x, Math.round((box.bottom + top) * scale) - y];
    });
}

const places = elements.map(boxes);
const canvas = document.createElement("canvas");
canvas.width = Math.round(width * scale);
canvas.height = Math.round(height * scale);
const context = canvas.getContext("2d");

return answers.map((answer) => {
  context.clearRect(0, 0, canvas.width, canvas.height);
  places.forEach((found, element) => {
    const colour = colours[answer[element]];
    for (const box of found) {
      context.clearRect(...box);
      if (!colour) continue;
      context.fillStyle = colour;
      context.fillRect(...box);
    }
  });
  return canvas.toDataURL("image/webp", 1);
});
