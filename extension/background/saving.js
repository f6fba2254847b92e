/**
 * Saving: the extension captures the page, the host writes the file, and a page of the extension downloads it. The
 * page itself could read and stop its own download, and a sandboxed page has none. From the panel, the person
 * chooses options on the extension's page; the shortcut takes the last choices.
 */

import { choice, choose } from "./memory.js";
import { jsonOf } from "./parts.js";

/** @import { Host } from "./host.js" */

const LONGEST_NAME = 100;
const OPENS_WITHIN_MS = 20_000;

/** @type {Readonly<SaveChoices>} a file that opens offline */
export const STANDARD = { format: "html", offline: true, own_scripts: false, all_styles: false };
/** @typedef {SaveChoices | ContentChoices} FileChoices */
/** Each kind of file: the end of its name, and its type. @type {Readonly<Record<FileChoices["format"], [string, FileKind]>>} */
const FILES = {
  html: [" - template.html", "text/html"],
  jinja: [" - template.jinja.html", "text/html"],
  folder: [" - template.zip", "application/zip"],
  "jinja-folder": [" - template.jinja.zip", "application/zip"],
  markdown: [".md", "text/markdown"],
  "content-html": [".html", "text/html"],
  text: [".txt", "text/plain"],
};
// Windows opens devices by these names.
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Pages that will connect, by the key in their address. @type {Map<string, (port: browser.runtime.Port) => void>} */
const expected = new Map();

/**
 * Saves a captured page. It returns when the download begins: browsers report no end.
 * @param {CapturedPage} captured
 * @param {Pick<Host, "save">} host
 * @param {{asks?: boolean, hides?: PagePart}} [options] whether to ask the person for options; the part that the file leaves out
 * @returns {Promise<void>}
 * @throws {import("./errors.js").HostError} the page is too large, or was not written
 */
export async function save({ capture: packed, url, files, title }, host, { asks = false, hides = "content" } = {}) {
  const site = new URL(url).hostname;
  const capture = withFiles(jsonOf(packed, "save_page_too_large"), files ?? []);
  if (asks) return saveAsChosen(capture, [site, title], host, hides);
  const choices = await lastChoices(hides);
  const pieces = await host.save(capture, choices);
  const page = await SavingPage.open({ active: false });
  try {
    await page.download(pieces, fileName(site, title, choices), choices);
  } finally {
    await page.close();
  }
}

/**
 * @type {(captured: CapturedPage, host: Pick<Host, "save">, choices?: ContentChoices | RulesChoices) => Promise<{text: string, proved?: number}>} a captured page's text: by default its content as Markdown, without metadata; `proved`: the pages that prove rules
 * @throws {import("./errors.js").HostError} the page is too large, or was not written
 */
export async function textOfPage({ capture }, host, choices = /** @type {ContentChoices} */ ({ format: "markdown", front_matter: false })) {
  /** @type {number | undefined} */
  let proved;
  const pieces = await host.save(jsonOf(capture, "save_page_too_large"), choices, undefined, (part) => (proved = part.proved ?? undefined));
  return { text: pieces.join(""), ...(proved !== undefined && { proved }) };
}

/** @type {(capture: string, files: Array<[string, string]>) => string} the capture with these files; `capture`: a `Capture` as JSON */
function withFiles(capture, files) {
  return `${capture.slice(0, -1)},"files":${JSON.stringify(files)}}`;
}

/** @type {(capture: string, names: [site: string, title: string], host: Pick<Host, "save">, hides: PagePart) => Promise<void>} `capture`: a `Capture` as JSON */
async function saveAsChosen(capture, [site, title], host, hides) {
  const page = await SavingPage.open({ active: true });
  try {
    const choices = await page.ask(await lastChoices(hides));
    if (!choices) return; // The person has closed the page.
    await choose(isOfContent(choices) ? { saveContent: choices.format } : { save: choices });
    /** @type {(progress: ProgressAnswer) => void} */
    const onProgress = ({ pages_loaded: loaded, pages_wanted: wanted }) => page.tell({ progress: [loaded, wanted ?? loaded] });
    const pieces = await host.save(capture, choices, onProgress, ({ styles }) => styles && page.tell({ styles }));
    await page.download(pieces, fileName(site, title, choices), choices);
  } finally {
    await page.close();
  }
}

/** @type {(choices: FileChoices) => choices is ContentChoices} */
function isOfContent({ format }) {
  return format === "markdown" || format === "content-html" || format === "text";
}

/** @type {(hides: PagePart) => Promise<FileChoices>} */
async function lastChoices(hides) {
  if (hides !== "content") return { format: (await choice("saveContent")) ?? "markdown" };
  const last = Object.entries((await choice("save")) ?? {}).filter(([name]) => name in STANDARD); // those of an older version have more
  return { ...STANDARD, ...Object.fromEntries(last) };
}

/** The extension's page that asks for options, if needed, and downloads the file. */
class SavingPage {
  /** @param {number | undefined} tabId @param {browser.runtime.Port} port */
  constructor(tabId, port) {
    this.tabId = tabId;
    this.port = port;
  }

  /** @type {(options: {active: boolean}) => Promise<SavingPage>} `options`: whether the person is to see it */
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

  /** @type {(last: FileChoices) => Promise<FileChoices | null>} null if the person closed the page */
  ask(last) {
    this.tell({ ask: last });
    return this.#answer((message) => message.choices ?? null);
  }

  /** Has a file downloaded. @type {(pieces: string[], name: string, choices: FileChoices) => Promise<void>} */
  async download(pieces, name, choices) {
    const taken = this.#answer((message) => message.taken ?? null);
    for (const piece of pieces) this.tell({ piece });
    this.tell({ name, kind: FILES[choices.format][1] });
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

  /** @template Value @param {(message: SavingPageMessage) => Value | null} read @returns {Promise<Value | null>} null if the page closes before it answers */
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

/** Connects a page for saving that has opened. @type {(port: browser.runtime.Port) => void} */
export function onSavingPage(port) {
  const connect = expected.get(port.name);
  expected.delete(port.name);
  if (connect) connect(port);
  else port.disconnect();
}

/** The content's file has the page's title; the template's begins with the site. @type {(host: string, title: string, choices?: FileChoices) => string} a name that every system takes */
export function fileName(host, title, choices = STANDARD) {
  const words = [host, title]
    // eslint-disable-next-line no-control-regex -- no system takes them in a name
    .map((part) => part.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"*/:<>?\\|~%]+/g, " "))
    .map((part) => part.replace(/\s+/g, " ").trim().replace(/\.(html?|md|txt)$/i, ""));
  const named = (isOfContent(choices) ? words.slice(words[1] ? 1 : 0, 2) : words).filter(Boolean).join(" - ");
  const short = [...named.toWellFormed()].slice(0, LONGEST_NAME).join("").replace(/^[.\s]+|[.\s]+$/g, "");
  return `${short && !DEVICE.test(short) ? short : "page"}${FILES[choices.format][0]}`;
}
