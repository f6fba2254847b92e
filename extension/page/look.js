"use strict";

/** The looks of the panel's elements. */
sitestencil.look ??= (() => {
  // Without a box, nothing that the page's rules set on it shows.
  const HOST = { all: "initial", display: "contents" };
  const ONE_LINE = { "white-space": "nowrap", overflow: "hidden", "text-overflow": "ellipsis", "min-width": "0" };
  // Beats even the important styles of the element itself, which stands outside.
  const PRINT = "@media print { :host { display: none !important } }";
  // Transparent borders show if the system forces its colours.
  const REGION = {
    all: "initial",
    position: "fixed",
    "inset-block": "auto 16px",
    "inset-inline": "auto 16px",
    display: "flex",
    "flex-direction": "column-reverse",
    "max-width": "min(320px, calc(100vw - 32px))",
    "max-height": "calc(100vh - 32px)",
    "overflow-y": "auto",
    "box-sizing": "border-box",
    padding: "4px",
    border: "1px solid transparent",
    "border-radius": "11px",
    background: "#17334f",
    color: "#fff",
    font: "12px/1.5 system-ui, sans-serif",
    "text-align": "start",
    "user-select": "none",
    "box-shadow": "0 2px 10px rgb(0 0 0 / 35%)",
  };
  const BUTTON = {
    all: "unset",
    cursor: "pointer",
    "box-sizing": "border-box",
    padding: "3px 8px",
    border: "1px solid transparent",
    "border-radius": "7px",
    background: "#2f4964",
    color: "#fff",
    "outline-offset": "-2px",
    "white-space": "nowrap",
  };
  const RING = "2px solid #9fdbd6";
  const BAR = { display: "flex", gap: "2px", "align-items": "center" };
  // As wide as the line, whatever it says.
  const BODY = { display: "flex", "flex-direction": "column", width: "0", "min-width": "100%" };
  const ROW = { display: "flex", "flex-wrap": "wrap", gap: "4px" };
  const MENU = { display: "flex", "flex-direction": "column", gap: "2px", padding: "2px 0 6px" };
  const GROUP = { display: "flex", flex: "1 0 auto", background: "#2f4964", "border-radius": "7px" };
  const SEGMENT = { flex: "1 0 auto", padding: "3px 5px", "text-align": "center", background: "transparent" };
  const ITEM = { background: "transparent" };
  const SIGN = { padding: "3px 4px", background: "transparent" };
  const MAIN = { background: "#9fdbd6", color: "#0b2036", "font-weight": "700" };
  const PRESSED = { background: "#fff", color: "#17334f", "text-decoration": "underline" };
  // Where the system forces its own colours, the underline would be all that is left of it.
  const PRESSED_FORCED = { background: "Highlight", color: "HighlightText", "forced-color-adjust": "none" };
  const ON = "\u2713 ";
  /** @type {Readonly<Record<string, string>>} the colours of how sure an answer is */
  const SIGNS = { "\u25cf": "#7ee2a8", "\u25d0": "#f2c94c", "\u25cb": "#ffa79c" };
  const STATUS = { padding: "2px 8px" };
  const UNSEEN = { position: "absolute", width: "1px", height: "1px", overflow: "hidden", "clip-path": "inset(50%)", "white-space": "nowrap" };

  return { HOST, ONE_LINE, PRINT, REGION, BUTTON, RING, BAR, BODY, GROUP, SEGMENT, ITEM, SIGN, MAIN, MENU, ROW, PRESSED, PRESSED_FORCED, ON, SIGNS, STATUS, UNSEEN };
})();
