/** The extension's background: what the browser and the extension's pages may ask for. */

import { HostError } from "./errors.js";
import { remember } from "./help.js";
import { Host } from "./host.js";
import { onSavingPage } from "./saving.js";
import { Tabs } from "./tabs.js";

const host = new Host();
const tabs = new Tabs(host);

browser.action.onClicked.addListener(({ id }) => {
  if (id !== undefined) void tabs.click(id);
});

browser.commands.onCommand.addListener((command, tab) => {
  if (command === "save-template" && tab?.id !== undefined) void tabs.save(tab.id);
});

// A page holds its port open while an extraction of it runs: when it closes with no word, the page is gone.
browser.runtime.onConnect.addListener((port) => {
  const tabId = port.sender?.tab?.id;
  if (port.name !== "working" || tabId === undefined) return;
  const gone = () => void tabs.cancel(tabId);
  port.onMessage.addListener(() => port.onDisconnect.removeListener(gone));
  port.onDisconnect.addListener(gone);
});

browser.runtime.onConnect.addListener(onSavingPage);

browser.runtime.onMessage.addListener((message, sender, respond) => {
  const tabId = sender.tab?.id;
  switch (message.type) {
    case "click":
      if (tabId !== undefined) void tabs.click(tabId);
      return false;
    case "save":
      if (tabId !== undefined) void tabs.save(tabId);
      return false;
    case "moved":
      if (tabId !== undefined) void tabs.showView(tabId, "none");
      return false;
    case "returned":
      if (tabId !== undefined) void tabs.showView(tabId, message.view);
      return false;
    case "hello":
      void greet().then(respond);
      return true;
    default:
      return false;
  }
});

/** The handshake, for the extension's pages: errors go as values, as messages carry no others. */
async function greet() {
  try {
    const hello = await host.hello();
    await remember({ hello });
    return { ok: true, hello };
  } catch (error) {
    const { kind, message, detail } = HostError.from(error);
    await remember({ error: { message, detail } });
    return { ok: false, kind, message, detail };
  }
}
