"use strict";

/** Messages to the background, and the port that is open while it works on the page. */
sitestencil.messenger ??= (() => {
  /** @type {WorkingPortName} */
  const WORKING = "working";
  const [MOST_WAKES, WAKES_AGAIN_MS] = [10, 500];
  /** @type {browser.runtime.Port | null} */
  let port = null;
  /** @type {Parameters<Sitestencil["messenger"]["watch"]>[0]} */
  let when;

  /** Opens the port, which tells the background when this document closes. */
  function open() {
    port = sitestencil.api.get().runtime.connect({ name: WORKING });
    port.onDisconnect.addListener(interrupted);
  }

  /** @type {Sitestencil["messenger"]["close"]} */
  function close(said = "done") {
    const closing = port;
    port = null;
    try {
      if (said) closing?.postMessage(said);
      closing?.disconnect();
    } catch {
      // The other end has closed it.
    }
    leave();
  }

  /** Takes the browser's interface out of the page, unless it is needed. */
  const leave = () => sitestencil.api.leave(port);

  /** Wakes a background that ended at work: nobody else would report the end. */
  function interrupted() {
    port = null;
    when.interrupted();
    // The port closes, too, when the extension goes: a little later that is known.
    setTimeout(wake, WAKES_AGAIN_MS);
  }

  /** A message that comes while the browser still ends the background is lost, so the background answers this one. */
  async function wake(tries = MOST_WAKES) {
    if (!tries || when.isKnown() || sitestencil.life.isGone()) return;
    if (!(await tell({ type: "interrupted" }))) setTimeout(wake, WAKES_AGAIN_MS, tries - 1);
  }

  /** @type {Sitestencil["messenger"]["notify"]} */
  function notify(name, message) {
    sitestencil.api.limit(name, () => {
      const said = message();
      if (said) tell(said);
    });
  }

  /** @type {Sitestencil["messenger"]["tell"]} */
  async function tell(message) {
    try {
      return await sitestencil.api.get().runtime.sendMessage(message);
    } catch {
      return when.gone(); // Nobody listens: nobody else would bring the page back.
    } finally {
      leave();
    }
  }

  return { open, close, leave, notify, tell, watch: (/** @type {typeof when} */ told) => (when = told) };
})();
