"use strict";

/** The looks of the panel's elements. */
sitestencil.look ??= (() => {
  // Without a box, nothing that the page's rules set on it shows.
  const HOST = { all: "initial", display: "contents" };
  const ONE_LINE = { "white-space": "nowrap", overflow: "hidden", "text-overflow": "ellipsis", "min-width": "0" };
  const FIRST_LINE = { "font-weight": "700", "margin-block-start": "4px" };
  // Beats even the important styles of the element itself, which stands outside.
  const PRINT = "@media print { :host { display: none !important } }";
  // Transparent borders show if the system forces its colours.
  const REGION = {
    all: "initial",
    position: "fixed",
    "inset-block": "auto 16px",
    "inset-inline": "auto 16px",
    display: "flex",
    "flex-direction": "column",
    gap: "4px",
    "max-width": "min(420px, calc(100vw - 32px))",
    "max-height": "calc(100vh - 32px)",
    "overflow-y": "auto",
    "box-sizing": "border-box",
    padding: "6px",
    border: "1px solid transparent",
    "border-radius": "10px",
    background: "#17334f",
    color: "#fff",
    font: "13px/1.5 system-ui, sans-serif",
    "text-align": "start",
    "user-select": "none",
    "box-shadow": "0 2px 10px rgb(0 0 0 / 35%)",
  };
  const BUTTON = {
    all: "unset",
    cursor: "pointer",
    "box-sizing": "border-box",
    padding: "3px 9px",
    border: "1px solid transparent",
    "border-radius": "6px",
    background: "#2f4964",
    color: "#fff",
    "outline-offset": "1px",
    "white-space": "nowrap",
  };

  return { HOST, ONE_LINE, FIRST_LINE, PRINT, REGION, BUTTON };
})();
