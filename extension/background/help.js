/** Reports failed work of a tab, on the button, in the page, or on a page of the extension, and opens the welcome page. */

import { textOf } from "../texts.js";
import { HostError, NotPossible } from "./errors.js";
import { choice, keepOf } from "./memory.js";
import { messagePanel } from "./panels.js";

/** @import { Turn } from "./turns.js" */

/** @type {(turn: Pick<Turn, "page" | "signal">, thrown: unknown) => Promise<TabState | void>} the tab's state; nothing if the work was cancelled */
export async function stateOfFailure({ page, signal }, thrown) {
  const error = signal.aborted ? signal.reason : thrown;
  if (error?.name === "AbortError" || (error instanceof HostError && error.isCancelled)) return;
  if (error instanceof NotPossible) {
    await sayImpossible(page.tabId, error.reason[0]).catch(() => {});
    return { name: "impossible", problem: error.reason };
  }
  if (!(error instanceof HostError) && !(await page.describe())) return; // It is another page by now.
  if (!(error instanceof HostError)) console.error(error);
  const { phrase: problem, detail, needsHelp, mayPass } = HostError.from(error);
  await keepOf(page.tabId, { error: { problem, detail } }).catch(() => {});
  if (needsHelp) await openHelp(page.tabId);
  else await page.say(messagePanel(textOf(problem), await choice("panel"), mayPass));
  return { name: "error", problem };
}

const PAGE = "/pages/help.html";

/** Shows the page: the open one, or a new one; nothing if the tab that needs it has closed or is not in front. @type {(tabId: number) => Promise<void>} */
export async function openHelp(tabId) {
  if (!(await isInFront(tabId))) return;
  /** @type {ExtensionPageOrder} */
  const order = { type: "show-help" };
  const answered = await browser.runtime.sendMessage(order).catch(() => false);
  if (!answered) await browser.tabs.create({ url: PAGE });
}

/**
 * Says below the button why nothing is possible in a tab. Browsers open no popup in a background window: there it
 * opens a tab. The next click is an ordinary click again.
 * @type {(tabId: number, problem: TextName) => Promise<void>}
 */
export async function sayImpossible(tabId, problem) {
  if (!(await isInFront(tabId))) return; // Nothing opens over another page.
  const popup = `/pages/impossible.html?tab=${tabId}&problem=${problem}`;
  try {
    await browser.action.setPopup({ tabId, popup });
    await browser.action.openPopup();
  } catch {
    await browser.tabs.create({ url: popup });
  } finally {
    await browser.action.setPopup({ tabId, popup: "" }).catch(() => {});
  }
}

/** @type {(tabId: number) => Promise<boolean>} whether the tab is there, and the one that shows in its window */
async function isInFront(tabId) {
  const tab = await browser.tabs.get(tabId).catch(() => null);
  return tab?.active === true;
}

/** Opens the welcome page once, after the installation. */
export function welcomeOnInstall() {
  browser.runtime.onInstalled.addListener(({ reason }) => {
    if (reason !== "install") return;
    // Chromium sometimes has no texts for the first page after the installation, and then none until it ends.
    // Reading one here first prevents this.
    browser.i18n.getMessage("name");
    void browser.tabs.create({ url: "/pages/welcome.html" });
  });
}
