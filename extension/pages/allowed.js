/** The options' list of sites whose pages the extension may load; one click withdraws a permission. */

import { printable } from "../printable.js";
import { siteOf } from "../sites.js";
import { textOf } from "../texts.js";
import { element } from "./connection.js";
import { lineOf, replaceLines } from "./lines.js";

/** @type {Readonly<Record<Way, TextName>>} */
const WAYS = { session: "sites_session", rendered: "sites_rendered" };

/** Shows the sites, each with a bin. */
export async function showAllowed() {
  const { sessionSites, renderedSites, origins } = await allowed();
  const known = renderedSites.map(hostOf);
  const rendered = [...renderedSites, ...origins.map(siteOf).filter((site) => !known.includes(hostOf(site)))];
  const sites = [...new Set([...sessionSites, ...rendered])].sort();
  const lines = sites.map((site) => lineOfSite(site, [...(sessionSites.includes(site) ? [WAYS.session] : []), ...(rendered.includes(site) ? [WAYS.rendered] : [])]));
  replaceLines(element("sites", HTMLElement), lines);
  element("no-sites", HTMLElement).hidden = sites.length > 0;
}

/** The person's permissions, and those that the browser stores. */
async function allowed() {
  const [kept, { origins = [] }] = await Promise.all([
    browser.storage.local.get(["sessionSites", "renderedSites"]),
    browser.permissions.getAll(),
  ]);
  /** @type {Partial<Choices>} */
  const { sessionSites = [], renderedSites = [] } = kept;
  return { sessionSites, renderedSites, origins: origins.filter((one) => one.startsWith("http")).map((one) => one.replace("*", "")) };
}

/** @type {(site: string, ways: ReadonlyArray<TextName>) => HTMLElement} */
function lineOfSite(site, ways) {
  const [words, small] = [document.createElement("span"), document.createElement("small")];
  small.textContent = ways.map((way) => textOf([way])).join(", ");
  words.append(`${printable(site)} `, small);
  return lineOf(words, textOf(["sites_take_back_of", site]), () => void takeBack(site));
}

/** @param {string} site */
async function takeBack(site) {
  const { sessionSites, renderedSites, origins } = await allowed();
  const others = (/** @type {string[]} */ sites) => sites.filter((one) => one !== site);
  /** @type {Partial<Choices>} */
  const choices = { sessionSites: others(sessionSites), renderedSites: others(renderedSites) };
  await browser.storage.local.set(choices);
  const patterns = origins.filter((one) => hostOf(siteOf(one)) === hostOf(site)).map((one) => `${one}*`);
  if (patterns.length) await browser.permissions.remove({ origins: patterns });
  await showAllowed();
}

/** @type {(site: string) => string} the browser's permission, which covers a host at any port */
function hostOf(site) {
  return site.replace(/:\d+$/, "");
}
