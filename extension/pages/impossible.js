/** Explains why nothing is possible in a tab: in a popup below the button, or in a tab. */

import { textOf } from "../texts.js";
import { element, fillTexts } from "./connection.js";

const isOfBrowser = new URLSearchParams(location.search).get("problem") !== "impossible_no_web_page";

fillTexts();
element("why", HTMLElement).textContent = textOf([isOfBrowser ? "impossible_why_kept_out" : "impossible_why_no_web_page"]);
