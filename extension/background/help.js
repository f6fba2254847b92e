/** The extension's own page that explains, and what is remembered for it. */

const PAGE = "/pages/help.html";

/** Shows the page that says what to do when the host is missing: the open one, or a new one. */
export async function openHelp() {
  const answered = await browser.runtime.sendMessage({ type: "show-help" }).catch(() => false);
  if (!answered) await browser.tabs.create({ url: PAGE });
}

/**
 * Remembers, for this session of the browser, what a report needs.
 * @param {{summary?: object, error?: {message: string, detail: string}, hello?: object}} facts
 */
export async function remember(facts) {
  await browser.storage.session.set(facts);
}
