/** The last sites' templates, kept here so that the start of the host is not waited for: read at a click, renewed after it. */

import { answerFrom, prepare } from "../kept/answering.js";
import { drop, keptOf, renew } from "../kept/storage.js";
import { isNeverRemembered, siteOf } from "../sites.js";
import { choice } from "./memory.js";
import { rememberedUrl } from "./remembering.js";

/** @import { KeptAnswer, Prepared } from "../kept/answering.js" */
/** @import { KeptAnswerOfHost } from "../messages.js" */
/** @import { Host } from "./host.js" */

const CAPABILITY = "kept-templates";

/** @type {(tabId: number) => Promise<Prepared | null>} what is kept of the site of a tab's page, ready to be applied */
export async function recall(tabId) {
  const [url, detector] = await Promise.all([rememberedUrl(tabId), choice("detector")]);
  if (!url) return null;
  const site = siteOf(url);
  const prepared = prepare(await keptOf(site, detector ?? ""));
  if (prepared.broken) await drop((one) => one === site);
  return prepared;
}

/** @type {(kept: Promise<Prepared | null>, json: string) => Promise<KeptAnswer | null>} what is kept says of a page; whatever is wrong with it costs no answer */
export async function answerByKept(kept, json) {
  try {
    const prepared = await kept;
    return prepared && answerFrom(prepared, json, Date.now() / 1000);
  } catch (error) {
    console.error(error);
    return null;
  }
}

/**
 * Has what is kept be what the host remembers, once it has answered.
 * @param {Pick<Host, "ask">} host
 * @param {number} tabId
 */
export async function renewKept(host, tabId) {
  const [url, detector] = await Promise.all([rememberedUrl(tabId), choice("detector")]);
  if (!url) return;
  await renew(siteOf(url), detector ?? "", (ids) => askHost(host, { url, detector: detector ?? null, ids }));
}

/** Drops what the host does not remember any more, such as after a command. @param {Pick<Host, "ask">} host */
export async function dropGone(host) {
  await renew("", "", (ids) => askHost(host, { url: null, detector: null, ids }));
}

/** @type {(host: Pick<Host, "ask">, what: {url: string | null, detector: string | null, ids: string[]}) => Promise<KeptAnswerOfHost | null>} */
function askHost(host, what) {
  /** @type {Map<string, string>} */
  const templates = new Map();
  return host.ask(CAPABILITY, { type: "kept", ...what }, (message) => {
    if (message.type !== "kept") return null;
    const { part, parts, template, ids = [], gone = [] } = message;
    if (template) templates.set(template.id, JSON.stringify(template));
    return part === parts ? { ids, gone, templates } : null;
  });
}

/** Drops what may not be kept any more, as the person has chosen. */
export async function dropForbidden() {
  const [remembers = true, never = []] = await Promise.all([choice("remembers"), choice("neverRemembered")]);
  await drop((site) => !remembers || isNeverRemembered(`https://${site}/`, never));
}

/** Drops all. */
export async function dropKept() {
  await drop();
}
