/** Content that comes after the answer: the host judges it by that answer, or it shows. */

import { jsonOf } from "./packing.js";
import { orderOf } from "./panels.js";

/** @import { Host } from "./host.js" */
/** @import { Page } from "./page.js" */

/**
 * @param {Page} page
 * @param {Pick<Host, "apply">} host
 * @param {(name: ViewMode, about: AboutAnswer) => Promise<TabState & {name: ViewMode}>} stateOf
 * @returns {Promise<TabState | null>} the tab's state; null if the page shows another view by now
 */
export async function judgeLater(page, host, stateOf) {
  const grown = await page.run("grown");
  if (!grown) return null;
  const answer = await judged(grown, host);
  const about = { ...grown.about, later: /** @type {"judged" | "shown"} */ (answer ? "judged" : "shown") };
  const state = await stateOf(grown.mode, about);
  const isShown = await page.run("judged", { ...(answer && { answer }), about, order: orderOf(state) });
  return isShown ? state : null;
}

/**
 * @param {GrownPage} grown
 * @param {Pick<Host, "apply">} host
 * @returns {Promise<Answer | null>} null if it cannot be judged
 */
async function judged({ known, now }, host) {
  try {
    const { snapshot, ...answerThen } = known;
    const was = `{"snapshot":${jsonOf(snapshot, "page_too_large")},${JSON.stringify(answerThen).slice(1)}`;
    const { answer, summary } = await host.apply(`{"known":${was},"snapshot":${jsonOf(now, "page_too_large")}}`);
    return summary.fits ? answer : null;
  } catch {
    return null; // The host is gone, or the page is too large now: it shows.
  }
}
