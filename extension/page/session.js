"use strict";

/** Fetches pages of this page's server with the session's cookies, by GET or HEAD only. In Firefox the page's content security policy applies, too. */
sitestencil.session ??= (() => {
  const MOST_BYTES = 5_000_000;
  const HTML = /^(?:text\/html|application\/xhtml\+xml)\b/i;
  const CHARSET = /charset\s*=\s*"?([\w.:-]{1,40})/i;
  const ANSWERED_WITHIN_MS = 2_000;

  /** @type {(url: string) => Promise<FetchedPage>} */
  async function load(url) {
    try {
      if (new URL(url).origin !== location.origin) return { error: "The page is of another server." };
      const response = await fetch(url, { credentials: "same-origin", redirect: "follow", referrerPolicy: "same-origin" });
      const type = response.headers.get("content-type") ?? "";
      if (new URL(response.url).origin !== location.origin) return { error: "The page leads to another server." };
      if (!HTML.test(type)) return { error: "The page is not HTML." };
      const content = await bytesOf(response);
      if (!content) return { error: "The page is too large." };
      const charset = CHARSET.exec(type)?.[1];
      return { url: response.url, status: response.status, ...(charset && { charset }), content: content.toBase64() };
    } catch (error) {
      return { error: `The browser did not load it: ${error}` };
    }
  }

  /** @type {(url: string) => Promise<boolean>} false if the server says that it is a file, which a tab would save */
  async function leadsToPage(url) {
    try {
      if (new URL(url).origin !== location.origin) return false;
      const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
      const { ok, headers } = await fetch(url, { method: "HEAD", credentials: "same-origin", referrerPolicy: "same-origin", signal });
      if (!ok) return true; // Many servers do not answer HEAD.
      return HTML.test(headers.get("content-type") ?? "") && !/^\s*attachment\b/i.test(headers.get("content-disposition") ?? "");
    } catch {
      return true;
    }
  }

  /** @type {(response: Response) => Promise<Uint8Array | null>} null for a page that is too large */
  async function bytesOf(response) {
    const reader = response.body?.getReader();
    /** @type {Uint8Array[]} */
    const pieces = [];
    let length = 0;
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      length += piece.value.length;
      if (length > MOST_BYTES) {
        await reader?.cancel();
        return null;
      }
      pieces.push(piece.value);
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  return { load, leadsToPage };
})();
