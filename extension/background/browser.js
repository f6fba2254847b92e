/** What differs between the browsers, in one place. */

/**
 * The reason a native messaging port closed, in the browser's own words.
 * @param {browser.runtime.Port} port
 * @returns {string} empty if the other end just closed it
 */
export function disconnectReason(port) {
  const firefox = /** @type {{message?: string} | null | undefined} */ (port.error);
  return firefox?.message ?? browser.runtime.lastError?.message ?? "";
}

/**
 * Whether highlights may be styled by a user's rule, which then reaches into shadow roots. Firefox takes one;
 * Chromium takes the page's rules only, and where a user's rule stands beside one it takes neither.
 * @returns {boolean}
 */
export function takesUserHighlights() {
  return isFirefox();
}

/**
 * Whether a tab is opened with a page of the extension, and sent elsewhere when its number is written down. Chromium may
 * end the background in between; Firefox does not, and loses an address that comes while a tab's first page loads.
 * @returns {boolean}
 */
export function opensTabsInTwoSteps() {
  return !isFirefox();
}

function isFirefox() {
  return "getBrowserInfo" in browser.runtime;
}

/**
 * What a browser's reason means, if it says; see the table in `host/PROTOCOL.md`'s companion, `sitestencil doctor`.
 * Firefox says the same of a host that is not registered and of one it may not start.
 */
const REASONS = /** @type {const} */ ([
  [/not found|no such native application/i, "missing"],
  [/forbidden/i, "forbidden"],
  [/exited|unexpected error/i, "exited"],
  [/error when communicating|exceeds the limit/i, "garbled"],
]);

/** @typedef {"missing" | "forbidden" | "exited" | "garbled" | "silent" | "protocol" | "lost"} HostFailure */

/**
 * @param {string} reason
 * @returns {HostFailure}
 */
export function failureOf(reason) {
  return REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? "lost";
}
