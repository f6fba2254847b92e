/** The first page of a background tab; it closes itself if nobody sends it on. */

const SENT_WITHIN_MS = 15_000;

setTimeout(async () => {
  const own = await browser.tabs.getCurrent();
  if (own?.id !== undefined) await browser.tabs.remove(own.id);
}, SENT_WITHIN_MS);
