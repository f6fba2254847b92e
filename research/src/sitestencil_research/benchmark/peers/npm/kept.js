/** Writes what one program keeps of each page: a JSON line of `html` and `url` in, a JSON line of HTML out. */

import { createInterface } from "node:readline";
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { JSDOM, VirtualConsole } from "jsdom";

/** @type {Record<string, (page: JSDOM, url: string) => Promise<string>>} */
const PROGRAMS = {
  readability: async (page) => new Readability(page.window.document).parse()?.content ?? "",
  defuddle: async (page, url) => (await Defuddle(page.window.document, url, { useAsync: false })).content,
};

const keep = PROGRAMS[process.argv[2]];
console.log = console.error; // Defuddle writes its remarks there.
for await (const line of createInterface({ input: process.stdin })) {
  const { html, url } = JSON.parse(line);
  let kept = "";
  try {
    const page = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
    kept = await keep(page, url);
    page.window.close();
  } catch (error) {
    console.error(url, error);
  }
  process.stdout.write(`${JSON.stringify(kept)}\n`);
}
