/** Waiting: requests to the host for their answers, by their ids, and work until it is aborted. */

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

  /** @template Value @param {number} id @param {(message: AnswerMessage) => Value | null} read gives the answer when it is whole @returns {Promise<Value>} the answer */
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

/** @template Value @param {Promise<Value>} work @param {AbortSignal} signal @returns {Promise<Value>} rejects with the signal's reason as soon as it is aborted */
export function unlessAborted(work, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
  });
}
