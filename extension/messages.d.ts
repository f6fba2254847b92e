// All messages between the extension's parts and the host, one union for each direction.

// ---- The background and the host: host_messages.d.ts. Here are names for parts of those.

/** A request that carries a page, without it, and a part of the page's JSON. */
type WithoutPage<Request> = Omit<Request, keyof TextPart>;
type TextPart = Pick<SavedPart, "part" | "parts" | "text">;

/** The choices for a file of the template. */
interface SaveChoices extends Required<Pick<FileChoices, "offline" | "own_scripts" | "all_styles">> {
  format: Exclude<FileFormat, ContentFormat | "rules">;
}

/** The same for a file, or a copy, of the content. */
interface ContentChoices extends Pick<FileChoices, "front_matter"> {
  format: ContentFormat;
}
/** The same for the rules of the site. */
type RulesChoices = Required<Pick<FileChoices, "pages">> & { format: "rules" };
type ContentFormat = Extract<FileFormat, "markdown" | "content-html" | "text">;
type FileFormat = NonNullable<FileChoices["format"]>;

/** How the extension loads pages for the host: fetched with the person's cookies, or opened in background tabs. */
type Way = LoadRequest["way"];

/** A page: bytes in base64 from the person's session, a tree from a tab, or the reason why there is none. */
type FetchedPage = Omit<PageAnswer, "type" | "id" | "request">;

/** Half-open ranges of indices. */
type Ranges = ResultPart["template"];

/** The common part of snapshot and capture: the elements in columns, and facts about the document. */
type Columns = Omit<Snapshot, "texts" | "boxes" | "status" | "json_ld">;

// ---- The background and the scripts in a page.

/**
 * The background to a page's scripts: commands by name, with parameters and results. Missing values are optional,
 * never null: Chromium drops null on the way.
 */
interface PageCommands {
  /** The word that the rules for this page's marks have in place of `sitestencil`. */
  word(): string;
  /** Describes the document and its view. */
  describe(): PageDescription;
  /** Takes the snapshot, and holds a port open until the answer or `stop`, unless the page is too large. */
  snapshot(limits?: PageLimits): Packed<Snapshot>;
  /**
   * Takes an answer to the last snapshot, facts about it, and the person's rules; another answer follows an early
   * one. Returns the facts with the number of corrections that took part.
   */
  answer(answer: Answer, about: AboutAnswer, rules?: ReadonlyArray<Rule>): AboutAnswer;
  /** The changed page with its known answer; null if the page hides nothing. */
  grown(limits?: PageLimits): GrownPage | null;
  /** Takes the judgement of a changed page, and shows it, unless another view shows by now. */
  judged(judgement: Judgement): boolean | "blank";
  /** Forgets a snapshot without further answer, and restores the page. */
  stop(): void;
  /** Shows the page in a view mode, with a new answer if there is one. If the view would be blank, it shows the page, and returns true. */
  show(order: ViewOrder, news?: { answer: Answer; about: AboutAnswer }): boolean;
  /** Shows a panel without a view mode, such as a sentence. */
  say(panel: PanelContent): void;
  /** The page now, for saving: without a part, mostly the content. */
  capture(hides: PagePart, limits?: PageLimits): CapturedPage;
  /** Puts a text into the clipboard, soon after the person's click; returns whether it is there. */
  copy(text: string): Promise<boolean>;
  /** Fetches another page of the same server in the page's own session. */
  load(url: string): Promise<FetchedPage>;
  /** Whether an address leads to a page, by its server's headers. */
  leadsToPage(url: string): Promise<boolean>;
  /** Waits until the page has settled. */
  settled(quietMs: number, mostMs: number): Promise<{ status: number }>;
  /** The page's readable style sheets, images and fonts: addresses, and bytes in base64. */
  files(): Promise<Array<[string, string]>>;
}

/** The limits of a page for the host. */
interface PageLimits {
  elements: number;
  bytes: number;
}

/** A value of this type as JSON; for a page over the limits only its number of elements or bytes. */
interface Packed<Value = any> {
  json?: string;
  elements?: number;
  bytes?: number;
  /** how long it took the page */
  ms?: number;
  /** the server's status of the page; 0 if unknown */
  status?: number;
  /** only for the type: JSON of what */
  of?: Value;
}

/** Copies of typed words are cut out of the capture, or a word of them is kept as the page's own. */
type TypedNews = "cut" | "kept";

interface CapturedPage {
  capture: Packed<Capture>;
  url: string;
  title: string;
  typed: TypedNews[];
  /** addresses, and bytes in base64 */
  files?: Array<[string, string]>;
}

