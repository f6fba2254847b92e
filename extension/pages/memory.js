/** The options for the memory of sites. */

import { printable } from "../printable.js";
import { sitesIn } from "../sites.js";
import { textOf } from "../texts.js";
import { ask, element } from "./connection.js";
import { lineOf, replaceLines } from "./lines.js";

/** Shows the choices, and stores changes. */
export async function showMemory() {
  const remembers = element("remembers", HTMLInputElement);
  const never = element("never", HTMLTextAreaElement);
  const kept = await browser.storage.local.get(["remembers", "neverRemembered"]);
  /** @type {Partial<Choices>} */
  const choices = kept;
  remembers.checked = choices.remembers ?? true;
  never.value = (choices.neverRemembered ?? []).join("\n");
  remembers.addEventListener("change", () => void browser.storage.local.set({ remembers: remembers.checked }));
  never.addEventListener("change", () => {
    const neverRemembered = sitesIn(never.value);
    never.value = neverRemembered.join("\n");
    void browser.storage.local.set({ neverRemembered });
  });
  remembers.disabled = never.disabled = false;
  element("forget", HTMLButtonElement).addEventListener("click", () => void forget());
  await list();
}

/** Lists the remembered sites; without the helper program it lists none, and the page's status says why. */
async function list() {
  const answer = await ask({ type: "sites" });
  const sites = answer.ok ? answer.sites : [];
  const lines = sites.map(({ site, pages }) => {
    const name = document.createElement("span");
    const count = document.createElement("small");
    count.textContent = textOf(["memory_site", pages]);
    name.append(printable(site), " ", count);
    return lineOf(name, textOf(["memory_forget_site", site]), () => void forget(site));
  });
  replaceLines(element("remembered", HTMLElement), lines);
  element("none-remembered", HTMLElement).hidden = !answer.ok || sites.length > 0;
}

/** Clears the memory of one site, or of all, and shows the outcome. @param {string} [site] */
async function forget(site) {
  const status = element("forgotten", HTMLElement);
  const answer = await ask({ type: "forget", ...(site && { site }) });
  status.hidden = false;
  status.dataset.outcome = answer.ok ? "good" : "bad";
  status.textContent = textOf(answer.ok ? ["memory_forgotten", answer.pages] : answer.problem);
  await list();
}
