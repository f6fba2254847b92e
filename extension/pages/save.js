/** Asks for a file's options if the background wants it, collects the pieces, and downloads the file. */

import { textOf } from "../texts.js";
import { element, fillTexts } from "./connection.js";

// The browser reads the file within this time after the click.
const TAKEN_AFTER_MS = 1_000;
const BYTES_PER_MS = 10_000;
// Browsers stop a background after 30 silent seconds, and it holds the page to save.
const ALIVE_EVERY_MS = 10_000;

fillTexts();
const form = element("choices", HTMLFormElement);
const status = element("status", HTMLElement);
const port = browser.runtime.connect({ name: location.hash.slice(1) });
/** @type {string[]} */
const pieces = [];

port.onMessage.addListener((message) => {
  const order = /** @type {SavingPageOrder} */ (message);
  if (order.ask) ask(order.ask);
  if (order.progress) status.textContent = textOf(["save_progress", ...order.progress]);
  if (order.styles) status.textContent = textOf(["save_styles", ...order.styles.map((characters) => Math.ceil(characters / 1000))]);
  if (order.piece !== undefined) pieces.push(order.piece);
  if (order.name !== undefined) download(order.name, order.kind ?? "text/html");
});

/** @param {SavingPageMessage} message */
function tell(message) {
  port.postMessage(message);
}

/** @param {SaveChoices | ContentChoices} last */
function ask(last) {
  const isContent = !("offline" in last);
  element("of_content", HTMLFieldSetElement).hidden = !isContent;
  element("of_template", HTMLDivElement).hidden = isContent;
  if ("offline" in last) askForTemplate(last);
  else {
    element("heading", HTMLHeadingElement).textContent = textOf(["save_heading_content"]);
    status.textContent = textOf(["save_status_content"]);
    radios("content_format").value = last.format;
  }
  form.hidden = false;
  status.hidden = true;
  element("save", HTMLButtonElement).focus();
  const alive = setInterval(() => tell({ alive: true }), ALIVE_EVERY_MS);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearInterval(alive);
    form.hidden = true;
    status.hidden = false;
    tell({ choices: isContent ? { format: /** @type {ContentChoices["format"]} */ (radios("content_format").value) } : chosen() });
  });
}

/** @param {SaveChoices} last */
function askForTemplate(last) {
  radios("format").value = last.format;
  for (const name of /** @type {const} */ (["offline", "own_scripts", "all_styles"])) box(name).checked = last[name];
  showWhatApplies();
  form.addEventListener("change", showWhatApplies);
}

/** A folder holds its files, whatever is chosen. */
function showWhatApplies() {
  box("offline").disabled = chosen().format.endsWith("folder");
}

/** @returns {SaveChoices} */
function chosen() {
  const format = /** @type {SaveChoices["format"]} */ (radios("format").value);
  return { format, offline: box("offline").checked, own_scripts: box("own_scripts").checked, all_styles: box("all_styles").checked };
}

/** @type {(name: string) => RadioNodeList} */
function radios(name) {
  return /** @type {RadioNodeList} */ (form.elements.namedItem(name));
}

/** @type {(name: "offline" | "own_scripts" | "all_styles") => HTMLInputElement} */
function box(name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
}

/** @type {(name: string, kind: FileKind) => void} */
function download(name, kind) {
  const text = pieces.join("");
  const bytes = kind === "application/zip" ? [Uint8Array.from(atob(text), (character) => character.charCodeAt(0))] : [text];
  const file = new Blob(bytes, { type: kind });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => tell({ taken: true }), TAKEN_AFTER_MS + file.size / BYTES_PER_MS);
}