/** How a command ended: browsers differ in how they report an injected function that throws, so none does. */
type PageReply<Value> = { ok: true; value: Value } | { ok: false; message: string; isRewritten?: boolean };

interface PageDescription {
  webPage: boolean;
  /** whether it is a PDF that a browser shows in a document of its own */
  pdf?: boolean;
  view: View;
  /** facts about the answer, if there is one */
  about?: AboutAnswer;
}

/** Facts about an answer; the page keeps them with it. Unknown facts are missing, never null. */
interface AboutAnswer {
  confidence?: number;
  /** of the main content */
  mainConfidence?: number;
  mainDoubt?: DoubtName;
  morePages?: number;
  /** why the answer is a guess; a guess shows only on request */
  doubt?: DoubtName;
  /** the server's status of an error page */
  status?: number;
  /** the view that a guess was asked for, if it is not the template */
  asked?: FirstView;
  /** the addresses of the pages that it was compared with */
  compared?: ReadonlyArray<string>;
  /** whether more pages are there and would help */
  canLoadMore?: boolean;
  /** how many of the person's corrections took part */
  corrections?: number;
  /** whether it comes from memory */
  remembered?: boolean;
  /** the pages that the person's session could load, if that would help */
  sessionLinks?: ReadonlyArray<string>;
  /** the way in which this extension loaded the pages */
  loadedBy?: Way;
  /** whether pages may be opened in background tabs, too: not in a private window */
  canRender?: boolean;
  /** later content: judged by the answer, or shown unjudged */
  later?: "judged" | "shown";
  /** whether the page has changed its address since the answer */
  moved?: true;
}

/** The answer of newly injected scripts; for an unknown web page it includes the snapshot. */
interface PageArrival extends PageDescription {
  /** whether the scripts have just come */
  isFirst?: boolean;
  word: string;
  snapshot?: Packed<Snapshot>;
}

interface GrownPage {
  mode: ViewMode;
  about: AboutAnswer;
  known: Omit<KnownAnswer, "snapshot" | "detector"> & { snapshot: Packed<Snapshot> };
  now: Packed<Snapshot>;
}

interface Judgement {
  /** about the page now; missing if it cannot be judged */
  answer?: Answer;
  about: AboutAnswer;
  order: ViewOrder;
}

/** A result of the host, put together from its parts. */
interface Answer {
  template: Ranges;
  content_texts: Ranges;
  /** the elements that are all main content; missing if all content is */
  main?: Ranges;
  /** the main texts of other elements */
  main_texts?: Ranges;
  /** a byte for each element of the snapshot, in base64 and in pieces; missing if the detector gives none */
  scores?: ReadonlyArray<string>;
  /** whether another will come */
  early?: true;
  /** the reasons, if the host gave them: a row of bytes for each element, in base64 and in pieces; and the ids and classes that no compared page has */
  reasons?: { width: number; rows: ReadonlyArray<string>; ownNames?: ReadonlyArray<string> };
  /** the addresses of the pages that were compared */
  pages?: ReadonlyArray<string>;
  title?: string;
}

/** A person's verdict on the elements of a CSS selector and all below them; files of rules hold it, too. */
interface Rule {
  selector: string;
  is: "template" | "content";
  /** the address of the only page that it applies to */
  page?: string;
  /** the boxes around the main content of the pages that it applies to, from `body` inwards */
  where?: ReadonlyArray<string>;
  /** whether it is switched off */
  off?: boolean;
  /** the first words of the corrected element, for the list in the options; in no file */
  words?: string;
}

/** An added rule, and those with the same elements and pages that it replaces. */
interface Correction {
  added: Rule;
  removed: ReadonlyArray<Rule>;
}

/** The rules of all sites, as stored, exported and imported; the command reads them, too. */
interface RulesFile {
  sitestencil_rules: 1;
  sites: Record<string, ReadonlyArray<Rule>>;
}

/** A row of background/modes.js. */
type ViewMode = "original" | "template" | "content" | "inspect" | "doubtful";

/** The colours of the reading style. */
type Reading = "light" | "sepia" | "dark";

/** The views that the button can open. */
type FirstView = "template" | "content";

/** A page's view; `none` for an unknown page. */
type View = "none" | ViewMode;

/** `rest` is all but the main content. */
type PagePart = "content" | "template" | "rest";

