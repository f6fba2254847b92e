/** The extension's own pages: the first one, and the one that explains what to do when the host is missing. */

/** @import { ExtensionPageOrder, TextName } from "../messages.js" */

const PAGE = "/pages/help.html";

/** Shows the page: the open one, or a new one. */
export async function openHelp() {
  /** @type {ExtensionPageOrder} */
  const order = { type: "show-help" };
  const answered = await browser.runtime.sendMessage(order).catch(() => false);
  if (!answered) await browser.tabs.create({ url: PAGE });
}

/**
 * Says below the button why nothing is possible in a tab, or in a tab of its own where the browser opens no popup: it
 * does not in a window that is not in front. The next click is a click again.
 * @param {number} tabId
 * @param {TextName} problem
 */
export async function sayImpossible(tabId, problem) {
  const popup = `/pages/impossible.html?problem=${problem}`;
  try {
    await browser.action.setPopup({ tabId, popup });
    await browser.action.openPopup();
  } catch {
    await browser.tabs.create({ url: popup });
  } finally {
    await browser.action.setPopup({ tabId, popup: "" }).catch(() => {});
  }
}

/** Opens the page that asks for the host and says what the button does, once: after the installation. */
export function welcomeOnInstall() {
  browser.runtime.onInstalled.addListener(({ reason }) => {
    if (reason !== "install") return;
    // Chromium now and then has no texts for the first page after the installation, and then none for anybody as long as
    // it runs. Asked for here before, they are there for both.
    browser.i18n.getMessage("name");
    void browser.tabs.create({ url: "/pages/welcome.html" });
  });
}
