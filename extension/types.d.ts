// The object that a page's scripts share. They are classic scripts: one object in the extension's isolated world
// joins them. messages.d.ts has their messages to the background.

/** The page's nodes in the protocol's order, in columns. A shadow root counts as an element. */
interface Tree {
  elements: Array<Element | ShadowRoot>;
  parents: number[];
  /** local names; `template` for a shadow root */
  names: string[];
  /** the root elements of documents, the page's own first */
  roots: Set<number>;
  shadowRoots: Set<number>;
  texts: TextPlace[];
}

interface TextPlace {
  node: Text;
  /** index of the element that holds the text */
  parent: number;
  /** index of the element straight before it, -1 for none */
  after: number;
}

/** The host's answer on the page's own nodes. */
interface KnownPage {
  tree: Tree;
  /** per element, 1 for template */
  template: Uint8Array;
  /** per text, 1 for content though its element is template */
  contentTexts: Uint8Array;
  /** per element, 1 unless all of it is main content */
  rest: Uint8Array;
  /** per text, 1 for main content though its element is not */
  mainTexts: Uint8Array;
  /** per element, 0 to 255: its probability of being template; null if the detector gives none */
  scores: Uint8Array | null;
  /** the site's own part of the title */
  title?: string;
  url: string;
  about: AboutAnswer;
  /** per element, the reasons (page/reasons.js); null if the detector gives none */
  reasons: Uint8Array[] | null;
  /** ids and classes that no compared page has */
  ownNames: ReadonlySet<string>;
  /** the addresses of the pages that were compared */
  pages: ReadonlyArray<string>;
  /** elements that came later and could not be judged */
  unjudged: ReadonlySet<number>;
  /** texts that came later, until they are judged */
  newTexts: ReadonlySet<Text>;
  /** whether something new waits for its judgement */
  waits: boolean;
  /** what a person had typed by the last snapshot */
  typed: string[];
  /** the last snapshot and its answer */
  known: GrownPage["known"];
  /** the person's rules */
  rules: Rule[];
  /** by element, the host's answer under a rule: template, score, and its content texts */
  corrected: Map<number, { template: number; rest: number; score: number; texts: Array<[number, number, number]> }>;
  /** the rules that took part */
  applied: Rule[];
  /** the corrections to undo, the latest last */
  corrections: Correction[];
  /** its kind (page/selectors.js), once it is needed */
  where?: string[];
}

/** Selectors of an element. */
interface Names {
  /** for it alone */
  exact: string;
  /** for those like it, too; it counts no positions if ids, classes and landmarks are enough */
  plain: string;
  /** whether even `plain` counts positions */
  counts: boolean;
}

/** The rules that would switch an element. */
interface Proposal {
  onlyPage: Rule;
  allPages: Rule;
  counts: boolean;
  /** whether anything marks the page's kind */
  isMarked: boolean;
  /** the outermost elements that `allPages` would switch on this page */
  here: number[];
}

/** The snapshot that waits for its answer. */
interface Pending {
  tree: Tree;
  url: string;
  packed: Packed;
  typed: string[];
}

type Verdicts = Pick<KnownPage, "template" | "contentTexts" | "rest" | "mainTexts">;

/** Values of the attribute that the rules of page/view.css act on. */
type Mark = "hide" | "show" | "gone" | "flat" | "clear" | "unline" | "paper" | "paper-picture";

// Chromium has more than the standard.
interface IntersectionObserverInit {
  trackVisibility?: boolean;
  delay?: number;
}
interface IntersectionObserverEntry {
  readonly isVisible?: boolean;
}

type PageWindow = Window & typeof globalThis;

/** Takes out what a person typed. */
interface Cut {
  /** the texts of a page without what a person may have written there, and without the copies */
  textsOf(texts: ReadonlyArray<readonly [number, number, string]>): string[];
  /** whether it has cut something, or kept words that the page has often */
  news(): TypedNews[];
  /** a value without the copies */
  from(text: string): string;
}

