/** Measures a page from within it: when it has painted a template, and for how long a click blocks it. */
() => {
  const shown = { first: null, last: null };
  const note = () =>
    requestAnimationFrame(() =>
      setTimeout(() => {
        shown.last = performance.timeOrigin + performance.now();
        shown.first ??= shown.last;
      }),
    );
  const observer = new MutationObserver(note);
  observer.observe(document, { attributes: true, attributeFilter: ["data-sitestencil"], subtree: true });
  observer.observe(document.documentElement, { childList: true });

  const firstShown = (seconds) =>
    new Promise((resolve) => {
      const end = performance.now() + 1000 * seconds;
      const look = () => (shown.first || performance.now() > end ? resolve() : setTimeout(look, 20));
      look();
    });

  // The page queues task after task; the longest gap between two shows how long a click blocked it.
  let longest = 0;
  let ended = false;
  const watchTurns = () => {
    const { port1, port2 } = new MessageChannel();
    let before = performance.now();
    port1.onmessage = () => {
      const now = performance.now();
      longest = Math.max(longest, now - before);
      before = now;
      if (!ended) port2.postMessage(null);
    };
    port2.postMessage(null);
  };
  const longestTurn = () => {
    ended = true;
    return longest;
  };

  window.measured = { shown, firstShown, watchTurns, longestTurn };
}
