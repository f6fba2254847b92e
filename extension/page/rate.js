"use strict";

/** A limit for what a page can cause: no page keeps the background from the other tabs. */
sitestencil.rate ??= (() => {
  const EVERY_MS = 1_000;
  /** Names of the last second, with the work that is to be done after it. @type {Map<string, (() => void) | null>} */
  const busy = new Map();

  /**
   * Does work at most once a second by each name; of what comes meanwhile the last is done when the second is over.
   * @param {string} name
   * @param {() => void} work
   */
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