/** A view mode as an order to a page's scripts. */
interface ViewOrder {
  mode: ViewMode;
  /** the hidden part of the page */
  hides?: PagePart;
  /** whether hidden parts take no space */
  closeGaps?: boolean;
  /** the reading style over the page's own */
  reading?: Reading;
  /** whether the view opens at the first content */
  startsAtContent?: true;
  /** whether the elements are tinted by their scores, and say why */
  inspects?: boolean;
  panel?: PanelContent;
}

/** The panel in the corner of a page, in the person's words. */
interface PanelContent {
  /** of the panel, for screen readers */
  name: string;
  language: string;
  direction: "ltr" | "rtl";
  sentence: string;
  /** the handle that moves it */
  move: PanelButton;
  /** where the person moved it; without it, in the corner */
  place?: PanelPlace;
  /** whether the sentence of a view shows at rest */
  isNews?: true;
  /** how sure the answer is, at a glance; the sentence says it in full */
  confidence?: { sign: string; word: string };
  /** a list with checkboxes; the first button needs one that is checked */
  choices?: ReadonlyArray<PanelChoice>;
  /** the views to choose from, the one that shows pressed; without any it is a message */
  views: ReadonlyArray<PanelButton>;
  buttons: ReadonlyArray<PanelButton>;
  menu?: PanelMenu;
  close?: PanelButton;
}

interface PanelMenu {
  /** the button that opens it */
  button: PanelButton;
  /** the reading styles to choose from, with a name */
  styles?: { name: string; buttons: ReadonlyArray<PanelButton> };
  buttons: ReadonlyArray<PanelButton>;
}

/** A place by its distances from the nearest corner of the window, in CSS pixels. */
interface PanelPlace {
  side: "left" | "right";
  edge: "top" | "bottom";
  x: number;
  y: number;
}

/** The person's choices for the panel on all pages. */
interface PanelChoices {
  place?: PanelPlace;
}

interface PanelButton {
  name: PanelButtonName;
  label: string;
  /** for screen readers */
  description: string;
  /** of a button that is on or off */
  pressed?: boolean;
  /** the button that most people want */
  main?: boolean;
}

/** An address to check, by its end. */
interface PanelChoice {
  value: string;
  label: string;
}

/** The action of a panel's button: it acts, closes the panel, or leads to a view mode. */
type PanelButtonName = "save" | "copy" | "rules" | "gaps" | "around" | "always" | `reading_${Reading | "off"}` | "more" | "again" | "only_page" | "all_pages" | "undo" | "edit" | "session" | "rendered" | "allow" | "cancel" | "retry" | "move" | "menu" | "options" | "close" | ViewMode;

/** A page's scripts to the background. */
type PageMessage =
  /** a button of the panel, and the pages that the person chose of a list */
  | { type: "press"; button: PanelButtonName; links?: ReadonlyArray<string> }
  /** the person corrected the answer, or undid it */
  | { type: "corrected"; correction: Correction; undone: boolean }
  /** the person moved the panel */
  | { type: "panel"; place: PanelPlace }
  /** the page changed its address */
  | { type: "moved" }
  /** new content has come into a page with a hidden part */
  | { type: "grown" }
  /** the page keeps undoing a view mode */
  | { type: "undone"; mode: ViewMode }
  /** the background ended during work on the page */
  | { type: "interrupted" }
  /** the page came back from the browser's memory */
  | { type: "returned" };

/** The port of this name is open during an extraction; it closes without a message when the page goes. The page says `moved` when its address changes. */
type WorkingPortName = "working";
type WorkingPortMessage = "done" | "moved";

// ---- The background and the extension's own pages.

/** The extension's pages to the background: messages, each with its answer. */
interface ExtensionPageRequests {
  hello(message: { type: "hello" }): Greeting;
  /** the remembered sites */
  sites(message: { type: "sites" }): Remembered;
  /** clears the memory of one site, or of all */
  forget(message: { type: "forget"; site?: string }): Forgotten;
  /** the person allows the listed pages in background tabs */
  render(message: { type: "render"; tabId: number; links: ReadonlyArray<string> }): void;
}
type ExtensionPageMessage = Parameters<ExtensionPageRequests[keyof ExtensionPageRequests]>[0];

/** The page that saves to the background, over its port. */
interface SavingPageMessage {
  choices?: SaveChoices | ContentChoices;
  /** the browser has the file */
  taken?: true;
  alive?: true;
}

