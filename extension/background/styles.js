/**
 * The rules of the template view. They act on the marks that page/view.js sets, and on nothing without them.
 * As a user's rules they win over the page's own, `!important` and all, and reach into shadow roots.
 */
const MARKS = `
[data-sitestencil="hide"], [data-sitestencil="hide"]::before, [data-sitestencil="hide"]::after {
  visibility: hidden !important;
}
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

/**
 * Text that no element of its own wraps. Chromium takes highlights from a page's rules only, and lets them through
 * to shadow roots; Firefox does so with a user's rules.
 */
const TEXTS = `
::highlight(sitestencil-content) {
  color: transparent !important;
  -webkit-text-fill-color: transparent !important;
  text-decoration: none !important;
  text-shadow: none !important;
}
`;

export const STYLES = /** @type {const} */ ([
  { css: MARKS, origin: "USER" },
  { css: TEXTS, origin: "AUTHOR" },
  { css: TEXTS, origin: "USER" },
]);