interface Sitestencil {
  dom: {
    nodeType(node: Node): number;
    firstChild(node: Node): Node | null;
    nextSibling(node: Node): Node | null;
    parentNode(node: Node): Node | null;
    isConnected(node: Node): boolean;
    ownerDocument(node: Node): Document | null;
    localName(element: Node): string;
    namespace(element: Node): string | null;
    shadowRoot(element: Node): ShadowRoot | null;
    /** null without one, and in a closed shadow root */
    assignedSlot(node: Node): Element | null;
    data(text: Node): string;
    textContent(element: Node): string;
    documentElement(document: Document): Element | null;
    url(document: Document): string;
    baseUri(document: Document): string;
    doctype(document: Document): DocumentType | null;
    title(document: Document): string;
    compatMode(document: Document): string;
    contentType(document: Document): string;
    designMode(document: Document): string;
    /** null for a document that is no longer shown */
    view(document: Document): PageWindow | null;
    activeElement(within: Document | ShadowRoot): Element | null;
    /** of an element or a text */
    rect(node: Node): DOMRect;
    scrollLeft(element: Node): number;
    scrollTop(element: Node): number;
    scrollTo(element: Node, left: number, top: number): void;
    scrollToStart(node: Node, margin: number): void;
    scrollWidth(element: Node): number;
    scrollHeight(element: Node): number;
    clientHeight(element: Node): number;
    currentSrc(image: Node): string;
    value(input: Node): string;
    /** the type of an `input` */
    kind(input: Node): string;
    textValue(textarea: Node): string;
    textDefault(textarea: Node): string;
    styleSheets(document: Document): StyleSheetList;
    isShadowRoot(node: Node): node is ShadowRoot;
    isHtmlElement(element: Node): boolean;
    isHtml(element: Node, name: string): boolean;
    /** the first element of a document or a shadow root that a selector matches */
    first(root: Document | ShadowRoot, selector: string): Element | null;
    /** the elements in an element or a shadow root that a selector matches */
    all(root: Element | ShadowRoot, selector: string): NodeListOf<Element>;
    has(element: Node, name: string): boolean;
    get(element: Node, name: string): string;
    names(element: Node): string[];
    /** null for a selector that the browser does not know */
    matches(element: Node, selector: string): boolean | null;
    switched(element: Node): { name: string; isOn: boolean } | null;
    set(element: Node, name: string, value: string): void;
    remove(element: Node, name: string): void;
    frameRoot(element: Node): Element | null;
    drawnIn(node: Node): Element | null;
    windowOf(element: Node): PageWindow;
    /** without one in a frame that is not drawn */
    styleOf(element: Node): CSSStyleDeclaration;
    create<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name];
  };
  tree: { treeOf(document: Document): Tree; flat(tree: Tree): Tree };
  snapshot: {
    take(document: Document, tree?: Tree): { snapshot: Snapshot; tree: Tree };
    readable(tree: Tree): Tree;
    of(document: Document, tree: Tree, attributesOf: (element: Node) => string[]): Columns;
    boxesOf(tree: Tree): Snapshot["boxes"];
    status(): number;
    pack(columns: Columns & { texts: ReadonlyArray<readonly [number, number, string]> }, mostBytes: number): Packed;
    /** for how long no content may come (a page without links is not yet built), and the longest wait; the server's status, 0 if unknown */
    settled(quietMs: number, mostMs: number): Promise<{ status: number }>;
  };
  answer: {
    mask(ranges: Ranges, length: number): Uint8Array;
    rangesOf(mask: ArrayLike<number>): Array<[number, number]>;
    bytesOf(slices: ReadonlyArray<string>, length: number): Uint8Array;
    verdictsOf(answer: Answer, tree: Tree): Verdicts & Pick<KnownPage, "scores">;
    pageOf(pending: Pending, answer: Answer, about: AboutAnswer): KnownPage;
  };
  plan: {
    /** per element, 1 for content without main content inside; `tree`: as it is drawn; `holders`: per text, the element that it is drawn in */
    around(page: Verdicts, tree: Pick<Tree, "parents">, holders: ReadonlyArray<number>): Uint8Array;
    /** `holders`: per text, the element that holds it; `drawnIn`: per text, the element that it is drawn in: its holder, or its slot */
    without(
      part: PagePart,
      page: Verdicts,
      holders: ReadonlyArray<number>,
      drawnIn?: ReadonlyArray<number>,
    ): Shown;
    plan(page: PlanColumns): Map<number, Mark>;
    missed(page: MissedColumns): Map<number, Mark>;
    /** `isCut`: whether a correction hides an element: what held only it holds nothing */
    gaps(page: Pick<PlanColumns, "parents" | "shown" | "markable" | "roots">, isCut?: (index: number) => boolean, holdsText?: (index: number) => boolean): Map<number, Mark>;
  };
  marks: {
    /** of this page's marks, in place of `sitestencil` in their rules */
    WORD: string;
    NAME: string;
    /** an attribute of any page's marks, with their word */
    OF_MARKS: RegExp;
    put(element: Node, value: string, name?: string): void;
    has(element: Node): boolean;
    highlight(document: Document, texts: ReadonlyArray<Range>): void;
    takeOff(tree: Tree): void;
    takeOver(words: Set<string>): void;
    /** `keeps`: whether what takes the place of shown elements shows */
    watch(roots: Iterable<Node>, onUndone: () => void, keeps: boolean): void;
  };
  view: {
    /** `page`: the host's answer on this page's nodes; `closeGaps`: whether hidden parts take no space; `onUndone`: called when the page keeps undoing it. `reading`: the reading style over the page's own */
    hide(part: PagePart, page: KnownPage, closeGaps: boolean, onUndone: () => void, reading?: Reading): void;
    /** scrolls to the first thing that shows; the way back is the same */
    scrollToContent(): void;
    isHiding(): boolean;
    /** whether the view loses too much text; it may open gaps where that keeps some */
    isBlank(mayOpen?: boolean): boolean;
    unmarked<Value>(work: () => Value): Value;
    rootsOf(tree: Tree): Set<Node>;
    restore(): void;
  };
  focus: { now(): Focus; back(before: Focus): void };
  grounds: {
    /** where these elements and their outer shadows are drawn */
    boxesOf(elements: Tree["elements"]): Box[];
    /** the elements that a node is drawn in, the innermost first */
    pathOf(node: Node): Element[];
    isSeen(element: Element): boolean;
    /** whether a text or its shadow is told from what is drawn below it; `boxes`: asked only where `path` and `canvas` do not tell */
    isClear(path: ReadonlyArray<Element>, rect: DOMRect, canvas: string, boxes: () => ReadonlyArray<Box>): boolean;
    /** the colour below the whole page, by the colour scheme of its root or its meta element */
    canvasOf(root: Element): string;
    /** of a computed `text-shadow` or `box-shadow`; lengths in pixels */
    shadowsIn(text: string): Array<{ colour: string; x: number; y: number; blur: number; spread: number; isInset: boolean }>;
    differs(colour: string, ground: string): boolean;
    PICTURES: string;
  };
  painted: {
    spaced(lengths: ReadonlyArray<number>): Array<[place: number, offset: number]>;
    /** of the states of the same texts on the page and in the view: 0 for unseen, 1 for one on no ground that is known, 2 for clear */
    shareLost(before: ReadonlyArray<number>, after: ReadonlyArray<number>): number;
    /** places in the texts that a view keeps, as they are now */
    sample(tree: Tree, shown: Shown): Sample;
    /** the share of what could be read that no longer can be */
    lost(sample: Sample): number;
  };
  reading: {
    /** the elements from each piece of content outwards, up to the first that nothing shines through, with their marks; `shown`: per element, 1 for content */
    papers(tree: Tree, shown: ArrayLike<number>, markable: ArrayLike<number>): Map<number, Mark>;
    /** `drawnIn`: per element, the one that it is drawn in; `shown`: per element, 1 for content */
    put(tree: Tree, drawnIn: ArrayLike<number>, shown: ArrayLike<number>, markable: ArrayLike<number>, theme?: Reading): void;
    open(tree: Tree, shown: Shown): void;
  };
  scrolling: {
    positions(tree: Tree): Scrolled[];
    back(tree: Tree, scrolled: ReadonlyArray<Scrolled>): void;
    toFirst(tree: Tree, shown: Shown): void;
    roomOf(path: ReadonlyArray<Element>, rect: DOMRect): number;
  };
  api: { get(): typeof browser; leave(port: browser.runtime.Port | null): void; held(): typeof browser | undefined; isHolder(node: Node): boolean; limit(name: string, work: () => void): void };
  messenger: {
    open(): void;
    /** `said`: to the background, unless it is null */
    close(said?: WorkingPortMessage | null): void;
    leave(): void;
    /** sends a message that a page can cause, at a limited rate */
    notify(name: PageMessage["type"], message: () => PageMessage | null): void;
    /** the background's answer, if it gives one */
    tell(message: PageMessage): Promise<unknown>;
    /** `interrupted`: when the background ended at work; `gone`: when nobody listens; `isKnown`: whether the page has an answer, or waits for one */
    watch(when: { interrupted(): void; gone(): void; isKnown(): boolean }): void;
  };
  life: {
    isGone(): boolean;
    /** `leave`: when the page goes, with whether the browser may keep it; `comeBack`: when it is back; `forget`: when the extension is gone */
    watch(when: { leave(isKept: boolean): void; comeBack(): void; forget(): void }): void;
  };
  later: {
    /** `hasCome`: whether new content has come already, or will */
    watch(page: KnownPage, onLater: () => void, hasCome?: boolean): void;
    stop(): void;
    hurry(): void;
    /** `judged`: the host's answer about that tree */
    renew(page: KnownPage, now?: Tree, judged?: (Verdicts & Partial<Pick<KnownPage, "scores">>) | null): void;
  };
  touched: {
    /** what a person typed into fields, the latest first; and the outermost element around each one that a person may have written in */
    readIn(tree: Tree): { values: string[]; around: Array<Node | undefined> };
  };
  typed: { valuesIn(tree: Tree): string[]; cutter(now: Tree, page: Pick<KnownPage, "known" | "typed">): Cut };
  capture: { take(document: Document, page: KnownPage, hides: PagePart): { capture: Capture; cut: Cut }; copy(text: string): Promise<boolean> };
  files: {
    filesOf(document: Document, page: KnownPage, cut: (text: string) => string): Promise<Array<[string, string]>>;
    shownBy(node: Node): string;
    textOf(element: HTMLStyleElement): string;
    adopted(owner: Document | ShadowRoot): string;
    statesIn(tree: Tree): string[];
    mayFade(tree: Tree): boolean;
  };
  session: { load(url: string): Promise<FetchedPage>; leadsToPage(url: string): Promise<boolean> };
  corrections: {
    apply(page: KnownPage, rules: ReadonlyArray<Rule>): void;
    /** null for an element without a selector */
    propose(page: KnownPage, element: number): Proposal | null;
    add(page: KnownPage, rule: Rule): Correction;
    undo(page: KnownPage): Correction | null;
  };
  look: Readonly<Record<"BAR" | "BODY" | "BUTTON" | "GROUP" | "HOST" | "ITEM" | "MAIN" | "MENU" | "ON" | "ONE_LINE" | "PRESSED" | "PRESSED_FORCED" | "PRINT" | "REGION" | "RING" | "ROW" | "SEGMENT" | "SIGN" | "STATUS" | "UNSEEN", string>> & {
    SIGNS: Readonly<Record<string, string>>;
    make<Name extends keyof HTMLElementTagNameMap>(name: Name, style: string): HTMLElementTagNameMap[Name];
    dress(element: HTMLElement, style: string): void;
    box(style: string, inside: ReadonlyArray<HTMLElement | string>): HTMLElement;
    listOf(choices: ReadonlyArray<PanelChoice>, name: string, button: HTMLElement): HTMLElement;
    chosen(root: ParentNode | undefined): string[];
    explanation(): HTMLElement;
    explain(box: Element, lines: ReadonlyArray<string>, preview: ReadonlyArray<string>): void;
  };
  standing: {
    /** `onRefused`: called where a press does not count, as the page may hide the panel */
    watch(region: HTMLElement, onRefused: () => void): void;
    forget(): void;
    put(region: HTMLElement, place: PanelPlace): void;
    putBeside(region: HTMLElement, direction: "ltr" | "rtl"): void;
    placeOf(box: Pick<DOMRect, "left" | "top" | "width" | "height">): PanelPlace;
    handle(handle: HTMLElement, region: HTMLElement, move: (place: PanelPlace, isLast: boolean) => void): void;
  };
  selectors: {
    /** `ownNames`: ids and classes that other pages do not have, which no selector takes */
    of(tree: Pick<Tree, "elements" | "parents">, element: number, ownNames?: ReadonlySet<string>): Names | null;
    named(selector: string): Iterable<Element>;
    kindOf(page: KnownPage): string[];
    isKind(boxes: ReadonlyArray<string>): boolean;
  };
  panel: {
    /** an event `move` for a place to be remembered, with the `PanelPlace` as `detail` */
    moves: EventTarget;
    open(content: PanelContent, press: (button: PanelButtonName) => void): void;
    close(): void;
    /** `lines`: its name first; `preview`: of a correction of a selected element; `offered`: those of the buttons for a selected element that show */
    explain(lines: ReadonlyArray<string>, preview?: ReadonlyArray<string>, offered?: ReadonlyArray<string>): void;
    underlay(): HTMLCanvasElement;
    chosen(): string[];
    isOpen(): boolean;
    isOwn(node: Node): boolean;
  };
  inspect: {
    start(page: KnownPage, onGone: () => void): void;
    stop(): void;
    key(name: string): boolean;
    release(): boolean;
    proposal(): Proposal | null;
    refresh(): void;
    colourOf(isTemplate: number, score: number | undefined, isAround?: number): string;
  };
  reasons: {
    decode(reasons: { width: number; rows: ReadonlyArray<string> }, length: number): Uint8Array[];
    linesOf(page: KnownPage, element: number): string[];
    previewOf(page: KnownPage, element: number, proposal: Proposal | null): string[];
    aroundOf(page: KnownPage): Uint8Array;
  };
  main: {
    /** Describes the document, with the snapshot if it is unknown; the last of the scripts. */
    arrive(): PageReply<PageArrival>;
    run<Name extends keyof PageCommands>(
      name: Name,
      parameters: Parameters<PageCommands[Name]>,
    ): PageReply<ReturnType<PageCommands[Name]>> | Promise<PageReply<Awaited<ReturnType<PageCommands[Name]>>>>;
  };
}

