/** The page after the installation: it checks for the host, and explains the button. */

import { hasPinInMenu } from "../background/browser.js";
import { textOf } from "../texts.js";
import { element, fillTexts, greet, showCommand, showKeys } from "./connection.js";

fillTexts();
void showCommand(element("command", HTMLElement));

const drawing = hasPinInMenu() ? "pin-firefox" : "pin-chromium";
element(drawing, SVGSVGElement).removeAttribute("hidden");
element("pin", HTMLElement).textContent = textOf([hasPinInMenu() ? "welcome_pin_firefox" : "welcome_pin_chromium"]);

async function ask() {
  const greeting = await greet();
  element("missing", HTMLElement).hidden = greeting.ok;
}

element("again", HTMLButtonElement).addEventListener("click", ask);
void showKeys();
void ask();
