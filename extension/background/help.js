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
    if (reason !== "install") return;
    // Chromium now and then has no texts for the first page after the installation, and then none for anybody as long as
    // it runs. Asked for here before, they are there for both.
    browser.i18n.getMessage("name");
    void browser.tabs.create({ url: "/pages/welcome.html" });
  });
}
