/** The extension's own page that explains what to do when the host is missing. */

/** @import { ExtensionPageOrder } from "../messages.js" */

const PAGE = "/pages/help.html";

/** Shows the page: the open one, or a new one. */
export async function openHelp() {
  /** @type {ExtensionPageOrder} */
  const order = { type: "show-help" };
  const answered = await browser.runtime.sendMessage(order).catch(() => false);
  if (!answered) await browser.tabs.create({ url: PAGE });
}
