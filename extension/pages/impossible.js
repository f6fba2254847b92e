/** What the button shows below itself on a page where nothing is possible: why. */

import { textOf } from "../texts.js";
import { element, fillTexts } from "./connection.js";

/** @import { TextName } from "../messages.js" */

fillTexts();
const reason = /** @type {TextName} */ (location.hash.slice(1) || "impossible_no_web_page");
element("reason", HTMLElement).textContent = textOf(["title_impossible", [reason]]);

// The next click is a try again.
const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
if (tab?.id !== undefined) await browser.action.setPopup({ tabId: tab.id, popup: "" });
