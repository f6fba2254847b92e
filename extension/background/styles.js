/** The rules that the extension puts into a page. */

import { READING } from "./reading.js";

/** The rules of the template view. They act only on the marks of page/view.js. As user rules they beat the page's own, even `!important`, and reach into shadow roots. */
const MARKS = `
[data-sitestencil="hide"], [data-sitestencil="hide"]::before, [data-sitestencil="hide"]::after {
  visibility: hidden !important;
}
[data-sitestencil="gone"] { display: none !important; }
[data-sitestencil="flat"] { font-size: 0 !important; line-height: 0 !important; }
[data-sitestencil="show"] { visibility: visible !important; }
[data-sitestencil="paper"] {
  visibility: visible !important;
  background-image: none !important;
  border-color: transparent !important;
  box-shadow: none !important;
  outline-color: transparent !important;
}
[data-sitestencil="paper"]::before, [data-sitestencil="paper"]::after { visibility: hidden !important; }
[data-sitestencil="clear"] {
  color: transparent !important;
  -webkit-text-fill-color: transparent !important;
  text-shadow: none !important;
}
[data-sitestencil="unline"] { text-decoration-color: transparent !important; }
[data-sitestencil-still], [data-sitestencil-still] *,
[data-sitestencil-still] *::before, [data-sitestencil-still] *::after { transition: none !important; }
`;

/** Text without an element of its own. */
const TEXTS = `
::highlight(sitestencil-content) {
  color: transparent !important;
  -webkit-text-fill-color: transparent !important;
  text-decoration: none !important;
  text-shadow: none !important;
}
`;

/** @typedef {{css: string, origin: "USER" | "AUTHOR"}} Style */

/** @type {(userHighlights: boolean) => ReadonlyArray<Style>} `userHighlights`: whether the browser takes user rules for highlights; it always takes a page's */
export function stylesFor(userHighlights) {
  return [
    { css: MARKS + READING, origin: "USER" },
    { css: TEXTS, origin: "AUTHOR" },
    ...(userHighlights ? [{ css: TEXTS, origin: /** @type {const} */ ("USER") }] : []),
  ];
}
