/** The page that gives advice when the host is missing. */

import { copiesReport, element, fillTexts, greet, showCommand, showKeys } from "./connection.js";

fillTexts();
void showCommand(element("command", HTMLElement));
// One such page is enough: a second request brings the open one forward.
browser.runtime.onMessage.addListener((/** @type {ExtensionPageOrder} */ order, _sender, respond) => {
  if (order.type !== "show-help") return false;
  void greet();
  void comeForward().then(respond);
  return true;
});

async function comeForward() {
  const tab = await browser.tabs.getCurrent();
  if (tab?.id !== undefined) await browser.tabs.update(tab.id, { active: true });
  return true;
}

element("again", HTMLButtonElement).addEventListener("click", greet);
copiesReport(element("copy", HTMLButtonElement));
void showKeys();
void greet();
