"use strict";

/** A rate limit for messages that a page can cause, so that no page blocks other tabs. */
sitestencil.rate ??= (() => {
  const EVERY_MS = 1_000;
  /** Names of the last second, with the work to do after it. @type {Map<string, (() => void) | null>} */
  const busy = new Map();

  /** Does work at most once a second for each name; the latest work in between follows when the second is over. @type {(name: string, work: () => void) => void} */
  function limit(name, work) {
    if (busy.has(name)) return void busy.set(name, work);
    busy.set(name, null);
    setTimeout(() => {
      const next = busy.get(name);
      busy.delete(name);
      if (next) limit(name, next);
    }, EVERY_MS);
    work();
  }

  return { limit };
})();
