/** The detectors' names in the person's language. */

import { textOf } from "./texts.js";

/** @import { TextName } from "./messages.js" */

/** @type {Readonly<Record<string, TextName>>} */
const TITLES = {
  stencil: "detector_stencil",
  temex: "detector_temex",
  "temex-addon": "detector_temex_addon",
  hybex: "detector_hybex",
  conex: "detector_conex",
  sitelevel: "detector_sitelevel",
  pagelevel: "detector_pagelevel",
  alignment: "detector_alignment",
};

/** @type {(detector: {name: string, title: string}) => string} its title; the host's own for an unknown detector; `detector`: as the host tells it */
export function titleOf({ name, title }) {
  return Object.hasOwn(TITLES, name) ? textOf([TITLES[name]]) : title;
}
