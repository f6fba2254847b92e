/** The extension's own pages: the first one, and the one that explains what to do when the host is missing. */

/** @import { ExtensionPageOrder } from "../messages.js" */

const PAGE = "/pages/help.html";

/** Shows the page: the open one, or a new one. */
export async function openHelp() {
  /** @type {ExtensionPageOrder} */
  const order = { type: "show-help" };
  const answered = await browser.runtime.sendMessage(order).catch(() => false);
  if (!answered) await browser.tabs.create({ url: PAGE });
}

/** Opens the page that asks for the host and says what the button does, once: after the installation. */
export function welcomeOnInstall() {
  browser.runtime.onInstalled.addListener(({ reason }) => {
    if (reason === "install") void browser.tabs.create({ url: "/pages/welcome.html" });
  });
}
