/** The one port to the host, for all tabs: the handshake, and requests with their answers. */

import { disconnectReason, failureOf } from "./browser.js";
import { HostError } from "./errors.js";
import { Assembly } from "./results.js";

const HOST = "org.sitestencil.host";
const PROTOCOL = 1;
const HELLO_WITHIN_MS = 10_000;
const IDLE_CLOSES_AFTER_MS = 10_000;
const UPDATE_TO_SAVE = "The installed program is too old to save templates. Update it, then restart the browser.";

/** @typedef {{name: string, title: string}} Detector */
/** @typedef {{protocol: number, version: string, detectors: Detector[], default_detector: string, capabilities: string[]}} Hello */
/** @typedef {{resolve: (value: any) => void, reject: (error: Error) => void, onMessage: (message: any) => any}} Waiting */

export class Host {
  /** @type {browser.runtime.Port | null} */
  #port = null;
  /** @type {Promise<Hello> | null} */
  #hello = null;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #lastId = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #closing;

  /**
   * Connects if need be and shakes hands.
   * @returns {Promise<Hello>}
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
   * @param {AbortSignal} options.signal
   * @param {(progress: {pages_loaded: number, pages_wanted: number | null}) => void} options.onProgress
   * @returns {Promise<import("./results.js").Result>}
   * @throws {HostError}
   */
  async extract(snapshot, { detector, signal, onProgress }) {
    await this.hello();
    signal.throwIfAborted();
    const parts = new Assembly();
    const { id, answer } = this.#request({ type: "extract", detector, snapshot }, (message) => {
      if (message.type === "progress") onProgress(message);
      return message.type === "result" ? parts.add(message) : null;
    });
    const cancel = () => {
      this.#post({ type: "cancel", id });
      this.#settle(id, (waiting) => waiting.reject(signal.reason));
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await answer;
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
    if (!capabilities.includes("save")) throw new HostError("answered", "no capability `save`", UPDATE_TO_SAVE);
    /** @type {string[]} */
    const pieces = [];
    const { answer } = this.#request({ type: "save", capture }, (message) => {
      if (message.type !== "saved") return null;
      pieces[message.part - 1] = message.text;
      return message.part === message.parts && pieces;
    });
    return answer;
  }

  /** Closes the port: the host ends, and with it whatever it was doing. */
  close() {
    clearTimeout(this.#closing);
    const port = this.#port;
    this.#port = null;
    this.#hello = null;
    port?.disconnect();
  }

  /** @returns {Promise<Hello>} */
  async #connect() {
    const port = browser.runtime.connectNative(HOST);
    this.#port = port;
    port.onMessage.addListener((message) => this.#onMessage(message));
    port.onDisconnect.addListener(() => this.#onDisconnect(port, disconnectReason(port)));
    const { version } = browser.runtime.getManifest();
    const { id, answer } = this.#request(
      { type: "hello", protocol: PROTOCOL, client: `sitestencil-extension ${version}` },
      (message) => (message.type === "hello" ? message : null),
    );
    const late = setTimeout(
      () => this.#settle(id, (waiting) => waiting.reject(new HostError("silent"))),
      HELLO_WITHIN_MS,
    );
    // Firefox gives no reason when a host ends at once.
    const ended = (/** @type {HostError} */ error) => {
      throw error.kind === "lost" ? new HostError("exited", error.detail) : error;
    };
    const hello = await answer.catch(ended).finally(() => clearTimeout(late));
    if (hello.protocol !== PROTOCOL) throw new HostError("protocol", `The host speaks protocol ${hello.protocol}.`);
    return hello;
  }

  /**
   * @param {object} request
   * @param {(message: any) => any} onMessage gives the answer when it is whole
   * @returns {{id: number, answer: Promise<any>}}
   */
  #request(request, onMessage) {
    clearTimeout(this.#closing);
    const id = ++this.#lastId;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, onMessage }));
    try {
      this.#post({ id, ...request });
    } catch (error) {
      this.#settle(id, (waiting) => waiting.reject(HostError.from(error)));
    }
    return { id, answer };
  }

  /** @param {object} message */
  #post(message) {
    if (!this.#port) throw new HostError("lost");
    this.#port.postMessage(message);
  }

  /** @param {any} message */
  #onMessage(message) {
    if (message.type === "error" && message.id === null) {
      this.#failAll(HostError.answered(message));
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if (message.type === "error") {
      this.#settle(message.id, ({ reject }) => reject(HostError.answered(message)));
      return;
    }
    try {
      const answer = waiting.onMessage(message);
      if (answer) this.#settle(message.id, ({ resolve }) => resolve(answer));
    } catch (error) {
      this.#settle(message.id, ({ reject }) => reject(new HostError("garbled", String(error))));
    }
  }

  /**
   * @param {browser.runtime.Port} port
   * @param {string} reason
   */
  #onDisconnect(port, reason) {
    if (port !== this.#port) return;
    this.#port = null;
    this.#hello = null;
    this.#failAll(new HostError(failureOf(reason), reason));
  }

  /** @param {HostError} error one that says not which request it is about, or that is about all */
  #failAll(error) {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, ({ reject }) => reject(error));
  }

  /**
   * Ends a request, and after the last one the host when a while has passed: an open port keeps it running.
   * @param {number} id
   * @param {(waiting: Waiting) => void} end
   */
  #settle(id, end) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) end(waiting);
    clearTimeout(this.#closing);
    if (!this.#waiting.size) this.#closing = setTimeout(() => this.close(), IDLE_CLOSES_AFTER_MS);
  }
}
