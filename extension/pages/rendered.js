/** The page that lists the pages to open in background tabs, before the first time on a site. */

import { IN_ALL } from "../background/rendering.js";
import { siteOf, sitePattern } from "../sites.js";
import { textOf } from "../texts.js";
import { ask, element, fillTexts } from "./connection.js";

/** @import { Kept } from "../messages.js" */

fillTexts();
const tabId = Number(location.hash.slice(1));
const allow = element("allow", HTMLButtonElement);
element("cancel", HTMLButtonElement).addEventListener("click", () => void leave());
void show();

/** Shows the question, and deletes it after the person's answer. */
async function show() {
  const name = /** @type {const} */ (`rendering:${tabId}`);
  /** @type {Partial<Kept>} */
  const kept = await browser.storage.session.get(name);
  const asked = kept[name];
  if (!asked) return void (await leave());
  const { url, links } = asked;
  element("what", HTMLElement).textContent = textOf(["rendering_text", links.length, siteOf(url), IN_ALL]);
  element("pages", HTMLElement).replaceChildren(...links.map(lineOf));
  allow.addEventListener("click", () => {
    // Browsers accept this only directly after a click.
    const granted = browser.permissions.request({ origins: [sitePattern(url)] });
    void granted.then(answer, () => answer(false));
  });
  allow.disabled = false;
}

/** @param {string} link */
function lineOf(link) {
  const line = document.createElement("li");
  line.textContent = link;
  return line;
}

/** @param {boolean} granted */
async function answer(granted) {
  const status = element("status", HTMLElement);
  status.hidden = granted;
  status.dataset.outcome = "bad";
  status.textContent = textOf(["rendering_refused"]);
  if (!granted) return;
  await ask({ type: "render", tabId });
  await leave();
}

/** Goes back to the page in question. */
async function leave() {
  await browser.storage.session.remove(`rendering:${tabId}`);
  await browser.tabs.update(tabId, { active: true }).catch(() => {}); // It may have closed.
  const own = await browser.tabs.getCurrent();
  if (own?.id !== undefined) await browser.tabs.remove(own.id);
}