/** The background to the page that saves. */
interface SavingPageOrder {
  /** ask the person, with the last choices */
  ask?: SaveChoices | ContentChoices;
  /** files loaded, and files wanted */
  progress?: [number, number];
  /** the characters of the style sheets that the file has, and of all */
  styles?: readonly [number, number];
  piece?: string;
  /** all pieces are there: download them under this name */
  name?: string;
  kind?: FileKind;
}

/** The type of a file's content. */
type FileKind = "text/html" | "text/markdown" | "text/plain" | "application/zip";

/** The background to the extension's pages. The help page answers true. */
type ExtensionPageOrder = { type: "show-help" } | { type: "try" };

type Greeting = { ok: true; hello: HelloAnswer } | { ok: false; problem: Phrase; detail: string };

type Remembered = { ok: true; sites: ReadonlyArray<RememberedSite> } | { ok: false; problem: Phrase; detail: string };

type Forgotten = { ok: true; pages: number } | { ok: false; problem: Phrase; detail: string };

// ---- The stored facts, for others to read.

/** `storage.session`, until the browser ends: facts for a report, and the state of each tab that is not idle. */
interface Kept {
  hello: HelloAnswer;
  error: { problem: Phrase; detail: string };
  summary: Summary;
  timings: ClickTimings;
  /** the tabs that were opened only to be read */
  openedTabs: number[];
  [tab: `tab:${number}`]: TabState;
  /** the question of pages/rendered.html, by the tab's number */
  [asked: `rendering:${number}`]: { url: string; links: ReadonlyArray<string>; most: number };
}

/** The times of the last extraction's steps, in milliseconds since the click reached the background. */
interface ClickTimings {
  /** the time of the click, in milliseconds since 1970 */
  clicked: number;
  /** how long the page took for the snapshot */
  snapshot: number;
  captured: number;
  greeted: number;
  answered: number;
  shown: number;
}

/** `storage.local`: the person's choices. */
interface Choices {
  detector: string;
  /** whether the host may remember sites */
  remembers: boolean;
  /** sites that it must never remember */
  neverRemembered: string[];
  /** sites whose pages may be loaded in the person's session */
  sessionSites: string[];
  /** sites whose pages may be opened in background tabs */
  renderedSites: string[];
  /** corrections, by the site's host */
  rules: RulesFile["sites"];
  /** the view that the button opens */
  opens: FirstView | "last";
  /** the style of the content view */
  reading: Reading | "off";
  /** sites that the button opens as content */
  contentSites: string[];
  /** the last view by site, if the button opens that */
  lastViews: Record<string, FirstView>;
  /** whether what the template view hides takes no place */
  closeGaps: boolean;
  /** whether what the content view hides keeps its place */
  keepsGaps: boolean;
  /** whether the content view also shows what is around the main content */
  showsAround: boolean;
  panel: PanelChoices;
  save: SaveChoices;
  /** the kind of file that the content was last saved as */
  saveContent: ContentFormat;
}

/** A row of background/states.js. */
type StateName = "idle" | "working" | "error" | "impossible" | ViewMode;

interface TabState extends AboutAnswer {
  name: StateName;
  /** whether the content that the person asked for is in the clipboard; only for one panel */
  copied?: "yes" | "no";
  /** the number of pages that prove the copied rules */
  proved?: number;
  typed?: TypedNews[];
  pagesLoaded?: number;
  pagesWanted?: number | null;
  /** whether a comparison with more pages still runs */
  looking?: true;
  /** whether what is hidden takes no place */
  closeGaps?: boolean;
  /** whether the content view also shows what is around the main content */
  showsAround?: boolean;
  panel?: PanelChoices;
  /** the view that the button opens, if it is not the template */
  opens?: FirstView;
  /** the style over the page's own; only in the content view */
  reading?: Reading;
  /** whether the button opens the site as content; missing where that cannot be chosen */
  always?: boolean;
  /** whether the page undoes the view mode */
  undone?: boolean;
  /** the view that would have been blank, so that the page shows */
  blank?: ViewMode;
  /** the reason for an error or an impossible page */
  problem?: Phrase;
}

// ---- Texts that a person reads, by name.

type MessageName = keyof typeof import("./_locales/en/messages.json");

/** A text of `_locales`. A text with a plural has a message for each form; its name omits the form. */
type TextName = MessageName extends infer Name
  ? Name extends `${infer Counted}_${Intl.LDMLPluralRule}`
    ? Counted
    : Name
  : never;

/** A text with the values of its placeholders. With a plural, the first value decides the form. */
type Phrase = readonly [name: TextName, ...values: PhraseValue[]];
type PhraseValue = string | number | Phrase;
