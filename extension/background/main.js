/** The extension's background: listens to the browser, the pages' scripts and the extension's pages. */

import { keepCorrection, openCorrections } from "./corrections.js";
import { HostError } from "./errors.js";
import { welcomeOnInstall } from "./help.js";
import { Host } from "./host.js";
import { closeLeftTabs } from "./left_tabs.js";
import { choose, keep } from "./memory.js";
import { isMode } from "./modes.js";
import { onSavingPage } from "./saving.js";
import { Tabs } from "./tabs.js";

/** @import { ExtensionPageMessage, Greeting, PageMessage, Phrase, WorkingPortName } from "../messages.js" */

/** @type {Tabs} */
const tabs = new Tabs(new Host(() => tabs.isUsedInFront()));

welcomeOnInstall();
closeLeftTabs();
// Wakes this background at the browser's start, to close left tabs.
browser.runtime.onStartup.addListener(() => {});

browser.action.onClicked.addListener(({ id, url }) => {
  if (url?.startsWith(browser.runtime.getURL("/pages/try.html"))) void browser.runtime.sendMessage({ type: "try" });
  else if (id !== undefined) void tabs.click(id, url);
});

browser.commands.onCommand.addListener((command, tab) => {
  if (tab?.id === undefined) return;
  if (command === "save-template") void tabs.save(tab.id);
  if (command === "show-template") void tabs.click(tab.id, tab.url, "template");
  if (command === "show-content") void tabs.click(tab.id, tab.url, "content");
});

// A page holds its port open during an extraction: if it closes without a message, the page is gone.
/** @type {WorkingPortName} */
const WORKING = "working";
browser.runtime.onConnect.addListener((port) => {
  const tabId = port.sender?.tab?.id;
  if (port.name !== WORKING || tabId === undefined) return;
  const gone = () => void tabs.cancel(tabId);
  port.onMessage.addListener(() => port.onDisconnect.removeListener(gone));
  port.onDisconnect.addListener(gone);
});

browser.runtime.onConnect.addListener(onSavingPage);

browser.runtime.onMessage.addListener((/** @type {PageMessage | ExtensionPageMessage} */ message, sender, respond) => {
  if (message.type === "hello") {
    void greet().then(respond);
    return true;
  }
  if (message.type === "sites") {
    void answered(async () => ({ sites: await tabs.host.sites() })).then(respond);
    return true;
  }
  if (message.type === "forget") {
    void answered(async () => ({ pages: await tabs.host.forget(message.site) })).then(respond);
    return true;
  }
  if (message.type === "render") {
    if (sender.url?.startsWith(browser.runtime.getURL("/"))) void tabs.compareBy(message.tabId, "rendered", true, message.links);
    return false;
  }
  if (message.type === "interrupted") respond(true);
  if (sender.tab?.id !== undefined) onPageMessage(sender.tab.id, message);
  return false;
});

/** @type {(tabId: number, message: PageMessage) => void} */
function onPageMessage(tabId, message) {
  switch (message.type) {
    case "view":
      if (isMode(message.mode)) void tabs.show(tabId, message.mode);
      break;
    case "save":
      void tabs.save(tabId, { asks: true });
      break;
    case "copy":
      void tabs.copy(tabId);
      break;
    case "grown":
      void tabs.grown(tabId);
      break;
    case "gaps":
    case "around":
    case "always":
      void tabs.toggle(tabId, message.type);
      break;
    case "more":
      void tabs.loadMore(tabId);
      break;
    case "compare":
      void tabs.compareBy(tabId, message.way, message.allowed, message.links);
      break;
    case "again":
      void tabs.compareBy(tabId);
      break;
    case "cancel":
      tabs.cancel(tabId);
      break;
    case "retry":
      if (!tabs.turns.isBusy(tabId)) void tabs.click(tabId);
      break;
    case "corrected":
      void keepCorrection(tabId, message.correction, message.undone).then(() => tabs.corrected(tabId));
      break;
    case "reading":
      void tabs.toggle(tabId, "reading", message.style);
      break;
    case "panel":
      void choose({ panel: { place: message.place } });
      break;
    case "edit":
      void openCorrections(tabId);
      break;
    case "options":
      void browser.runtime.openOptionsPage();
      break;
    case "moved":
      if (message.isWorking) tabs.end(tabId, new HostError("answered", "", ["error_page_changed"]));
      else void tabs.viewChanged(tabId, "none");
      break;
    case "undone":
      if (isMode(message.mode)) void tabs.undone(tabId, message.mode);
      break;
    case "interrupted":
      void tabs.interrupted(tabId);
      break;
    case "returned":
      void tabs.viewChanged(tabId, isMode(message.view) ? message.view : "none", message.about);
      break;
  }
}

/** The handshake, for the extension's pages; errors are values, as messages carry no others. @type {() => Promise<Greeting>} */
async function greet() {
  try {
    const hello = await tabs.host.hello();
    await keep({ hello });
    return { ok: true, hello };
  } catch (error) {
    const { phrase: problem, detail } = HostError.from(error);
    await keep({ error: { problem, detail } });
    return { ok: false, problem, detail };
  }
}

/**
 * @template Value
 * @param {() => Promise<Value>} ask the host
 * @returns {Promise<({ok: true} & Value) | {ok: false, problem: Phrase, detail: string}>} for an extension page
 */
async function answered(ask) {
  try {
    return { ok: true, ...(await ask()) };
  } catch (error) {
    const { phrase: problem, detail } = HostError.from(error);
    return { ok: false, problem, detail };
  }
}
