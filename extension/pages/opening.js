/** What a background tab shows until it is sent to its page: should nobody send it, it closes itself. */

const SENT_WITHIN_MS = 15_000;

setTimeout(async () => {
  const own = await browser.tabs.getCurrent();
  if (own?.id !== undefined) await browser.tabs.remove(own.id);
}, SENT_WITHIN_MS);
