/**
 * Saving: the extension captures the page, the host writes the file, and a page of the extension downloads it. The
 * page itself could read and stop its own download, and a sandboxed page has none. From the panel, the person
 * chooses options on the extension's page; the shortcut takes the last choices.
 */

import { choice, choose } from "./memory.js";
import { jsonOf } from "./packing.js";

/** @import { CapturedPage, ProgressAnswer, SaveChoices, SavingPageMessage, SavingPageOrder } from "../messages.js" */
/** @import { Host } from "./host.js" */

const PORT = "saving:";
const LONGEST_NAME = 100;
const OPENS_WITHIN_MS = 20_000;

/** @type {Readonly<SaveChoices>} a file that looks like the view, even offline */
export const STANDARD = { format: "html", content: "boxes", height: "full", offline: true, own_scripts: false };
const ENDINGS = { html: ".html", jinja: ".jinja.html", folder: ".zip" };

/**
 * Pages that will connect, by the key in their address.
 * @type {Map<string, (port: browser.runtime.Port) => void>}
 */
const expected = new Map();

/**
 * Saves a captured page. It returns when the download begins: browsers report no end.
 * @param {CapturedPage} captured
 * @param {Pick<Host, "save">} host
 * @param {{asks?: boolean}} [options] whether to ask the person for options
 * @returns {Promise<void>}
 * @throws {import("./errors.js").HostError} the page is too large, or was not written
 */
export async function save({ capture: packed, url, files, title }, host, { asks = false } = {}) {
  const site = new URL(url).hostname;
  const capture = withFiles(jsonOf(packed, "save_page_too_large"), files ?? []);
  if (asks) return saveAsChosen(capture, [site, title], host);
  const choices = await lastChoices();
  const pieces = await host.save(capture, choices);
  const page = await SavingPage.open({ active: false });
  try {
    await page.download(pieces, fileName(site, title, choices), choices);
  } finally {
    await page.close();
  }
}

/**
 * @param {string} capture a `Capture` as JSON
 * @param {Array<[string, string]>} files
 * @returns {string} the capture with these files
 */
function withFiles(capture, files) {
  return `${capture.slice(0, -1)},"files":${JSON.stringify(files)}}`;
}

/**
 * @param {string} capture a `Capture` as JSON
 * @param {[site: string, title: string]} names
 * @param {Pick<Host, "save">} host
 */
async function saveAsChosen(capture, [site, title], host) {
  const page = await SavingPage.open({ active: true });
  try {
    const choices = await page.ask(await lastChoices());
    if (!choices) return; // The person has closed the page.
    await choose({ save: choices });
    /** @type {(progress: ProgressAnswer) => void} */
    const onProgress = ({ pages_loaded: loaded, pages_wanted: wanted }) => page.tell({ progress: [loaded, wanted ?? loaded] });
    const pieces = await host.save(capture, choices, onProgress);
    await page.download(pieces, fileName(site, title, choices), choices);
  } finally {
    await page.close();
  }
}

/** @returns {Promise<SaveChoices>} */
async function lastChoices() {
  return { ...STANDARD, ...(await choice("save")) };
}

/** The extension's page that asks for options, if needed, and downloads the file. */
class SavingPage {
  /**
   * @param {number | undefined} tabId
   * @param {browser.runtime.Port} port
   */
  constructor(tabId, port) {
    this.tabId = tabId;
    this.port = port;
  }

  /**
   * @param {{active: boolean}} options whether the person is to see it
   * @returns {Promise<SavingPage>}
   */
  static async open({ active }) {
    const key = crypto.randomUUID();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let late;
    const connected = new Promise((resolve, reject) => {
      expected.set(key, resolve);
      late = setTimeout(() => reject(new Error("The page that saves did not open.")), OPENS_WITHIN_MS);
    });
    const tab = await browser.tabs.create({ url: browser.runtime.getURL(`pages/save.html#${key}`), active });
    try {
      return new SavingPage(tab.id, await connected);
    } catch (error) {
      if (tab.id !== undefined) await browser.tabs.remove(tab.id).catch(() => {});
      throw error;
    } finally {
      clearTimeout(late);
      expected.delete(key);
    }
  }

  /**
   * @param {SaveChoices} last the last choices
   * @returns {Promise<SaveChoices | null>} null if the person closed the page
   */
  ask(last) {
    this.tell({ ask: last });
    return this.#answer((message) => message.choices ?? null);
  }

  /**
   * Has a file downloaded.
   * @param {string[]} pieces
   * @param {string} name
   * @param {SaveChoices} choices
   */
  async download(pieces, name, choices) {
    const taken = this.#answer((message) => message.taken ?? null);
    for (const piece of pieces) this.tell({ piece });
    this.tell({ name, isZip: choices.format === "folder" });
    if (!(await taken)) throw new Error("The page that saves was closed.");
  }

  /** @param {SavingPageOrder} order */
  tell(order) {
    try {
      this.port.postMessage(order);
    } catch {
      // It is closed: `#answer` tells the waiting caller.
    }
  }

  async close() {
    if (this.tabId !== undefined) await browser.tabs.remove(this.tabId).catch(() => {});
  }

  /**
   * @template Value
   * @param {(message: SavingPageMessage) => Value | null} read
   * @returns {Promise<Value | null>} null if the page closes before it answers
   */
  #answer(read) {
    return new Promise((resolve) => {
      this.port.onMessage.addListener((message) => {
        const value = read(/** @type {SavingPageMessage} */ (message));
        if (value !== null) resolve(value);
      });
      this.port.onDisconnect.addListener(() => resolve(null));
    });
  }
}

/**
 * Connects a page for saving that has opened.
 * @param {browser.runtime.Port} port
 */
export function onSavingPage(port) {
  if (!port.name.startsWith(PORT)) return;
  const key = port.name.slice(PORT.length);
  const connect = expected.get(key);
  expected.delete(key);
  if (connect) connect(port);
  else port.disconnect();
}

/**
 * @param {string} host
 * @param {string} title
 * @param {SaveChoices} [choices]
 * @returns {string} a name that every system takes
 */
export function fileName(host, title, { format } = STANDARD) {
  const words = [host, title]
    // eslint-disable-next-line no-control-regex -- no system takes them in a name
    .map((part) => part.replace(/[\u0000-\u001f\u007f-\u009f"*/:<>?\\|~%]+/g, " ").replace(/\s+/g, " ").trim())
    .filter(Boolean);
  const short = [...words.join(" - ").toWellFormed()].slice(0, LONGEST_NAME).join("");
  return `${short.replace(/^[.\s]+|[.\s]+$/g, "") || "page"} - template${ENDINGS[format]}`;
}
