/** Downloads a file that the background gives it piece by piece, and says when the browser has taken it. */

import { fillTexts } from "./connection.js";

fillTexts();

// The browser takes the file after the click, at least this fast.
const TAKEN_AFTER_MS = 1_000;
const BYTES_PER_MS = 10_000;

const port = browser.runtime.connect({ name: `saving:${location.hash.slice(1)}` });
/** @type {string[]} */
const pieces = [];

port.onMessage.addListener((/** @type {{piece?: string, name?: string}} */ { piece, name }) => {
  if (piece !== undefined) pieces.push(piece);
  if (name !== undefined) download(name);
});

/** @param {string} name */
function download(name) {
  const file = new Blob(pieces, { type: "text/html" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => port.postMessage("taken"), TAKEN_AFTER_MS + file.size / BYTES_PER_MS);
}