/** Places in kept texts, as the page showed them. */
interface Sample {
  elements: Tree["elements"];
  spots: Array<{ node: Text; offset: number }>;
  /** `state`: see `painted.shareLost`; `room`: the height of the window or box in which it is scrolled; `line`: characters in a line of its text */
  looks: Array<{ state: number; room: number; line: number }>;
}

interface Box {
  element: Element;
  box: DOMRect;
  isShadow: boolean;
}

interface Focus {
  element: Element | null;
  selection: [Node, number, Node, number] | null;
}

interface Scrolled {
  node: Node;
  left: number;
  top: number;
}

/** The visible part of a page with a hidden part. */
interface Shown {
  /** per element, 1 for visible */
  elements: Uint8Array;
  /** per text, 1 for a hidden text in a visible element */
  hiddenTexts: Uint8Array;
}

/** Columns of page/plan.js: one entry per element, in document order. */
interface PlanColumns {
  /** as the tree is drawn */
  parents: ArrayLike<number>;
  /** 1 for elements to show */
  shown: ArrayLike<number>;
  /** 1 for elements that the page itself shows */
  visible: ArrayLike<number>;
  /** 0 for elements without marks: shadow roots, and those that never show */
  markable: ArrayLike<number>;
  /** 1 for roots of documents, which inherit nothing */
  roots: ArrayLike<number>;
}

interface MissedColumns extends Pick<PlanColumns, "shown" | "visible" | "markable"> {
  /** 1 for elements that show with the marks */
  now: ArrayLike<number>;
}

declare var sitestencil: Sitestencil;
