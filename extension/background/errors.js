/** What can go wrong, with a sentence for the person at the browser. */

/** @typedef {import("./browser.js").HostFailure} HostFailure */

/** @type {Readonly<Record<HostFailure | "internal", string>>} */
const SENTENCES = {
  missing: "The Sitestencil program is not installed for this browser.",
  forbidden: "The Sitestencil program is registered, but not for this extension.",
  exited: "The Sitestencil program could not be started, or ended at once.",
  garbled: "The Sitestencil program answered something unreadable.",
  silent: "The Sitestencil program does not answer.",
  protocol: "The Sitestencil program and this extension are of different versions: update both.",
  lost: "The connection to the Sitestencil program broke.",
  internal: "Something went wrong in the Sitestencil extension.",
};

const CANCELLED = 300;
const PROTOCOL_VERSION = 105;

/** The host cannot be used, or answered with an error. */
export class HostError extends Error {
  /**
   * @param {HostFailure | "internal" | "answered"} kind
   * @param {string} [detail] for a report: the browser's or the host's own words
   * @param {string} [sentence]
   * @param {number | null} [number] the protocol's, for an error that the host answered
   */
  constructor(kind, detail = "", sentence = kind === "answered" ? "" : SENTENCES[kind], number = null) {
    super(sentence);
    this.name = "HostError";
    this.kind = kind;
    this.detail = detail;
    this.number = number;
  }

  /**
   * @param {{number: number, name: string, message: string, detail?: string}} error as the protocol has it
   * @returns {HostError}
   */
  static answered({ number, name, message, detail }) {
    if (number === PROTOCOL_VERSION) return new HostError("protocol", detail ?? message);
    return new HostError("answered", `${number} ${name}${detail ? `: ${detail}` : ""}`, message, number);
  }

  /**
   * @param {unknown} error
   * @returns {HostError}
   */
  static from(error) {
    return error instanceof HostError ? error : new HostError("internal", String(error));
  }

  /** Whether no extraction can work before the person has done something about the installation. */
  get needsHelp() {
    return !["answered", "lost", "internal"].includes(this.kind);
  }

  get isCancelled() {
    return this.number === CANCELLED;
  }
}

/** The page cannot be read: a browser's own page, a store, no HTML. */
export class NotPossible extends Error {
  /** @param {string} sentence */
  constructor(sentence) {
    super(sentence);
    this.name = "NotPossible";
  }
}
