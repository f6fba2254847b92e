/**
 * Saving: the page is captured, the host writes the file, and a page of the extension downloads it. A download begun
 * in the page could be read and stopped by the page, and a sandboxed one has none.
 */

import { jsonOf } from "./packing.js";

/** @import { CapturedPage } from "../messages.js" */
/** @import { Host } from "./host.js" */

/** @typedef {{name: string, pieces: string[], done: () => void, failed: (error: Error) => void}} Delivery */

const PORT = "saving:";
const LONGEST_NAME = 100;
const OPENS_WITHIN_MS = 20_000;

/** @type {Map<string, Delivery>} */
const deliveries = new Map();

/**
 * Saves a captured page. It returns when the download has begun: no browser tells more.
 * @param {CapturedPage} captured
 * @param {Pick<Host, "save">} host
 * @returns {Promise<void>}
 * @throws {import("./errors.js").HostError} the page is too large, or was not written
 */
export async function save({ capture, url, title }, host) {
  const pieces = await host.save(jsonOf(capture, "save_page_too_large"));
  await deliver(pieces, fileName(new URL(url).hostname, title));
}

/**
 * Opens the extension's page that downloads a file, in the background, and closes it when it has.
 * @param {string[]} pieces
 * @param {string} name
 */
async function deliver(pieces, name) {
  const key = crypto.randomUUID();
  const tab = await browser.tabs.create({ url: browser.runtime.getURL(`pages/save.html#${key}`), active: false });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let late;
  try {
    await new Promise((resolve, reject) => {
      deliveries.set(key, { name, pieces, done: () => resolve(undefined), failed: reject });
      late = setTimeout(() => reject(new Error("The page that saves did not open.")), OPENS_WITHIN_MS);
    });
  } finally {
    clearTimeout(late);
    deliveries.delete(key);
    if (tab.id !== undefined) await browser.tabs.remove(tab.id).catch(() => {});
  }
}

/**
 * Gives a file to the page that downloads it; the page says when it has begun.
 * @param {browser.runtime.Port} port
 */
export function onSavingPage(port) {
  if (!port.name.startsWith(PORT)) return;
  const delivery = deliveries.get(port.name.slice(PORT.length));
  if (!delivery) return port.disconnect();
  port.onMessage.addListener(delivery.done);
  port.onDisconnect.addListener(() => delivery.failed(new Error("The page that saves was closed.")));
  for (const piece of delivery.pieces) port.postMessage({ piece });
  port.postMessage({ name: delivery.name });
}

/**
 * @param {string} host
 * @param {string} title
 * @returns {string} a name that every system takes
 */
export function fileName(host, title) {
  const words = [host, title]
    // eslint-disable-next-line no-control-regex -- no system takes them in a name
    .map((part) => part.replace(/[\u0000-\u001f\u007f-\u009f"*/:<>?\\|~%]+/g, " ").replace(/\s+/g, " ").trim())
    .filter(Boolean);
  const short = [...words.join(" - ").toWellFormed()].slice(0, LONGEST_NAME).join("");
  return `${short.replace(/^[.\s]+|[.\s]+$/g, "") || "page"} - template.html`;
}
