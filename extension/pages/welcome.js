/** The page after the installation: it checks for the host, and explains the button. */

import { element, fillTexts, greet, showCommand, showKeys } from "./connection.js";

fillTexts();
void showCommand(element("command", HTMLElement));
const again = element("again", HTMLButtonElement);

async function ask() {
  again.disabled = true;
  const greeting = await greet();
  element("missing", HTMLElement).hidden = greeting.ok;
  again.disabled = false;
}

again.addEventListener("click", ask);
void showKeys();
void ask();
