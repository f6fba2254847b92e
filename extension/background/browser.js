/** All differences between the browsers. */

/** The reason a native messaging port closed, in the browser's own words. @type {(port: browser.runtime.Port) => string} empty if the other end just closed it */
export function disconnectReason(port) {
  const firefox = /** @type {{message?: string} | null | undefined} */ (port.error);
  return firefox?.message ?? browser.runtime.lastError?.message ?? "";
}

/**
 * Whether a user's rule may style highlights, and so reach into shadow roots. Firefox takes one. Chromium takes
 * only the page's rules, and with a user's rule beside one it takes neither.
 * @returns {boolean}
 */
export function takesUserHighlights() {
  return isFirefox();
}

/**
 * Whether a tab opens with a page of the extension, and goes to its address once its number is stored. Chromium may
 * end the background in between. Firefox does not, but loses an address that comes while a tab's first page loads.
 * @returns {boolean}
 */
export function opensTabsInTwoSteps() {
  return !isFirefox();
}

/**
 * Why a tab's page admits no script. For its own error page, as without a connection, Chromium says so when it refuses
 * one; Firefox gives that page an icon of its own, as it does a PDF.
 * @type {(tab: browser.tabs.Tab, refusal: string) => TextName}
 */
export function reasonOf({ url = "", favIconUrl = "" }, refusal) {
  if (favIconUrl.startsWith("chrome:") && favIconUrl.endsWith("/pdf.svg")) return "impossible_pdf";
  const isErrorPage = url.startsWith("http") && (/error page/i.test(refusal) || favIconUrl.startsWith("chrome:"));
  return isErrorPage ? "impossible_not_loaded" : "impossible_kept_out";
}

/** @returns {boolean} whether a menu pins the button, and not a pin beside its name */
export function hasPinInMenu() {
  return isFirefox();
}

function isFirefox() {
  return "getBrowserInfo" in browser.runtime;
}

/** The failure behind a browser's reason; `sitestencil doctor` explains more. Firefox gives the same reason for a host that is not registered and for one that it may not start. */
const REASONS = /** @type {const} */ ([
  [/not found|no such native application/i, "missing"],
  [/forbidden/i, "forbidden"],
  [/exited|unexpected error/i, "exited"],
  [/error when communicating|exceeds the limit/i, "garbled"],
]);

/** @typedef {"missing" | "forbidden" | "exited" | "garbled" | "silent" | "protocol" | "lost"} HostFailure */

/** @type {(reason: string) => HostFailure} */
export function failureOf(reason) {
  return REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? "lost";
}
