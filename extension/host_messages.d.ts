// The messages between background and host, made from the host's by supply/host_messages.py (`make docs`): change
// those, not this file. host/PROTOCOL.md describes every field.

/** The background to the host. */
type HostRequest = HelloRequest | PrepareRequest | ExtractRequest | ApplyRequest | SaveRequest | CancelRequest | SitesRequest | ForgetRequest | PageAnswer;

/** The host to the background. */
type HostMessage = HelloAnswer | ProgressAnswer | ReasonsPart | ResultPart | EarlyResultPart | SavedPart | SitesAnswer | ForgottenAnswer | LoadRequest | CancelLoad | ErrorAnswer;

type DoubtName = "error_page" | "almost_empty" | "alone" | "nothing_loaded" | "not_the_served_page" | "needs_login" | "built_by_scripts" | "no_similar_page" | "unsure" | "all_template" | "all_content" | "paywalled" | "too_many_blocks" | "links_may_act" | "fragment";

/** The handshake. */
interface HelloRequest {
  type: "hello";
  id: number;
  protocol: number;
  client?: string;
}

/** Announces the page of an extraction. */
interface PrepareRequest {
  type: "prepare";
  id: number;
  url: string;
}

/** Asks for the template of a page; the text is the snapshot's JSON. */
interface ExtractRequest {
  type: "extract";
  id: number;
  text: string;
  part?: number;
  parts?: number;
  /** its name; null for the default */
  detector?: string | null;
  /** the host loads them, or the extension in one of its ways */
  pages?: "http" | "rendered" | "session";
  /** whether to compare with more pages than are usually enough */
  more_pages?: boolean;
  /** whether to use the memory; null forbids remembering, too */
  memory?: "renew" | "use" | null;
  /** the addresses that the person chose for the extension to load; null for all that look like pages */
  links?: ReadonlyArray<string> | null;
}

/** Asks for the template of a changed page; the text is the JSON of a `Change`. */
interface ApplyRequest {
  type: "apply";
  id: number;
  text: string;
  part?: number;
  parts?: number;
}

/** The person's choices for a file. */
interface FileChoices {
  /** of the template HTML, a Jinja2 layout, or either as a zip with its files beside it; of the content Markdown, HTML or plain text. With rules it is those of the site */
  format?: "content-html" | "folder" | "html" | "jinja" | "jinja-folder" | "markdown" | "rules" | "text";
  /** for rules, the addresses of the pages that the page was compared with */
  pages?: ReadonlyArray<string>;
  /** whether the file itself holds style sheets, images and fonts */
  offline?: boolean;
  /** whether scripts and forms that the person adds run */
  own_scripts?: boolean;
  /** whether rules of style sheets stay that match nothing on the page */
  all_styles?: boolean;
  /** whether Markdown begins with the page's metadata */
  front_matter?: boolean;
}

/** Asks for the template or content of a captured page as a file; the text is the capture's JSON. */
interface SaveRequest {
  type: "save";
  id: number;
  text: string;
  part?: number;
  parts?: number;
  choices?: FileChoices;
}

/** Stops the extraction or saving of the same id. */
interface CancelRequest {
  type: "cancel";
  id: number;
}

/** Asks for the remembered sites. */
interface SitesRequest {
  type: "sites";
  id: number;
}

/** Clears the memory of one site, or of all. */
interface ForgetRequest {
  type: "forget";
  id: number;
  site?: string | null;
}

/** An element tree as a browser sends it; the protocol explains the fields. */
interface Snapshot {
  url: string;
  base: string;
  names: ReadonlyArray<string>;
  tags: ReadonlyArray<number>;
  parents: ReadonlyArray<number>;
  attributes: ReadonlyArray<ReadonlyArray<string>>;
  texts: ReadonlyArray<readonly [number, number, string]>;
  scripting?: boolean;
  doctype?: string | null;
  boxes?: ReadonlyArray<readonly [number, number, number, number]> | null;
  namespaces?: ReadonlyArray<readonly [number, number, "html" | "math" | "other" | "svg"]> | null;
  lines?: ReadonlyArray<readonly [number, number]> | null;
  json_ld?: ReadonlyArray<string>;
  compat_mode?: string | null;
  public_id?: string | null;
  system_id?: string | null;
  status?: number;
}

/** A part of a page from the extension: bytes, a tree, or the reason for neither. */
interface PageAnswer {
  type: "page";
  id: number;
  request: number;
  part?: number;
  parts?: number;
  url?: string | null;
  status?: number;
  charset?: string | null;
  content?: string | null;
  snapshot?: Snapshot;
  error?: string | null;
}

/** The answer for the page before: its snapshot and its template. */
interface KnownAnswer {
  snapshot: Snapshot;
  template: ReadonlyArray<readonly [number, number]>;
  content_texts: ReadonlyArray<readonly [number, number]>;
  detector?: string;
  scores?: string | null;
}

/** A changed page, and the answer for the page before. */
interface Change {
  known: KnownAnswer;
  snapshot: Snapshot;
}

