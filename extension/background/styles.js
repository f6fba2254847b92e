/**
 * The rules of the template view. They act on the marks that page/view.js sets, and on nothing without them.
 * As a user's rules they win over the page's own, `!important` and all, and reach into shadow roots.
 */
const MARKS = `
[data-sitestencil="hide"], [data-sitestencil="hide"]::before, [data-sitestencil="hide"]::after {
  visibility: hidden !important;
}
[data-sitestencil="gone"] { display: none !important; }
[data-sitestencil="flat"] { font-size: 0 !important; line-height: 0 !important; }
[data-sitestencil="show"] { visibility: visible !important; }
[data-sitestencil="clear"] {
  color: transparent !important;
  -webkit-text-fill-color: transparent !important;
  text-shadow: none !important;
}
[data-sitestencil="unline"] { text-decoration-color: transparent !important; }
[data-sitestencil-still], [data-sitestencil-still] *,
[data-sitestencil-still] *::before, [data-sitestencil-still] *::after { transition: none !important; }
`;

/** Text that no element of its own wraps. */
const TEXTS = `
::highlight(sitestencil-content) {
  color: transparent !important;
  -webkit-text-fill-color: transparent !important;
  text-decoration: none !important;
  text-shadow: none !important;
}
`;

/** @typedef {{css: string, origin: "USER" | "AUTHOR"}} Style */

/**
 * @param {boolean} userHighlights whether the browser takes a user's rule for highlights; a page's it always does
 * @returns {ReadonlyArray<Style>}
 */
export function stylesFor(userHighlights) {
  return [
    { css: MARKS, origin: "USER" },
    { css: TEXTS, origin: "AUTHOR" },
    ...(userHighlights ? [{ css: TEXTS, origin: /** @type {const} */ ("USER") }] : []),
  ];
}
