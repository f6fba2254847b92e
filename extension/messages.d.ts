// What the extension's parts say to each other and to the host: a union for each direction, and nothing else crosses.

import type MESSAGES from "./_locales/en/messages.json";

// ---- The background and the host: host/PROTOCOL.md, which describes every field.

/** The background to the host. */
export type HostRequest = HelloRequest | PrepareRequest | ExtractRequest | ApplyRequest | SaveRequest | CancelRequest | ForgetRequest | PageAnswer;

/** The host to the background. */
export type HostMessage =
  | HelloAnswer
  | ProgressAnswer
  | ReasonsPart
  | ResultPart
  | SavedPart
  | ForgottenAnswer
  | LoadRequest
  | (CancelRequest & { request: number })
  | ErrorAnswer;

export interface HelloRequest {
  type: "hello";
  id: number;
  protocol: number;
  client: string;
}

/** A part of a page's JSON. */
export interface TextPart {
  part: number;
  parts: number;
  text: string;
}

export interface ExtractRequest {
  type: "extract";
  id: number;
  detector: string | null;
  /** whether what is remembered may be used; null where nothing may be remembered */
  memory: "use" | "renew" | null;
  /** who loads the pages: the host, or this extension */
  pages: "http" | Way;
  /** compare with more pages than are usually enough */
  more_pages: boolean;
}

/** Says which page an extraction will be about. Nothing is answered. */
export interface PrepareRequest {
  type: "prepare";
  id: number;
  url: string;
}

/** Its text: a page as it was, with the answer about it, and as it has become. */
export interface ApplyRequest {
  type: "apply";
  id: number;
}

export interface SaveRequest {
  type: "save";
  id: number;
  choices: SaveChoices;
}

/** What is chosen of a file: host/PROTOCOL.md, `save`. */
export interface SaveChoices {
  format: "html" | "jinja" | "folder";
  content: "removed" | "boxes" | "lorem";
  height: "collapsed" | "full";
  offline: boolean;
}

export interface CancelRequest {
  type: "cancel";
  id: number;
}

/** How the extension loads pages for the host: fetched with the person's cookies, or opened in background tabs. */
export type Way = "session" | "rendered";

export interface LoadRequest {
  type: "load";
  id: number;
  request: number;
  url: string;
  way: string;
}

/** A page that the host asked for, or why there is none. */
export interface PageAnswer extends FetchedPage {
  type: "page";
  id: number;
  request: number;
}

/** A page: its bytes in base64, as fetched in the person's session; its tree, as a tab shows it; or why there is none. */
export interface FetchedPage {
  url?: string;
  status?: number;
  charset?: string;
  content?: string;
  snapshot?: Snapshot;
  error?: string;
}

/** Has all sites forgotten. */
export interface ForgetRequest {
  type: "forget";
  id: number;
}

export interface ForgottenAnswer {
  type: "forgotten";
  id: number;
  templates: number;
}

export interface HelloAnswer {
  type: "hello";
  id: number;
  protocol: number;
  version: string;
  detectors: ReadonlyArray<{ name: string; title: string }>;
  default_detector: string;
}

export interface ProgressAnswer {
  type: "progress";
  id: number;
  stage: "loading" | "mapping";
  pages_loaded: number;
  pages_wanted: number | null;
}

/** Why, before the result: rows of `width` bytes in base64. */
export interface ReasonsPart {
  type: "reasons";
  id: number;
  part: number;
  parts: number;
  width: number;
  rows: string;
}

/** A part of the result, or of what the pages that have come so far say. */
export interface ResultPart {
  type: "result" | "early_result";
  id: number;
  part: number;
  parts: number;
  template: Ranges;
  content_texts: Ranges;
  /** base64; not there where the detector does not tell, or the other parts hold them all */
  scores?: string;
  /** in the last part */
  summary?: Summary;
}

/** A piece of a written page. */
export interface SavedPart {
  type: "saved";
  id: number;
  part: number;
  parts: number;
  text: string;
}

export interface ErrorAnswer {
  type: "error";
  id: number | null;
  number: number;
  name: string;
  message: string;
  detail?: string;
}

export interface Summary {
  url: string;
  detector: string;
  elements: number;
  candidates: ReadonlyArray<string>;
  pages_loaded: number;
  timings_ms: Readonly<Record<string, number>>;
  sureness: number | null;
  more_pages: number | null;
  doubt: string | null;
  /** of an answer to `apply`, whether the page is still of the kind that the known answer is about */
  fits: boolean | null;
  /** the site's own part of the page's title */
  title: string;
  /** whether it comes from memory */
  remembered: boolean;
  /** what could be loaded in the person's session */
  session_links: ReadonlyArray<string> | null;
}