/** A page to save. */
interface Capture {
  url: string;
  base: string;
  names: ReadonlyArray<string>;
  tags: ReadonlyArray<number>;
  parents: ReadonlyArray<number>;
  attributes: ReadonlyArray<ReadonlyArray<string>>;
  texts: ReadonlyArray<readonly [number, number, string]>;
  scripting?: boolean;
  doctype?: string | null;
  boxes?: ReadonlyArray<readonly [number, number, number, number]> | null;
  namespaces?: ReadonlyArray<readonly [number, number, "html" | "math" | "other" | "svg"]> | null;
  lines?: ReadonlyArray<readonly [number, number]> | null;
  json_ld?: ReadonlyArray<string>;
  compat_mode?: string | null;
  public_id?: string | null;
  system_id?: string | null;
  status?: number;
  /** half-open ranges of the template elements */
  template: ReadonlyArray<readonly [number, number]>;
  /** half-open ranges of the template texts */
  template_texts: ReadonlyArray<readonly [number, number]>;
  /** the base address of each frame's document, by its `html` element */
  frame_bases?: ReadonlyArray<readonly [number, string]>;
  /** rules of sheets that scripts adopted, by the element of their shadow root or the `html` element of their document */
  adopted_sheets?: ReadonlyArray<readonly [number, string]>;
  /** the site's own part of the page's title */
  title?: string;
  /** the page's images, fonts and style sheets, as far as the page can read them, by address */
  files?: ReadonlyArray<readonly [string, string]>;
  /** the address that each image shows now, by its element */
  images?: ReadonlyArray<readonly [number, string]>;
}

/** A detector, for a list to choose from. */
interface DetectorTitle {
  name: string;
  title: string;
}

/** The answer to `HelloRequest`. */
interface HelloAnswer {
  type: "hello";
  id: number;
  protocol: number;
  version: string;
  detectors: ReadonlyArray<DetectorTitle>;
  default_detector: string;
}

/** The progress of an extraction or a saving. */
interface ProgressAnswer {
  type: "progress";
  id: number;
  stage: "loading" | "mapping";
  pages_loaded: number;
  pages_wanted: number | null;
}

/** One part of the reasons; the rows travel as base64. */
interface ReasonsPart {
  type: "reasons";
  id: number;
  part: number;
  parts: number;
  width: number;
  rows: string;
  own_names: ReadonlyArray<string>;
}

/** The summary of a result: PROTOCOL.md, `result`. */
interface Summary {
  url: string;
  detector: string;
  elements: number;
  candidates: ReadonlyArray<string>;
  pages_loaded: number;
  timings_ms: Readonly<Record<string, number>>;
  confidence: number | null;
  more_pages: number | null;
  doubt: string | null;
  fits: boolean | null;
  title: string;
  remembered: boolean;
  session_links: ReadonlyArray<string> | null;
  main_confidence: number | null;
  main_doubt: string | null;
}

/** One part of a result; the scores travel as base64. */
interface ResultPart {
  type: "result";
  id: number;
  part: number;
  parts: number;
  template: ReadonlyArray<readonly [number, number]>;
  content_texts: ReadonlyArray<readonly [number, number]>;
  main?: ReadonlyArray<readonly [number, number]>;
  main_texts?: ReadonlyArray<readonly [number, number]>;
  scores?: string;
  summary?: Summary;
}

/** One part of an early result, from the pages so far. */
interface EarlyResultPart {
  type: "early_result";
  id: number;
  part: number;
  parts: number;
  template: ReadonlyArray<readonly [number, number]>;
  content_texts: ReadonlyArray<readonly [number, number]>;
  main?: ReadonlyArray<readonly [number, number]>;
  main_texts?: ReadonlyArray<readonly [number, number]>;
  scores?: string;
  summary?: Summary;
}

/** One part of a saved page's text. */
interface SavedPart {
  type: "saved";
  id: number;
  part: number;
  parts: number;
  text: string;
  /** the numbers of characters of the rules in a template's file, and of all */
  styles: readonly [number, number] | null;
  /** the number of pages that prove the rules of a site */
  proved: number | null;
}

/** A site in the memory, with its number of pages. */
interface RememberedSite {
  site: string;
  pages: number;
}

/** The answer to `SitesRequest`. */
interface SitesAnswer {
  type: "sites";
  id: number;
  sites: ReadonlyArray<RememberedSite>;
}

/** Says how many pages the memory lost. */
interface ForgottenAnswer {
  type: "forgotten";
  id: number;
  pages: number;
}

/** Asks the extension for a page of the key page's site. */
interface LoadRequest {
  type: "load";
  /** the extraction's */
  id: number;
  /** the host's number of this load, from 1 in each extraction */
  request: number;
  /** the page's address */
  url: string;
  /** in the person's session by `fetch`, or rendered in a tab */
  way: "rendered" | "session";
}

/** Tells the extension that it needs no page of this number anymore. */
interface CancelLoad {
  type: "cancel";
  id: number;
  request: number;
}

/** A numbered error. */
interface ErrorAnswer {
  type: "error";
  id: number | null;
  number: number;
  name: string;
  message: string;
  detail?: string;
}
