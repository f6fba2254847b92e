/** The page that lists the pages to open in background tabs, before the first time on a site. */

import { kept } from "../background/memory.js";
import { endOf, siteOf, sitePattern } from "../sites.js";
import { textOf } from "../texts.js";
import { ask, element, fillTexts } from "./connection.js";

fillTexts();
const tabId = Number(location.hash.slice(1));
const allow = element("allow", HTMLButtonElement);
element("cancel", HTMLButtonElement).addEventListener("click", () => void leave());
void show();

/** Shows the question, and deletes it after the person's answer. */
async function show() {
  const name = /** @type {const} */ (`rendering:${tabId}`);
  const asked = await kept(name);
  if (!asked) return void (await leave());
  const { url, links, most } = asked;
  element("what", HTMLElement).textContent = textOf(["rendering_text", siteOf(url), most]);
  const list = element("pages", HTMLElement);
  list.replaceChildren(...links.map(lineOf));
  list.addEventListener("change", () => (allow.disabled = chosen().length === 0));
  allow.addEventListener("click", () => {
    // Browsers accept this only directly after a click.
    const granted = browser.permissions.request({ origins: [sitePattern(url)] });
    void granted.then(answer, () => answer(false));
  });
  allow.disabled = false;
}

/** @param {string} link */
function lineOf(link) {
  const [line, label, box, end] = [document.createElement("li"), document.createElement("label"), document.createElement("input"), document.createElement("span")];
  box.type = "checkbox";
  box.value = link;
  box.checked = true;
  label.title = link;
  end.textContent = endOf(link);
  label.append(box, end);
  line.append(label);
  return line;
}

/** @returns {string[]} the checked pages */
function chosen() {
  return [...document.querySelectorAll("#pages input")].flatMap((box) => (box instanceof HTMLInputElement && box.checked ? [box.value] : []));
}

/** @param {boolean} granted */
async function answer(granted) {
  const status = element("status", HTMLElement);
  status.hidden = granted;
  status.dataset.outcome = "bad";
  status.textContent = textOf(["rendering_refused"]);
  if (!granted) return;
  await ask({ type: "render", tabId, links: chosen() });
  await leave();
}

/** Goes back to the page in question. */
async function leave() {
  await browser.storage.session.remove(`rendering:${tabId}`);
  await browser.tabs.update(tabId, { active: true }).catch(() => {}); // It may have closed.
  const own = await browser.tabs.getCurrent();
  if (own?.id !== undefined) await browser.tabs.remove(own.id);
}
