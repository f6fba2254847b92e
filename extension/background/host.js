/** The one port to the host, for all tabs: the handshake, and requests with their answers. */

import { disconnectReason, failureOf } from "./browser.js";
import { HostError } from "./errors.js";
import { Assembly } from "./results.js";

/** @import { Capture, ExtractRequest, FetchedPage, HelloAnswer, HostMessage, HostRequest, LoadRequest, ProgressAnswer, Snapshot } from "../messages.js" */
/** @import { Result } from "./results.js" */

const HOST = "org.sitestencil.host";
const PROTOCOL = 1;
/** What an older host does not say in its hello, it does not have. */
const SAID_BY_NONE = { detectors: [], default_detector: "", capabilities: [] };
const HELLO_WITHIN_MS = 10_000;
const IDLE_CLOSES_AFTER_MS = 10_000;

/**
 * A request whose answer is not whole yet.
 * @typedef {object} Waiting
 * @property {(message: HostMessage) => void} take
 * @property {(error: unknown) => void} reject
 */

export class Host {
  /** @type {browser.runtime.Port | null} */
  #port = null;
  /** @type {Promise<HelloAnswer> | null} */
  #hello = null;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #isGreeted = false;
  #lastId = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #closing;

  /**
   * Connects if need be and shakes hands.
   * @returns {Promise<HelloAnswer>}
   * @throws {HostError} the host does not answer, or speaks another protocol
   */
  hello() {
    this.#hello ??= this.#connect().catch((error) => {
      this.close();
      throw error;
    });
    return this.#hello;
  }

  /**
   * @param {Snapshot} snapshot
   * @param {object} options
   * @param {string | null} options.detector
   * @param {boolean} [options.remembers] whether what is remembered may be used, and what is learned kept
   * @param {boolean} [options.morePages] whether to compare with more pages than are usually enough
   * @param {(url: string) => Promise<FetchedPage>} [options.load] loads pages in the person's session; without it the host does
   * @param {AbortSignal} options.signal
   * @param {(progress: ProgressAnswer) => void} options.onProgress
   * @returns {Promise<Result & {canLoadMore: boolean}>}
   * @throws {HostError}
   */
  async extract(snapshot, { detector, remembers = false, morePages = false, load, signal, onProgress }) {
    const { capabilities } = await this.hello();
    signal.throwIfAborted();
    const parts = new Assembly();
    const id = ++this.#lastId;
    // What was seen before does not do where more pages are asked for.
    /** @type {Pick<ExtractRequest, "memory">} */
    const memory = remembers && capabilities.includes("memory") ? { memory: morePages ? "renew" : "use" } : {};
    const more = morePages ? { more_pages: true } : {};
    const pages = load ? { pages: /** @type {"session"} */ ("session") } : {};
    const answer = this.#request({ type: "extract", id, detector, ...memory, ...more, ...pages, reasons: true, snapshot }, (message) => {
      if (message.type === "progress") onProgress(message);
      if (message.type === "load") void load?.(message.url).then((page) => this.#answerLoad(message, page));
      if (message.type === "reasons") parts.addReasons(message);
      return message.type === "result" ? parts.add(message) : null;
    });
    const cancel = () => {
      this.#post({ type: "cancel", id });
      this.#fail(id, signal.reason);
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return { ...(await answer), canLoadMore: capabilities.includes("more-pages") };
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /**
   * Has the template of a captured page written.
   * @param {Capture} capture
   * @returns {Promise<string[]>} the file's text, in pieces
   * @throws {HostError}
   */
  async save(capture) {
    const { capabilities } = await this.hello();
    if (!capabilities.includes("save")) throw new HostError("answered", "no capability `save`", ["save_program_too_old"]);
    /** @type {string[]} */
    const pieces = [];
    return this.#request({ type: "save", id: ++this.#lastId, capture }, (message) => {
      if (message.type !== "saved") return null;
      pieces[message.part - 1] = message.text;
      return message.part === message.parts ? pieces : null;
    });
  }

  /**
   * Has what is remembered of all sites forgotten.
   * @returns {Promise<number>} how many templates there were
   * @throws {HostError}
   */
  async forget() {
    const { capabilities } = await this.hello();
    if (!capabilities.includes("memory")) return 0;
    const read = (/** @type {HostMessage} */ message) => (message.type === "forgotten" ? { templates: message.templates } : null);
    return (await this.#request({ type: "forget", id: ++this.#lastId }, read)).templates;
  }

  /** Closes the port: the host ends, and with it whatever it was doing. */
  close() {
    clearTimeout(this.#closing);
    const port = this.#port;
    this.#port = null;
    this.#hello = null;
    port?.disconnect();
  }

  /** @returns {Promise<HelloAnswer>} */
  async #connect() {
    const port = browser.runtime.connectNative(HOST);
    this.#port = port;
    this.#isGreeted = false;
    port.onMessage.addListener((message) => this.#onMessage(/** @type {HostMessage} */ (message)));
    port.onDisconnect.addListener(() => this.#onDisconnect(port, disconnectReason(port)));
    const id = ++this.#lastId;
    const client = `sitestencil-extension ${browser.runtime.getManifest().version}`;
    const answer = this.#request({ type: "hello", id, protocol: PROTOCOL, client, capabilities: ["load"] }, (message) =>
      message.type === "hello" ? message : null,
    );
    const late = setTimeout(() => this.#fail(id, new HostError("silent")), HELLO_WITHIN_MS);
    // Firefox gives no reason when a host ends at once.
    const ended = (/** @type {HostError} */ error) => {
      throw error.kind === "lost" ? new HostError("exited", error.detail) : error;
    };
    const hello = await answer.catch(ended).finally(() => clearTimeout(late));
    if (hello.protocol !== PROTOCOL) throw new HostError("protocol", `The host speaks protocol ${hello.protocol}.`);
    return { ...SAID_BY_NONE, ...hello };
  }

  /**
   * @template Value
   * @param {HostRequest} request
   * @param {(message: HostMessage) => Value | null} read gives the answer when it is whole
   * @returns {Promise<Value>}
   */
  #request(request, read) {
    clearTimeout(this.#closing);
    const { id } = request;
    return new Promise((resolve, reject) => {
      const take = (/** @type {HostMessage} */ message) => {
        const answer = read(message);
        if (!answer) return;
        this.#settle(id);
        resolve(answer);
      };
      this.#waiting.set(id, { take, reject });
      try {
        this.#post(request);
      } catch (error) {
        this.#fail(id, HostError.from(error));
      }
    });
  }

  /**
   * @param {LoadRequest} asked
   * @param {FetchedPage} page
   */
  #answerLoad({ id, request }, page) {
    if (this.#waiting.has(id)) this.#post({ type: "page", id, request, ...page });
  }

  /** @param {HostRequest} request */
  #post(request) {
    if (!this.#port) throw new HostError("lost");
    this.#port.postMessage(request);
  }

  /**
   * What the host asks for would be another case here; what nobody waits for, and types of later versions, are
   * ignored.
   * @param {HostMessage} message
   */
  #onMessage(message) {
    switch (message.type) {
      case "error":
        if (message.id === null) this.#failAll(HostError.answered(message));
        else this.#fail(message.id, HostError.answered(message));
        break;
      case "hello":
        this.#isGreeted = true;
        this.#onAnswer(message);
        break;
      case "load":
      case "progress":
      case "reasons":
      case "result":
      case "saved":
      case "forgotten":
        this.#onAnswer(message);
        break;
    }
  }

  /** @param {Exclude<HostMessage, {type: "error"}>} message */
  #onAnswer(message) {
    try {
      this.#waiting.get(message.id)?.take(message);
    } catch (error) {
      this.#fail(message.id, new HostError("garbled", String(error)));
    }
  }

  /**
   * @param {browser.runtime.Port} port
   * @param {string} reason
   */
  #onDisconnect(port, reason) {
    if (port !== this.#port) return;
    const failure = failureOf(reason);
    // Browsers say the same of a host that could not be started and of one that was killed at work.
    const isKilled = this.#isGreeted && failure !== "garbled";
    this.#port = null;
    this.#hello = null;
    this.#failAll(new HostError(isKilled ? "stopped" : failure, reason));
  }

  /** @param {HostError} error one that says not which request it is about, or that is about all */
  #failAll(error) {
    for (const id of [...this.#waiting.keys()]) this.#fail(id, error);
  }

  /**
   * @param {number} id
   * @param {unknown} error
   */
  #fail(id, error) {
    const waiting = this.#waiting.get(id);
    this.#settle(id);
    waiting?.reject(error);
  }

  /**
   * Ends a request, and after the last one the host when a while has passed: an open port keeps it running.
   * @param {number} id
   */
  #settle(id) {
    this.#waiting.delete(id);
    clearTimeout(this.#closing);
    if (!this.#waiting.size) this.#closing = setTimeout(() => this.close(), IDLE_CLOSES_AFTER_MS);
  }
}
