/** The options: which detector the host is asked for. */

import { copiesReport, element, greet, showKeys } from "./connection.js";

const choice = element("detector");

async function showDetectors() {
  const greeting = await greet();
  choice.disabled = !greeting.ok;
  if (!greeting.ok) return;
  const { detectors, default_detector: standard } = greeting.hello;
  const { detector } = await browser.storage.local.get("detector");
  const options = detectors.map(({ name, title }) => new Option(title, name, false, name === detector));
  const fallback = detectors.find(({ name }) => name === standard)?.title ?? standard;
  choice.replaceChildren(new Option(`The program's choice (${fallback})`, "", false, !detector), ...options);
}

choice.addEventListener("change", () =>
  choice.value
    ? browser.storage.local.set({ detector: choice.value })
    : browser.storage.local.remove("detector"),
);
element("again").addEventListener("click", showDetectors);
copiesReport(element("copy"));
void showKeys();
void showDetectors();
