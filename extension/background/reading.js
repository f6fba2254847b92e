/**
 * The rules of the reading style, a measure, a font and calm colours over the page's own. They act on the marks of
 * page/reading.js: the theme at the root, `frame` on what stands around the content, `piece` on top of it. No selector
 * here counts, so that the marks that hide always win.
 */

const PICTURES = "svg, svg *, img, picture, video, audio, canvas, iframe, embed, object";
const CONTROLS = "button, input, select, textarea";
/** These keep their own layout, as all in `keep` does. */
const DRAWN = `${PICTURES}, ${CONTROLS}, button *, math, math *, .katex, .katex *, mjx-container, mjx-container *, .MathJax, .MathJax *`;
const KEPT = '[data-sitestencil-reading~="keep"], [data-sitestencil-reading~="keep"] *';
const CODE = "pre, pre *, code, code *, kbd, samp, tt";
const BOXES = "div, section, article, main, header, footer, aside, p, h1, h2, h3, h4, h5, h6, figure, figcaption, address, details, form, fieldset, center";
const PLAYERS = ":has(> :is(iframe, video, embed, object))";
const FRAME = ':where([data-sitestencil-reading~="frame"])';

/** @type {(selector: string) => string} */
const inside = (selector) => `:where([data-sitestencil-reading~="piece"], [data-sitestencil-reading~="piece"] *):where(${selector})`;
const INK = inside(`:not(${PICTURES})`);
const LETTERS = inside(`:not(${DRAWN}, ${KEPT})`);

/** @type {Readonly<Record<Reading, {scheme: string, paper: string, ink: string}>>} */
const THEMES = {
  light: { scheme: "light", paper: "#fdfdfb", ink: "#202124" },
  sepia: { scheme: "light", paper: "#f5ecd9", ink: "#3d3022" },
  dark: { scheme: "dark", paper: "#1c1d1f", ink: "#d9d6cf" },
};

const themes = Object.entries(THEMES).map(([name, { scheme, paper, ink }]) => `
:where([data-sitestencil-theme="${name}"]) { color-scheme: ${scheme} !important; background: ${paper} !important; color: ${ink} !important; }`);

