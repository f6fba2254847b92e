/** Explains why nothing is possible in a tab: in a popup below the button, or in a tab. */

import { textOf } from "../texts.js";
import { element, fillTexts } from "./connection.js";

const asked = new URLSearchParams(location.search);
const problem = asked.get("problem") ?? "impossible_kept_out";

fillTexts();
element("why", HTMLElement).textContent = textOf([/** @type {TextName} */ (`impossible_why_${problem.replace("impossible_", "")}`)]);
if (problem === "impossible_not_loaded") {
  document.title = element("title", HTMLElement).textContent = textOf(["impossible_title_not_loaded"]);
  element("what", HTMLElement).hidden = true;
  const again = element("again", HTMLButtonElement);
  again.hidden = false;
  again.addEventListener("click", async () => {
    await browser.tabs.reload(Number(asked.get("tab"))).catch(() => {}); // It may have closed.
    window.close();
  });
}
