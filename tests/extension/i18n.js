/** `browser.i18n` with the extension's own messages, as browsers have it. */

import { readFileSync } from "node:fs";

/** @typedef {{message: string, placeholders?: Record<string, {content: string}>}} Entry */

/** @type {Record<string, Entry>} */
export const MESSAGES = JSON.parse(readFileSync(new URL("../../extension/_locales/en/messages.json", import.meta.url), "utf8"));

/** @param {Record<string, Entry>} messages */
export function i18n(messages = MESSAGES) {
  return {
    /**
     * @param {string} name
     * @param {string[]} [values]
     */
    getMessage(name, values = []) {
      const { message = "", placeholders = {} } = messages[name] ?? {};
      return message.replace(/\$(\w+)\$/g, (_, placeholder) =>
        String(placeholders[placeholder.toLowerCase()]?.content).replace(/\$(\d)/g, (_, number) => values[number - 1] ?? ""),
      );
    },
  };
}
