/** Reports failed work of a tab: on the button, in the page, or on the help page. */

import { HostError, NotPossible } from "./errors.js";
import { openHelp, sayImpossible } from "./help.js";
import { keepOf } from "./memory.js";
import { textOf } from "../texts.js";

/** @import { Page } from "./page.js" */

/** @type {(page: Page, thrown: unknown, signal: AbortSignal) => Promise<TabState>} the tab's state; `signal`: of the work */
export async function stateOfFailure(page, thrown, signal) {
  const error = signal.aborted ? signal.reason : thrown;
  if (error?.name === "AbortError" || (error instanceof HostError && error.isCancelled)) return { name: "idle" };
  if (error instanceof NotPossible) {
    await sayImpossible(page.tabId, error.reason[0]).catch(() => {});
    return { name: "impossible", problem: error.reason };
  }
  if (!(error instanceof HostError)) console.error(error);
  const { phrase: problem, detail, needsHelp, mayPass } = HostError.from(error);
  await keepOf(page.tabId, { error: { problem, detail } }).catch(() => {});
  if (needsHelp) await openHelp(page.tabId);
  else await page.sayFailed(textOf(problem), mayPass);
  return { name: "error", problem };
}
