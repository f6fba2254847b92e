/** The extension's background: listens to the browser, the pages' scripts and the extension's pages. */

import { keepCorrection, openCorrections } from "./choices.js";
import { HostError } from "./errors.js";
import { welcomeOnInstall } from "./help.js";
import { Host } from "./host.js";
import { closeLeftTabs } from "./left_tabs.js";
import { choose, closeStorage, keep } from "./memory.js";
import { isMode } from "./modes.js";
import { onSavingPage } from "./saving.js";
import { Tabs } from "./tabs.js";

/** @type {Tabs} */
const tabs = new Tabs(new Host(() => tabs.isUsedInFront()));

closeStorage();
welcomeOnInstall();
closeLeftTabs();

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
browser.runtime.onConnect.addListener((port) => {
  if (isOwn(port.sender)) return onSavingPage(port);
  const turn = tabs.turns.of(port.sender?.tab?.id);
  const gone = () => turn?.end();
  port.onMessage.addListener((/** @type {any} */ said) => {
    port.onDisconnect.removeListener(gone);
    if (said === /** @type {WorkingPortMessage} */ ("moved")) turn?.end(new HostError("answered", "", ["error_page_changed"]));
  });
  port.onDisconnect.addListener(gone);
});

browser.runtime.onMessage.addListener((/** @type {PageMessage | ExtensionPageMessage} */ message, sender, respond) => {
  if (message.type === "hello" || message.type === "sites" || message.type === "forget" || message.type === "render") {
    if (isOwn(sender)) void answerTo(message).then(respond);
    return isOwn(sender);
  }
  if (message.type === "interrupted") respond(true);
  if (sender.tab?.id !== undefined) onPageMessage(sender.tab.id, message);
  return false;
});

/** @type {(sender?: browser.runtime.MessageSender) => boolean} whether it is a page of the extension, by the browser's word: a script in a web page has that page's address */
function isOwn({ url = "" } = {}) {
  return url.startsWith(browser.runtime.getURL("/"));
}

/** @type {(tabId: number, message: PageMessage) => void} */
function onPageMessage(tabId, message) {
  if (message.type === "press") onPress(tabId, message.button, message.links);
  else if (message.type === "grown") void tabs.grown(tabId);
  else if (message.type === "corrected") void keepCorrection(tabId, message.correction, message.undone).then(() => tabs.corrected(tabId));
  else if (message.type === "panel") void choose({ panel: { place: message.place } });
  else if (message.type === "undone" && isMode(message.mode)) void tabs.undone(tabId, message.mode);
  else if (message.type === "interrupted") void tabs.changed(tabId, new HostError("interrupted"));
  else if (message.type === "moved" || message.type === "returned") void tabs.changed(tabId);
}

/** A press of the panel's buttons. @type {(tabId: number, button: PanelButtonName, links?: ReadonlyArray<string>) => void} */
function onPress(tabId, button, links) {
  if (isMode(button)) void tabs.show(tabId, button);
  else if (button === "gaps" || button === "around" || button === "always") void tabs.toggle(tabId, button);
  else if (button.startsWith("reading_")) void tabs.toggle(tabId, "reading", button.slice("reading_".length));
  else if (button === "save") void tabs.save(tabId, { asks: true });
  else if (button === "copy") void tabs.copy(tabId);
  else if (button === "rules") void tabs.copy(tabId, "rules");
  else if (button === "more") void tabs.loadMore(tabId);
  else if (button === "again") void tabs.compareBy(tabId);
  else if (button === "session" || button === "rendered") void tabs.compareBy(tabId, button);
  else if (button === "allow") void tabs.compareBy(tabId, "session", true, links);
  else if (button === "cancel") tabs.turns.of(tabId)?.end();
  else if (button === "retry") void tabs.click(tabId, undefined, undefined, "press");
  else if (button === "edit") void openCorrections(tabId);
  else if (button === "options") void browser.runtime.openOptionsPage();
}

/** Asks the host for a page of the extension; errors are values, as messages carry no others. @type {(message: ExtensionPageMessage) => Promise<object>} */
async function answerTo(message) {
  const { host } = tabs;
  try {
    if (message.type === "sites") return { ok: true, sites: await host.sites() };
    if (message.type === "forget") return { ok: true, pages: await host.forget(message.site) };
    if (message.type === "render") return { started: void tabs.compareBy(message.tabId, "rendered", true, message.links) };
    const hello = await host.hello();
    await keep({ hello });
    return { ok: true, hello };
  } catch (error) {
    const { phrase: problem, detail } = HostError.from(error);
    await keep({ error: { problem, detail } });
    return { ok: false, problem, detail };
  }
}
