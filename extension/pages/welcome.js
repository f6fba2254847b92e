/** The page after the installation: it checks for the host, and explains the button. */

import { hasPinInMenu } from "../background/browser.js";
import { textOf } from "../texts.js";
import { element, fillTexts, greet, showCommand, showKeys } from "./connection.js";

fillTexts();
void showCommand(element("command", HTMLElement));
const again = element("again", HTMLButtonElement);

const drawing = hasPinInMenu() ? "pin-firefox" : "pin-chromium";
element(drawing, SVGSVGElement).removeAttribute("hidden");
element("pin", HTMLElement).textContent = textOf([hasPinInMenu() ? "welcome_pin_firefox" : "welcome_pin_chromium"]);

async function ask() {
  again.disabled = true;
  const greeting = await greet();
  element("missing", HTMLElement).hidden = greeting.ok;
  again.disabled = false;
}

again.addEventListener("click", ask);
void showKeys();
void ask();