/** Half-open ranges of indices. */
export type Ranges = ReadonlyArray<readonly [number, number]>;

/** What a snapshot and a capture have in common: the elements in columns, and what is true of the whole document. */
export interface Columns {
  url: string;
  base: string;
  scripting: boolean;
  doctype: string | null;
  public_id: string | null;
  system_id: string | null;
  compat_mode: string;
  names: string[];
  tags: number[];
  parents: number[];
  attributes: string[][];
  /** ranges of elements that are not HTML */
  namespaces: Array<[number, number, "svg" | "math" | "other"]>;
}

export interface Snapshot extends Columns {
  texts: Array<[number, number, string]>;
  boxes: Array<[number, number, number, number]>;
}

/** A page as it is when it is saved. */
export interface Capture extends Columns {
  texts: Array<[number, number, string]>;
  template: Array<[number, number]>;
  template_texts: Array<[number, number]>;
  frame_bases: Array<[number, string]>;
  adopted_sheets: Array<[number, string]>;
  boxes: Array<[number, number, number, number]>;
  images: Array<[number, string]>;
  title?: string;
  files?: Array<[string, string]>;
}

// ---- The background and the scripts in a page.

/**
 * The background to a page's scripts: commands by name, with their parameters and what each gives back. What a
 * parameter may lack is optional, never null: Chromium drops that on the way.
 */
export interface PageCommands {
  /** What this document is, and what of it shows. */
  describe(): PageDescription;
  /** Takes the snapshot, and holds a port open until the answer or `stop`. Nothing is held of a page that is too large. */
  snapshot(limits?: PageLimits): Packed<Snapshot>;
  /** Takes an answer to the last snapshot, what else is known of it, and what the person's rules say; after an early one another comes. */
  answer(answer: Answer, about: AboutAnswer, rules?: ReadonlyArray<Rule>): void;
  /** What the page is now that something has come into it, with what is known; nothing where no part of it is hidden. */
  grown(limits?: PageLimits): GrownPage | null;
  /** Takes what was found out about a page that has grown, and shows it so. */
  judged(judgement: Judgement): void;
  /** Forgets a snapshot that gets no further answer, and brings the page back. */
  stop(): void;
  /** Shows the page in a view mode, with an answer that is new. */
  show(order: ViewOrder, news?: { answer: Answer; about: AboutAnswer; rules: ReadonlyArray<Rule> }): void;
  /** Shows a panel that stands for itself, such as a sentence. */
  say(panel: PanelContent): void;
  /** The page as it is now, with what of it is template, for saving. */
  capture(limits?: PageLimits): CapturedPage;
  /** What the page is drawn with, as far as it can read it: addresses, and bytes in base64. */
  files(): Promise<Array<[string, string]>>;
}

/** What a page may have at most to be sent to the host. */
export interface PageLimits {
  elements: number;
  bytes: number;
}

/** A value of this type as JSON; or, of a page that is too large, how many elements or at least how many bytes it has. */
export interface Packed<Value = unknown> {
  json?: string;
  elements?: number;
  bytes?: number;
  /** how long it took the page */
  ms?: number;
  /** only for the type: JSON of what */
  of?: Value;
}

export interface CapturedPage {
  capture: Packed<Capture>;
  url: string;
  title: string;
  /** addresses, and bytes in base64 */
  files?: Array<[string, string]>;
}

/** How a command ended: browsers differ in how they report an injected function that throws, so none does. */
export type PageReply<Value> = { ok: true; value: Value } | { ok: false; message: string };

export interface PageDescription {
  webPage: boolean;
  view: View;
  /** of the answer, where there is one */
  about?: AboutAnswer;
}

/** What is known of an answer: the page keeps it, as long as the answer. What is not known is missing, never null. */
export interface AboutAnswer {
  sureness?: number;
  morePages?: number;
  /** why the answer is a guess, which shows only when it is asked for */
  doubt?: DoubtName;
  pagesCompared?: number;
  /** whether the host can compare with more pages than it has, and these would help */
  canLoadMore?: boolean;
  /** how many corrections of it can be undone */
  corrections?: number;
  /** whether it comes from memory */
  remembered?: boolean;
  /** what could be loaded in the person's session, where that would help */
  sessionLinks?: ReadonlyArray<string>;
  /** how the pages were loaded, where this extension did */
  loadedBy?: Way;
  /** whether pages may be opened in background tabs, too: not in a private window */
  canRender?: boolean;
  /** what came into the page after the answer: judged by it, or shown as it cannot be */
  later?: "judged" | "shown";
  /** whether the page has gone on within its document since the answer */
  moved?: true;
}

