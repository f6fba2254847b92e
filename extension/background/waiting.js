/** Requests to the host that wait for their answers, by their ids, and pages that the host asks for meanwhile. */

import { HostError } from "./errors.js";

/** @typedef {Exclude<HostMessage, {type: "error"}>} AnswerMessage */
/** @typedef {{take: (message: AnswerMessage) => boolean, reject: (error: unknown) => void}} WaitingRequest */

export class Waiting {
  /** @type {Map<number, WaitingRequest>} */
  #requests = new Map();
  #onEmpty;

  /** @param {() => void} onEmpty is called when the last one has ended */
  constructor(onEmpty) {
    this.#onEmpty = onEmpty;
  }

  /** How many there are. */
  get size() {
    return this.#requests.size;
  }

  /** @type {(id: number) => boolean} */
  has(id) {
    return this.#requests.has(id);
  }

  /**
   * @template Value
   * @param {number} id
   * @param {(message: AnswerMessage) => Value | null} read gives the answer when it is whole
   * @returns {Promise<Value>} the answer
   */
  add(id, read) {
    return new Promise((resolve, reject) => {
      const take = (/** @type {AnswerMessage} */ message) => {
        const answer = read(message);
        if (answer) resolve(answer);
        return Boolean(answer);
      };
      this.#requests.set(id, { take, reject });
    });
  }

  /** @param {AnswerMessage} message ignored if nobody waits for it */
  take(message) {
    try {
      if (this.#requests.get(message.id)?.take(message)) this.#end(message.id);
    } catch (error) {
      this.fail(message.id, new HostError("garbled", String(error)));
    }
  }

  /** @type {(id: number, error: unknown) => void} */
  fail(id, error) {
    const request = this.#requests.get(id);
    this.#end(id);
    request?.reject(error);
  }

  /** @param {HostError} error of all requests, or of an unknown one */
  failAll(error) {
    for (const id of [...this.#requests.keys()]) this.fail(id, error);
  }

  /** @param {number} id */
  #end(id) {
    this.#requests.delete(id);
    if (!this.size) this.#onEmpty();
  }
}

/** With the links that the person has seen. @typedef {{way: Way, links?: ReadonlyArray<string>, load: (url: string, signal: AbortSignal) => Promise<FetchedPage>}} Loader */

export class Loads {
  /** The running loads, by the host's numbers. @type {Map<number, AbortController>} */
  #running = new Map();

  /**
   * @param {Loader | undefined} loader loads the pages; without one, the host's requests are ignored
   * @param {(page: FetchedPage & {request: number}) => void} answer
   */
  constructor(loader, answer) {
    this.loader = loader;
    this.answer = answer;
  }

  /** @param {LoadRequest | CancelLoad} message */
  take(message) {
    if (message.type === "load") void this.#load(message.request, message.url);
    else this.#running.get(message.request)?.abort();
  }

  /** Ends all running loads. */
  end() {
    for (const running of this.#running.values()) running.abort();
  }

  /** @type {(request: number, url: string) => Promise<void>} */
  async #load(request, url) {
    if (!this.loader) return;
    const running = new AbortController();
    this.#running.set(request, running);
    const page = await this.loader.load(url, running.signal).catch((error) => ({ error: String(error) }));
    this.#running.delete(request);
    if (!running.signal.aborted) this.answer({ request, ...page });
  }
}
