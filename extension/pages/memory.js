/** The options for the memory of sites. */

import { sitesIn } from "../sites.js";
import { textOf } from "../texts.js";
import { ask, element } from "./connection.js";

/** @import { Choices } from "../messages.js" */

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
  element("forget", HTMLButtonElement).addEventListener("click", forget);
}

/** Clears the memory, and shows the outcome. */
async function forget() {
  const status = element("forgotten", HTMLElement);
  const answer = await ask({ type: "forget" });
  status.hidden = false;
  status.dataset.outcome = answer.ok ? "good" : "bad";
  status.textContent = textOf(answer.ok ? ["memory_forgotten", answer.pages] : answer.problem);
}
