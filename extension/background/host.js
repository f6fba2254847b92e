/** The one port to the host, for all tabs: the handshake, and requests with their answers. */

import { disconnectReason, failureOf } from "./browser.js";
import { HostError } from "./errors.js";
import { Waiting } from "./waiting.js";
import { Assembly, isOfWebPage, withPage } from "./parts.js";

/** @import { Loader } from "./waiting.js" */
/** @import { Result } from "./parts.js" */

const HOST = "org.sitestencil.host";
const PROTOCOL = 1;
const HELLO_WITHIN_MS = 10_000;
const REST_MS = 10_000;
const LONGEST_REST_MS = 180_000;

export class Host {
  /** @type {browser.runtime.Port | null} */
  #port = null;
  /** @type {Promise<HelloAnswer> | null} */
  #hello = null;
  #waiting = new Waiting(() => {
    clearTimeout(this.#closing);
    this.#rest(0);
  });
  #isGreeted = false;
  #lastId = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #closing;
  #isWantedSoon;

  /** @param {() => Promise<boolean>} [isWantedSoon] whether another request is likely, for which the host is kept running */
  constructor(isWantedSoon = async () => false) {
    this.#isWantedSoon = isWantedSoon;
  }

  /** Starts the host for a likely request. A failure shows with that request. @type {(url?: string) => Promise<void>} `url`: of the page that the request will be about */
  async wake(url = "") {
    try {
      const greeted = this.hello();
      if (isOfWebPage(url)) this.#post({ type: "prepare", id: ++this.#lastId, url });
      await greeted;
    } catch {
      // The request will report it.
    }
  }

  /** Connects, if not yet done, and shakes hands. @type {() => Promise<HelloAnswer>} @throws {HostError} the host does not answer, or speaks another protocol */
  hello() {
    this.#hello ??= this.#greet().catch((error) => {
      this.close();
      throw error;
    });
    return this.#hello;
  }

  /**
   * @param {string} snapshot a `Snapshot` as JSON
   * @param {object} options
   * @param {string | null} options.detector
   * @param {boolean} [options.remembers] whether to use and renew the memory
   * @param {boolean} [options.morePages] whether to compare with more pages than are usually enough
   * @param {Loader} [options.loader] loads the pages; without it the host does
   * @param {AbortSignal} options.signal
   * @param {(progress: ProgressAnswer) => void} options.onProgress
   * @param {(result: Result) => void} [options.onEarly] takes early results
   * @returns {Promise<Result>}
   * @throws {HostError}
   */
  async extract(snapshot, { detector, remembers = false, morePages = false, loader, signal, onProgress, onEarly }) {
    await this.hello();
    signal.throwIfAborted();
    const parts = new Assembly();
    let early = new Assembly();
    /** The running loads, by the host's numbers. @type {Map<number, AbortController>} */
    const loads = new Map();
    const id = ++this.#lastId;
    /** @type {WithoutPage<ExtractRequest>} */
    const asked = {
      type: "extract",
      id,
      detector,
      pages: loader?.way ?? "http",
      ...(loader?.links && { links: loader.links }),
      more_pages: morePages,
      // More pages mean a new comparison.
      memory: remembers ? (morePages ? "renew" : "use") : null,
    };
    const answer = this.#request(withPage(asked, snapshot), (message) => {
      if (message.type === "progress") onProgress(message);
      if (message.type === "early_result") {
        if (message.part === 1) early = new Assembly();
        const result = early.add(message);
        if (result) onEarly?.(result);
      }
      if (message.type === "load" && loader) void this.#load(id, message, loader, loads);
      if (message.type === "cancel") loads.get(message.request)?.abort();
      if (message.type === "reasons") parts.addReasons(message);
      return message.type === "result" ? parts.add(message) : null;
    });
    const cancel = () => {
      this.#post({ type: "cancel", id });
      this.#waiting.fail(id, signal.reason);
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await answer;
    } finally {
      signal.removeEventListener("abort", cancel);
      for (const running of loads.values()) running.abort();
    }
  }

  /** Has a changed page judged by its earlier answer. @type {(change: string) => Promise<Result>} `change`: a `PageChange` as JSON @throws {HostError} */
  async apply(change) {
    await this.hello();
    const parts = new Assembly();
    /** @type {WithoutPage<ApplyRequest>} */
    const asked = { type: "apply", id: ++this.#lastId };
    return this.#request(withPage(asked, change), (message) => (message.type === "result" ? parts.add(message) : null));
  }

  /**
   * Has the host write the template or the content of a captured page.
   * @param {string} capture a `Capture` as JSON
   * @param {SaveChoices | ContentChoices | RulesChoices} choices
   * @param {(progress: ProgressAnswer) => void} [onProgress]
   * @param {(last: SavedPart) => void} [onLast] takes the last part, which has facts about the file
   * @returns {Promise<string[]>} the file's text, in pieces
   * @throws {HostError}
   */
  async save(capture, choices, onProgress = () => {}, onLast = () => {}) {
    await this.hello();
    /** @type {string[]} */
    const pieces = [];
    /** @type {WithoutPage<SaveRequest>} */
    const asked = { type: "save", id: ++this.#lastId, choices };
    return this.#request(withPage(asked, capture), (message) => {
      if (message.type === "progress") onProgress(message);
      if (message.type !== "saved") return null;
      pieces[message.part - 1] = message.text;
      if (message.part !== message.parts) return null;
      onLast(message);
      return pieces;
    });
  }

  /** @type {() => Promise<ReadonlyArray<RememberedSite>>} the sites that the host remembers @throws {HostError} */
  async sites() {
    await this.hello();
    const { sites } = await this.#request([{ type: "sites", id: ++this.#lastId }], (message) => (message.type === "sites" ? message : null));
    return sites;
  }

  /** Has the host forget one site, or all. @type {(site?: string) => Promise<number>} how many pages there were @throws {HostError} */
  async forget(site) {
    await this.hello();
    /** @type {ForgetRequest} */
    const asked = { type: "forget", id: ++this.#lastId, ...(site && { site }) };
    const { pages } = await this.#request([asked], (message) => (message.type === "forgotten" ? message : null));
    return pages;
  }

  /** Closes the port, which ends the host and its work. */
  close() {
    clearTimeout(this.#closing);
    const port = this.#port;
    this.#port = null;
    this.#hello = null;
    port?.disconnect();
  }

  /**
   * Shakes hands, and retries once if the host ended before its first message. Browsers give the same reason for a
   * host that was killed and one that cannot start.
   * @returns {Promise<HelloAnswer>}
   */
  async #greet() {
    try {
      return await this.#connect();
    } catch (error) {
      if (!(error instanceof HostError) || error.kind !== "exited") throw error;
      return this.#connect();
    }
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
    const answer = this.#request([{ type: "hello", id, protocol: PROTOCOL, client }], (message) => (message.type === "hello" ? message : null));
    const late = setTimeout(() => this.#waiting.fail(id, new HostError("silent")), HELLO_WITHIN_MS);
    // Firefox gives no reason when a host ends at once.
    const ended = (/** @type {HostError} */ error) => {
      throw error.kind === "lost" ? new HostError("exited", error.detail) : error;
    };
    const said = await answer.catch(ended).finally(() => clearTimeout(late));
    if (said.protocol !== PROTOCOL) throw new HostError("protocol", `The host speaks protocol ${said.protocol}.`);
    return said;
  }

  /**
   * @template Value
   * @param {ReadonlyArray<HostRequest>} requests the parts of one
   * @param {(message: HostMessage) => Value | null} read returns the answer once it is complete
   * @returns {Promise<Value>}
   */
  #request(requests, read) {
    clearTimeout(this.#closing);
    const { id } = requests[0];
    const answer = this.#waiting.add(id, read);
    try {
      for (const request of requests) this.#post(request);
    } catch (error) {
      this.#waiting.fail(id, HostError.from(error));
    }
    return answer;
  }

  /** Loads a page for a request of the host's. @type {(id: number, asked: LoadRequest, loader: Loader, loads: Map<number, AbortController>) => Promise<void>} */
  async #load(id, { request, url }, loader, loads) {
    const running = new AbortController();
    loads.set(request, running);
    const page = await loader.load(url, running.signal).catch((error) => ({ error: String(error) }));
    loads.delete(request);
    if (!running.signal.aborted && this.#waiting.has(id)) this.#post({ type: "page", id, request, ...page });
  }

  /** @param {HostRequest} request */
  #post(request) {
    if (!this.#port) throw new HostError("lost");
    this.#port.postMessage(request);
  }

  /** Hands a message to the request that waits for it, or ignores it. @param {HostMessage} message */
  #onMessage(message) {
    if (message.type === "hello") this.#isGreeted = true;
    if (message.type !== "error") this.#waiting.take(message);
    else if (message.id === null) this.#waiting.failAll(HostError.answered(message));
    else this.#waiting.fail(message.id, HostError.answered(message));
  }

  /** @type {(port: browser.runtime.Port, reason: string) => void} */
  #onDisconnect(port, reason) {
    if (port !== this.#port) return;
    const failure = failureOf(reason);
    // Browsers give the same reason for a host that could not start and one that was killed.
    const isKilled = this.#isGreeted && failure !== "garbled";
    this.#port = null;
    // The caller retries or forgets a failed handshake.
    if (this.#isGreeted) this.#hello = null;
    this.#waiting.failAll(new HostError(isKilled ? "stopped" : failure, reason));
  }

  /** Ends the host when no request is likely: an open port keeps it and this background running. @type {(restedMs: number) => void} `restedMs`: how long it has been idle */
  #rest(restedMs) {
    this.#closing = setTimeout(async () => {
      const port = this.#port;
      const rested = restedMs + REST_MS;
      const isWanted = rested < LONGEST_REST_MS && (await this.#isWantedSoon());
      if (port !== this.#port || this.#waiting.size) return;
      if (isWanted) this.#rest(rested);
      else this.close();
    }, REST_MS);
  }
}
