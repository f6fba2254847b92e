/** The options for the view that the button opens, on all sites and on single ones. */

import { textOf } from "../texts.js";
import { element } from "./connection.js";
import { lineOf, replaceLines } from "./lines.js";

/** @type {Readonly<Record<FirstView, TextName>>} */
const LAST = { template: "views_last_template", content: "views_last_content" };

/** Shows the choices, and stores changes. */
export async function showViews() {
  const opens = element("opens", HTMLSelectElement);
  opens.value = (await kept()).opens;
  opens.addEventListener("change", () => void choose(/** @type {Choices["opens"]} */ (opens.value)));
  opens.disabled = false;
  await showSites();
}

/** Forgets what was kept for another choice. @param {Choices["opens"]} opens */
async function choose(opens) {
  await keep({ opens });
  if (opens !== "last") await browser.storage.local.remove("lastViews");
  await showSites();
}

async function showSites() {
  const { contentSites, lastViews } = await kept();
  const sites = [...new Set([...contentSites, ...Object.keys(lastViews)])].sort();
  const textOfSite = (/** @type {string} */ site) => textOf([contentSites.includes(site) ? "views_always" : LAST[lastViews[site]], site]);
  const lines = sites.map((site) => {
    const words = document.createElement("span");
    words.textContent = textOfSite(site);
    return lineOf(words, textOf(["views_forget", site]), () => void forget(site));
  });
  replaceLines(element("view-sites", HTMLElement), lines);
  element("no-view-sites", HTMLElement).hidden = sites.length > 0;
}

/** @param {string} site */
async function forget(site) {
  const { contentSites, lastViews } = await kept();
  const others = Object.entries(lastViews).filter(([one]) => one !== site);
  await keep({ contentSites: contentSites.filter((one) => one !== site), lastViews: Object.fromEntries(others) });
  await showSites();
}

/** @returns {Promise<Pick<Choices, "opens" | "contentSites" | "lastViews">>} */
async function kept() {
  /** @type {Partial<Choices>} */
  const { opens = "template", contentSites = [], lastViews = {} } = await browser.storage.local.get(["opens", "contentSites", "lastViews"]);
  return { opens, contentSites, lastViews };
}

/** @param {Partial<Choices>} choices */
async function keep(choices) {
  await browser.storage.local.set(choices);
}
