// The element tree of the page as it is now, in columns: host/PROTOCOL.md, "The snapshot". The body of a function.
const WITHOUT_TEXT = new Set(["script", "style", "noscript"]);
const SPACES = { "http://www.w3.org/1999/xhtml": "", "http://www.w3.org/2000/svg": "svg", "http://www.w3.org/1998/Math/MathML": "math" };
const LONGEST_VALUE = 2048;
const WHOLE = new Set(["id", "class", "href", "xlink:href"]);
const numbers = new Map();
const [tags, parents, attributes, texts, boxes, namespaces] = [[], [], [], [], [], []];

function row(name, parent, values, box, space) {
  if (!numbers.has(name)) numbers.set(name, numbers.size);
  const number = tags.push(numbers.get(name)) - 1;
  parents.push(parent);
  attributes.push(values.map((value) => value.toWellFormed()));
  boxes.push(box.map(Math.round));
  const last = namespaces.at(-1);
  if (space && last?.[1] === number && last[2] === space) last[1]++;
  else if (space) namespaces.push([number, number + 1, space]);
  return number;
}

function valueOf({ name, value }) {
  return value.length > LONGEST_VALUE && !WHOLE.has(name) ? "" : value;
}

function addElement(element, parent, corner) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const box = parent < 0 ? [0, 0, element.scrollWidth, element.scrollHeight] : [left - corner.left, top - corner.top, width, height];
  const values = [...element.attributes].flatMap((one) => [one.name, valueOf(one)]);
  const number = row(element.localName, parent, values, box, SPACES[element.namespaceURI] ?? "other");
  if (element.shadowRoot) addBelow(element.shadowRoot, row("template", number, ["shadowrootmode", "open"], [0, 0, 0, 0], ""), corner);
  addBelow(element, number, corner);
  const inner = documentIn(element);
  if (inner?.documentElement) addElement(inner.documentElement, number, inner.documentElement.getBoundingClientRect());
  return number;
}

function addBelow(node, number, corner) {
  let before = -1;
  for (const child of node.childNodes) {
    if (child.nodeType === Node.ELEMENT_NODE) before = addElement(child, number, corner);
    else if (child.nodeType === Node.TEXT_NODE && /\S/.test(child.data) && !WITHOUT_TEXT.has(node.localName)) {
      texts.push([number, before, child.data.toWellFormed()]);
    }
  }
}

function documentIn(element) {
  try {
    return element.localName === "iframe" || element.localName === "frame" ? element.contentDocument : null;
  } catch {
    return null; // of another origin
  }
}

const root = document.documentElement;
addElement(root, -1, root.getBoundingClientRect());
const { doctype } = document;
return JSON.stringify({
  url: document.URL,
  base: document.baseURI,
  names: [...numbers.keys()],
  tags,
  parents,
  attributes,
  texts,
  boxes,
  namespaces,
  scripting: true,
  doctype: doctype?.name ?? null,
  public_id: doctype?.publicId ?? null,
  system_id: doctype?.systemId ?? null,
  compat_mode: document.compatMode,
});
