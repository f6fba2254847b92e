/** The page that explains what to do when the host is missing. */

import { copiesReport, element, greet, showKeys } from "./connection.js";

const again = element("again");

async function tryAgain() {
  again.disabled = true;
  try {
    await greet();
  } finally {
    again.disabled = false;
  }
}

// One page of this kind is enough: asked for again, the open one comes forward.
browser.runtime.onMessage.addListener((message, _sender, respond) => {
  if (message.type !== "show-help") return false;
  void tryAgain();
  void comeForward().then(respond);
  return true;
});

async function comeForward() {
  const tab = await browser.tabs.getCurrent();
  if (tab?.id !== undefined) await browser.tabs.update(tab.id, { active: true });
  return true;
}

again.addEventListener("click", tryAgain);
copiesReport(element("copy"));
void showKeys();
void tryAgain();
