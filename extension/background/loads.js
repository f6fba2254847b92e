/** The pages that the host asks for during an extraction. */

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