/** What the page's scripts say when they have been brought in: of a web page of which nothing is known, the snapshot too. */
export interface PageArrival extends PageDescription {
  snapshot?: Packed<Snapshot>;
}

export interface GrownPage {
  mode: ViewMode;
  about: AboutAnswer;
  known: { snapshot: Packed<Snapshot>; template: Ranges; content_texts: Ranges; scores?: string };
  now: Packed<Snapshot>;
}

export interface Judgement {
  /** about the page as it is; missing where it cannot be judged */
  answer?: Answer;
  about: AboutAnswer;
  order: ViewOrder;
}

/** A result of the host, put together from its parts. */
export interface Answer {
  template: Ranges;
  content_texts: Ranges;
  /** per element of the snapshot a byte, in base64 and in pieces; missing where the detector does not tell */
  scores?: ReadonlyArray<string>;
  /** whether another will come */
  early?: true;
  /** why, if the host told: rows of bytes, one for each element, in base64 and in pieces */
  reasons?: { width: number; rows: ReadonlyArray<string> };
  /** the addresses of the pages that were compared */
  pages?: ReadonlyArray<string>;
  title?: string;
}

/** What a person says of what a CSS selector names, and of all below it; in files of rules, too. */
export interface Rule {
  selector: string;
  is: "template" | "content";
}

/** A rule that was added, and those for the same selector whose place it takes. */
export interface Correction {
  added: Rule;
  removed: ReadonlyArray<Rule>;
}

/** The rules of all sites, as they are kept, exported and imported; the command reads them, too. */
export interface RulesFile {
  sitestencil_rules: 1;
  sites: Record<string, ReadonlyArray<Rule>>;
}

/** A row of background/modes.js. */
export type ViewMode = "original" | "template" | "content" | "inspect" | "doubtful";

/** What a page shows: `none` if nothing is known of it. */
export type View = "none" | ViewMode;

export type PagePart = "content" | "template";

/** A view mode as a page's scripts carry it out. */
export interface ViewOrder {
  mode: ViewMode;
  /** what of the page does not show */
  hides?: PagePart;
  /** whether what does not show takes no place either */
  closeGaps?: boolean;
  /** whether the elements are tinted by their scores, and say why */
  inspects?: boolean;
  panel?: PanelContent;
}

/** What stands in the panel in the corner of a page, in words that a person reads. */
export interface PanelContent {
  /** of the panel, for who does not see it */
  name: string;
  language: string;
  direction: "ltr" | "rtl";
  sentence: string;
  /** the views to choose from, the one that shows pressed */
  views: ReadonlyArray<PanelButton>;
  buttons: ReadonlyArray<PanelButton>;
}

export interface PanelButton {
  name: PanelButtonName;
  label: string;
  /** for who does not see the label */
  description: string;
  /** of one that is on or off */
  pressed?: boolean;
}

/** What a button of the panel does: it acts, closes the panel, or leads to a view mode. */
export type PanelButtonName = "save" | "gaps" | "more" | "again" | "flip" | "undo" | "session" | "rendered" | "allow" | "close" | ViewMode;

/** A page's scripts to the background. */
export type PageMessage =
  /** the panel asks for a view mode */
  | { type: "view"; mode: ViewMode }
  /** the panel asks for the template as a file */
  | { type: "save" }
  /** the panel closes the gaps, or opens them */
  | { type: "gaps" }
  /** the panel asks for a comparison with more pages */
  | { type: "more" }
  /** the panel asks for a comparison of the page as it has become */
  | { type: "again" }
  /** the panel asks for a comparison with pages that the extension loads; or the person allows what was listed */
  | { type: "compare"; way: Way; allowed: boolean }
  /** the person corrected the answer, or took that back */
  | { type: "corrected"; correction: Correction; undone: boolean }
  /** the page went on within its document, maybe while an extraction of it ran */
  | { type: "moved"; isWorking: boolean }
  /** something has come into a page of which a part is hidden */
  | { type: "grown" }
  /** the page undoes what a view mode hides, again and again */
  | { type: "undone"; mode: ViewMode }
  /** the background has gone while it worked on the page */
  | { type: "interrupted" }
  /** the page came back from the browser's memory */
  | { type: "returned"; view: View; about?: AboutAnswer };

