/** The options' lists of sites, a line with a bin for each: opened as content, remembered, loaded in the session or in tabs. */

import { choose } from "../background/memory.js";
import { siteOf, sitesIn } from "../sites.js";
import { printable, textOf } from "../texts.js";
import { ask, element } from "./connection.js";

const SVG = "http://www.w3.org/2000/svg";
const BIN = "M4 6h16M9 6V4h6v2M6 6l1 14h10l1-14M10 10v6M14 10v6";

/** @type {(content: Node, label: string, onBin: () => void) => HTMLLIElement} `label`: of the bin, for screen readers */
export function lineOf(content, label, onBin) {
  const line = document.createElement("li");
  line.className = "line";
  const bin = document.createElement("button");
  bin.type = "button";
  bin.className = "bin";
  bin.title = label;
  bin.setAttribute("aria-label", label);
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", BIN);
  picture.append(path);
  bin.append(picture);
  bin.addEventListener("click", onBin);
  line.append(content, bin);
  return line;
}

/** Replaces a list's content. The focus stays at its place, where the next line may be now. @type {(list: HTMLElement, content: ReadonlyArray<Node>) => void} */
export function replaceLines(list, content) {
  const controls = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("input, button")]);
  const at = controls().indexOf(/** @type {HTMLElement} */ (document.activeElement));
  list.replaceChildren(...content);
  if (at >= 0) controls()[Math.min(at, controls().length - 1)]?.focus();
}

/** @type {(name: string, sites: ReadonlyArray<[site: string, words: string]>, bin: TextName, onBin: (site: string) => void) => void} `name`: the list's id, as in `no-name` of what shows without a line; `words`: beside the site */
function showSites(name, sites, bin, onBin) {
  const lines = sites.map(([site, words]) => {
    const small = document.createElement("small");
    small.textContent = words;
    const text = document.createElement("span");
    text.append(printable(site), " ", small);
    return lineOf(text, textOf([bin, site]), () => onBin(site));
  });
  replaceLines(element(name, HTMLElement), lines);
  element(`no-${name}`, HTMLElement).hidden = sites.length > 0;
}

/** @returns {Promise<Partial<Choices>>} */
function choices() {
  return browser.storage.local.get(null);
}

/** Shows the choice of the view that the button opens, and stores changes; forgets what was kept for another choice. */
export async function showViews() {
  const opens = element("opens", HTMLSelectElement);
  opens.value = (await choices()).opens ?? "template";
  opens.addEventListener("change", async () => {
    await choose({ opens: /** @type {Choices["opens"]} */ (opens.value) });
    if (opens.value !== "last") await browser.storage.local.remove("lastViews");
    await showViewSites();
  });
  opens.disabled = false;
  await showViewSites();
}

async function showViewSites() {
  const { contentSites = [], lastViews = {} } = await choices();
  const sites = [...new Set([...contentSites, ...Object.keys(lastViews)])].sort();
  const wordsOf = (/** @type {string} */ site) => textOf([contentSites.includes(site) ? "views_always" : `views_last_${lastViews[site]}`]);
  showSites("view-sites", sites.map((site) => [site, wordsOf(site)]), "views_forget", async (site) => {
    const others = Object.entries(lastViews).filter(([one]) => one !== site);
    await choose({ contentSites: contentSites.filter((one) => one !== site), lastViews: Object.fromEntries(others) });
    await showViewSites();
  });
}

/** Shows the choices for the memory, and stores changes. */
export async function showMemory() {
  const remembers = element("remembers", HTMLInputElement);
  const never = element("never", HTMLTextAreaElement);
  const chosen = await choices();
  remembers.checked = chosen.remembers ?? true;
  never.value = (chosen.neverRemembered ?? []).join("\n");
  remembers.addEventListener("change", () => void choose({ remembers: remembers.checked }));
  never.addEventListener("change", () => {
    const neverRemembered = sitesIn(never.value);
    never.value = neverRemembered.join("\n");
    void choose({ neverRemembered });
  });
  remembers.disabled = never.disabled = false;
  element("forget", HTMLButtonElement).addEventListener("click", () => void forget());
  await showRemembered();
}

/** Lists the remembered sites; without the helper program it lists none, and the page's status says why. */
async function showRemembered() {
  const answer = await ask({ type: "sites" });
  const sites = answer.ok ? answer.sites : [];
  showSites("remembered", sites.map(({ site, pages }) => [site, textOf(["memory_site", pages])]), "memory_forget_site", (site) => void forget(site));
  if (!answer.ok) element("no-remembered", HTMLElement).hidden = true;
}

/** Clears the memory of one site, or of all, and shows the outcome. @param {string} [site] */
async function forget(site) {
  const status = element("forgotten", HTMLElement);
  const answer = await ask({ type: "forget", ...(site && { site }) });
  status.hidden = false;
  status.dataset.outcome = answer.ok ? "good" : "bad";
  status.textContent = textOf(answer.ok ? ["memory_forgotten", answer.pages] : answer.problem);
  await showRemembered();
}

/** Shows the sites whose pages the extension may load; one click withdraws the person's permission, and the browser's. */
export async function showAllowed() {
  const [{ sessionSites = [], renderedSites = [] }, permissions] = await Promise.all([choices(), browser.permissions.getAll()]);
  const origins = (permissions.origins ?? []).filter((one) => one.startsWith("http"));
  const granted = origins.map((one) => siteOf(one.replace("*", "")));
  const known = renderedSites.map(hostOf);
  const rendered = [...renderedSites, ...granted.filter((site) => !known.includes(hostOf(site)))];
  const sites = [...new Set([...sessionSites, ...rendered])].sort();
  const ways = (/** @type {string} */ site) => [...(sessionSites.includes(site) ? [textOf(["sites_session"])] : []), ...(rendered.includes(site) ? [textOf(["sites_rendered"])] : [])];
  showSites("sites", sites.map((site) => [site, ways(site).join(", ")]), "sites_take_back_of", async (site) => {
    const others = (/** @type {string[]} */ all) => all.filter((one) => one !== site);
    await choose({ sessionSites: others(sessionSites), renderedSites: others(renderedSites) });
    const withdrawn = origins.filter((_, index) => hostOf(granted[index]) === hostOf(site));
    if (withdrawn.length) await browser.permissions.remove({ origins: withdrawn });
    await showAllowed();
  });
}

/** @type {(site: string) => string} the browser's permission, which covers a host at any port */
function hostOf(site) {
  return site.replace(/:\d+$/, "");
}