export const READING = `${themes.join("")}
[data-sitestencil="hide"][data-sitestencil-theme] { visibility: visible !important; }
[data-sitestencil="hide"][data-sitestencil-theme] > body:not([data-sitestencil="show"]) { visibility: hidden !important; }
:where([data-sitestencil-theme]) { width: auto !important; min-width: 0 !important; max-width: none !important; height: auto !important; min-height: 100% !important; margin: 0 !important; padding: 0 !important; overflow: visible !important; transform: none !important; filter: none !important; }
${FRAME}:where(:not(iframe)) {
  display: block !important; position: static !important; float: none !important; columns: auto !important;
  width: auto !important; min-width: 0 !important; max-width: none !important; height: auto !important; min-height: 0 !important; max-height: none !important;
  margin: 0 !important; padding: 0 !important; border: 0 !important; background: none !important; color: inherit !important;
  box-shadow: none !important; opacity: 1 !important; transform: none !important; filter: none !important; clip-path: none !important;
  color-scheme: inherit !important; mask: none !important; mix-blend-mode: normal !important;
  overflow: visible !important; contain: none !important; font: inherit !important; text-align: start !important; letter-spacing: normal !important;
}
${FRAME}:where(iframe) { width: 100% !important; max-width: 100% !important; }
:where([data-sitestencil-theme] > body) {
  box-sizing: border-box !important; width: auto !important; min-width: 0 !important; max-width: min(100%, 74ch) !important; min-height: 0 !important;
  margin: 0 auto !important; padding: 24px 20px 96px !important; background: none !important; color: inherit !important;
  font: 19px/1.6 Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif !important; overflow: visible !important;
}
${INK} {
  color-scheme: inherit !important; color: inherit !important; -webkit-text-fill-color: currentcolor !important;
  background-color: transparent !important; text-shadow: none !important; box-shadow: none !important; mix-blend-mode: normal !important;
}
${["before", "after", "first-letter", "first-line", "marker"].map((part) => `${INK}::${part}`).join()} { color: inherit !important; -webkit-text-fill-color: currentcolor !important; background: none !important; }
${LETTERS} {
  font-size: inherit !important; line-height: inherit !important; letter-spacing: normal !important; word-spacing: normal !important;
  mask: none !important; opacity: 1 !important; filter: none !important; clip-path: none !important; transform: none !important;
  max-width: 100% !important; min-width: 0 !important; columns: auto !important;
  grid-template: none !important; grid-auto-flow: row !important; grid-auto-columns: auto !important; grid-area: auto !important;
  border-color: color-mix(in srgb, currentcolor 25%, transparent) !important; overflow-wrap: break-word !important;
}
${inside(`:not(${DRAWN}, ${KEPT}, ${CODE}, i, [class*="icon" i])`)} { font-family: inherit !important; text-wrap-mode: wrap !important; }
${inside(`:not(${DRAWN}, ${KEPT}, ${PLAYERS}, :empty, pre)`)} {
  position: relative !important; inset: auto !important; height: auto !important; max-height: none !important; overflow: visible !important; -webkit-line-clamp: none !important;
}
${inside(`:not(${DRAWN}, ${KEPT}, :empty)`)} { background-image: none !important; }
${inside(`:is(${BOXES}):not(${KEPT}, :empty)`)} { float: none !important; width: auto !important; margin-inline: 0 !important; padding-inline: 0 !important; }
${inside(":is(ul, ol, dl, li, dt, dd, blockquote)")} { float: none !important; width: auto !important; }
${inside("h1, h2, h3, h4, h5, h6")} { font-weight: 700 !important; text-indent: 0 !important; line-height: 1.25 !important; margin-block: 1.2em 0.4em !important; }
${inside("h1")} { font-size: 1.7em !important; }
${inside("h2")} { font-size: 1.4em !important; }
${inside("h3")} { font-size: 1.2em !important; }
${inside("small, sub, sup, figcaption, caption")} { font-size: 0.85em !important; }
${inside("p")} { margin-block: 0 1em !important; }
${inside("ul, ol")} { margin-block: 0.6em 1em !important; margin-inline: 0 !important; padding-inline-start: 1.6em !important; }
${inside("blockquote")} { margin: 1em 0 !important; padding-inline: 1em 0 !important; border-inline-start: 3px solid color-mix(in srgb, currentcolor 30%, transparent) !important; }
${inside(CODE)} { font-family: ui-monospace, monospace !important; }
${inside(":not(pre, pre *):is(code, kbd, samp, tt)")} { text-wrap-mode: wrap !important; font-size: 0.88em !important; background-color: color-mix(in srgb, currentcolor 9%, transparent) !important; }
${inside("pre")} { position: static !important; height: auto !important; max-height: none !important; margin: 1em 0 !important; padding: 0.7em 1em !important; overflow: auto !important; font-size: 0.84em !important; line-height: 1.45 !important; background-color: color-mix(in srgb, currentcolor 7%, transparent) !important; }
${inside("table")} { float: none !important; border-collapse: collapse !important; width: auto !important; height: auto !important; font-size: 0.92em !important; }
${inside("td, th")} { width: auto !important; padding: 0.3em 0.6em !important; vertical-align: top !important; }
${inside("table:has(th) :is(td, th)")} { border: 1px solid color-mix(in srgb, currentcolor 25%, transparent) !important; }
:where([data-sitestencil-reading~="wide"]) { display: block !important; max-width: 100% !important; overflow: auto !important; }
:where([data-sitestencil-reading~="row"]) { flex-wrap: wrap !important; }
${inside("mark")} { background-color: color-mix(in srgb, gold 45%, transparent) !important; }
${inside("a:any-link")} { color: LinkText !important; text-decoration: underline !important; }
${inside("a:visited")} { color: VisitedText !important; }
${inside(CONTROLS)} { max-width: 100% !important; min-width: 0 !important; background-color: color-mix(in srgb, currentcolor 7%, transparent) !important; }
${inside("button, button *, input:is([type=submit], [type=button], [type=reset])")} { opacity: 1 !important; background-image: none !important; text-wrap-mode: wrap !important; }
${inside("img, picture, video, canvas, svg, iframe, embed, object")} { max-width: 100% !important; min-width: 0 !important; }
${inside("img")} { position: static !important; max-width: min(100%, 100vw - 40px) !important; object-fit: contain !important; }
:where([data-sitestencil-theme="dark"]) ${inside("img")} { background-color: #fff !important; color: #202124 !important; }
:where([data-sitestencil-theme="dark"]) ${inside('svg:not(mjx-container *, .MathJax *, svg *, [fill="currentColor"], [stroke="currentColor"])')} { background-color: #e8e5de !important; color: #202124 !important; }
@media print {
:where([data-sitestencil-theme], [data-sitestencil-theme] > body) { background: none !important; color: #000 !important; color-scheme: light !important; }
:where([data-sitestencil-theme] > body) { max-width: none !important; padding: 0 !important; font-size: 12pt !important; }
${inside("pre")} { white-space: pre-wrap !important; }
:where([data-sitestencil-reading~="wide"]) { overflow: visible !important; }
:where([data-sitestencil-reading~="sheet"]) { position: static !important; height: auto !important; min-height: 0 !important; max-height: none !important; margin-block: 0 !important; padding-block: 0 !important; overflow: visible !important; }
}
`;
