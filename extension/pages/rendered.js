/** The page that lists what would be opened in background tabs, before the first time on a site. */

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

/** Shows what is asked; once the person has answered nothing is kept of it. */
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
    // Browsers take it as the first thing after a click only.
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

/** Goes back to the page that this is about. */
async function leave() {
  await browser.storage.session.remove(`rendering:${tabId}`);
  await browser.tabs.update(tabId, { active: true }).catch(() => {}); // It may be closed.
  const own = await browser.tabs.getCurrent();
  if (own?.id !== undefined) await browser.tabs.remove(own.id);
}