/** The port of this name is open while an extraction of the page runs; it closes without a word when the page goes. */
export type WorkingPortName = "working";
export type WorkingPortMessage = "done";

// ---- The background and the extension's own pages.

/** The extension's pages to the background: messages, each with its answer. */
export interface ExtensionPageRequests {
  hello(message: { type: "hello" }): Greeting;
  /** has all that is remembered of sites forgotten */
  forget(message: { type: "forget" }): Forgotten;
  /** the person allows that the listed pages are opened in background tabs */
  render(message: { type: "render"; tabId: number }): void;
}
export type ExtensionPageMessage = Parameters<ExtensionPageRequests[keyof ExtensionPageRequests]>[0];

/** The page that saves to the background, over its port. */
export interface SavingPageMessage {
  choices?: SaveChoices;
  /** the browser has the file */
  taken?: true;
  alive?: true;
}

/** The background to the page that saves. */
export interface SavingPageOrder {
  /** ask the person; with what was chosen the last time */
  ask?: SaveChoices;
  /** how many files have been loaded, of how many */
  progress?: [number, number];
  piece?: string;
  /** all pieces are there: download them under this name */
  name?: string;
  isZip?: boolean;
}

/** The background to the extension's pages. The help page answers true. */
export type ExtensionPageOrder = { type: "show-help" };

export type Greeting = { ok: true; hello: HelloAnswer } | { ok: false; problem: Phrase; detail: string };

export type Forgotten = { ok: true; templates: number } | { ok: false; problem: Phrase; detail: string };

// ---- What is kept for others to read.

/** `storage.session`, as long as the browser runs: what a report needs, and each tab's state where it is not idle. */
export interface Kept {
  hello: HelloAnswer;
  error: { problem: Phrase; detail: string };
  summary: Summary;
  timings: ClickTimings;
  /** the tabs that were opened only to be read */
  openedTabs: number[];
  [tab: `tab:${number}`]: TabState;
  /** what the page pages/rendered.html asks about, by the tab's number */
  [asked: `rendering:${number}`]: { url: string; links: ReadonlyArray<string> };
}

/** When what of the last extraction had come, in milliseconds since the click reached the background. */
export interface ClickTimings {
  /** when that was, in milliseconds since 1970 */
  clicked: number;
  /** how long the page took for the snapshot */
  snapshot: number;
  captured: number;
  greeted: number;
  answered: number;
  shown: number;
}

/** `storage.local`: what the person has chosen. */
export interface Choices {
  detector: string;
  /** whether the host may remember what it learns of sites */
  remembers: boolean;
  /** sites of which it never may */
  neverRemembered: string[];
  /** sites whose pages may be loaded in the person's session */
  sessionSites: string[];
  /** sites whose pages may be opened in background tabs */
  renderedSites: string[];
  /** the addresses in tabs that were opened only to be read, while they are open */
  openedPages: string[];
  /** corrections, by the site's host */
  rules: RulesFile["sites"];
  /** whether what is hidden takes no place */
  closeGaps: boolean;
  save: SaveChoices;
}

/** A row of background/states.js. */
export type StateName = "idle" | "working" | "error" | "impossible" | ViewMode;

export interface TabState extends AboutAnswer {
  name: StateName;
  pagesLoaded?: number;
  pagesWanted?: number | null;
  /** whether more pages are being compared, which may change what shows */
  looking?: true;
  /** whether what is hidden takes no place */
  closeGaps?: boolean;
  /** whether the page undoes the view mode */
  undone?: boolean;
  /** why there is an error, or nothing possible */
  problem?: Phrase;
}

/** What is wrong where an answer is a guess: `doubt` of the protocol. */
export type DoubtName = "alone" | "nothing_loaded" | "not_the_served_page" | "needs_login" | "built_by_scripts" | "no_similar_page" | "unsure";

// ---- Texts that a person reads, by name.

type MessageName = keyof typeof MESSAGES;

/** A text of `_locales`. One with a plural has a message for each form, and is named without the form. */
export type TextName = MessageName extends infer Name
  ? Name extends `${infer Counted}_${Intl.LDMLPluralRule}`
    ? Counted
    : Name
  : never;

/** A text with what goes into its placeholders. Of one with a plural, the first value decides the form. */
export type Phrase = readonly [name: TextName, ...values: PhraseValue[]];
type PhraseValue = string | number | Phrase;
