/** All errors, each with a text for the person. */

/** @import { HostFailure } from "./browser.js" */

/** @type {Partial<Record<string, TextName>>} */
const FAILURES = { answered: "extension_failed", internal: "extension_failed", interrupted: "extension_interrupted" };

/** The text of each of the protocol's errors by its number. @type {Readonly<Record<number, TextName>>} */
export const ERRORS = {
  100: "error_misunderstood",
  101: "error_misunderstood",
  102: "error_misunderstood",
  103: "error_page_too_large",
  104: "error_broken_off",
  105: "host_protocol",
  106: "error_misunderstood",
  107: "error_answer_too_long",
  108: "error_too_much_waits",
  200: "error_page_changed",
  201: "error_no_web_address",
  300: "error_cancelled",
  301: "error_no_candidates",
  302: "error_nothing_loaded",
  303: "error_time_out",
  304: "error_unknown_detector",
  305: "error_cannot_be_saved",
  306: "error_too_heavy",
  307: "error_no_rules",
  310: "error_memory_unavailable",
  500: "error_program_failed",
};

const CANCELLED = 300;
// May go well the next time: broken off, too much waits, page changed, nothing loaded, time out, too heavy, a defect.
const PASSING = new Set([104, 108, 200, 302, 303, 306, 500]);
const PROTOCOL_VERSION = 105;

/** The host cannot be used, or answered with an error. */
export class HostError extends Error {
  /**
   * @param {HostFailure | "stopped" | "interrupted" | "internal" | "answered"} kind
   * @param {string} [detail] for a report: the browser's or the host's own words
   * @param {Phrase} [phrase] for the person
   * @param {number | null} [number] the protocol's, for an error that the host answered
   */
  constructor(kind, detail = "", phrase = [FAILURES[kind] ?? /** @type {TextName} */ (`host_${kind}`)], number = null) {
    super(detail || kind);
    this.name = "HostError";
    this.kind = kind;
    this.detail = detail;
    this.phrase = phrase;
    this.number = number;
  }

  /** An error that the host answered. For an unknown number the person sees the host's sentence. @type {(error: ErrorAnswer) => HostError} */
  static answered({ number, name, message, detail = "" }) {
    const report = `${number} ${name}${detail && `: ${detail}`}`;
    if (number === PROTOCOL_VERSION) return new HostError("protocol", report);
    /** @type {Phrase} */
    const phrase = Object.hasOwn(ERRORS, number) ? [ERRORS[number]] : ["error_unknown", message];
    return new HostError("answered", report, phrase, number);
  }

  /** @type {(error: unknown) => HostError} */
  static from(error) {
    return error instanceof HostError ? error : new HostError("internal", String(error));
  }

  /** Whether no extraction can work until the person mends the installation. */
  get needsHelp() {
    return !["answered", "lost", "stopped", "interrupted", "internal"].includes(this.kind);
  }

  /** Whether the same click may work the next time. */
  get mayPass() {
    return this.kind === "answered" ? this.number === null || PASSING.has(this.number) : !this.needsHelp;
  }

  get isCancelled() {
    return this.number === CANCELLED;
  }
}

/** The page cannot be read: a browser's own page, a store, no HTML. */
export class NotPossible extends Error {
  /** @param {TextName} reason */
  constructor(reason) {
    super(reason);
    this.name = "NotPossible";
    /** @type {Phrase} */
    this.reason = [reason];
  }
}
