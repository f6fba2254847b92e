// The types that the page's scripts and the background share. The page's scripts are classic scripts: one object in
// the extension's isolated world of the page holds them together, and this file says what is in it.

/** The page's nodes as the protocol numbers them, in columns. A shadow root stands as an element of its own. */
interface Tree {
  elements: Array<Element | ShadowRoot>;
  parents: number[];
  texts: TextPlace[];
}

interface TextPlace {
  node: Text;
  /** index of the element that holds the text */
  parent: number;
  /** index of the element straight before it, -1 for none */
  after: number;
}

/** host/PROTOCOL.md, "The snapshot" */
interface Columns {
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

interface Snapshot extends Columns {
  texts: Array<[number, number, string]>;
  boxes: Array<[number, number, number, number]>;
}

/** host/PROTOCOL.md, "The capture" */
interface Capture extends Columns {
  texts: Array<[number, number, string]>;
  template: Array<[number, number]>;
  template_texts: Array<[number, number]>;
  frame_bases: Array<[number, string]>;
  adopted_sheets: Array<[number, string]>;
}

type Ranges = ReadonlyArray<readonly [number, number]>;

/** host/PROTOCOL.md, `result` */
interface Answer {
  template: Ranges;
  content_texts: Ranges;
}

/** What the host said of a page, on the page's own nodes. */
interface KnownPage {
  tree: Tree;
  /** per element, 1 for template */
  template: Uint8Array;
  /** per text, 1 for content though its element is template */
  contentTexts: Uint8Array;
  url: string;
}

/** Values of the attribute that the rules of background/styles.js act on. */
type Mark = "hide" | "show" | "clear" | "unline";

/** What a page shows: `none` if nothing is known of it. */
type View = "none" | "original" | "template";

type PageWindow = Window & typeof globalThis;

interface Sitestencil {
  dom: {
    nodeType(node: Node): number;
    firstChild(node: Node): Node | null;
    nextSibling(node: Node): Node | null;
    parentNode(node: Node): Node | null;
    isConnected(node: Node): boolean;
    ownerDocument(node: Node): Document | null;
    localName(element: Node): string;
    qualifiedName(element: Node): string;
    namespace(element: Node): string | null;
    shadowRoot(element: Node): ShadowRoot | null;
    data(text: Node): string;
    documentElement(document: Document): Element | null;
    url(document: Document): string;
    baseUri(document: Document): string;
    doctype(document: Document): DocumentType | null;
    title(document: Document): string;
    compatMode(document: Document): string;
    contentType(document: Document): string;
    /** null for a document that is not shown any more */
    view(document: Document): PageWindow | null;
    activeElement(within: Document | ShadowRoot): Element | null;
    rect(element: Node): DOMRect;
    scrollWidth(element: Node): number;
    scrollHeight(element: Node): number;
    templateContent(element: Node): DocumentFragment;
    isShadowRoot(node: Node): node is ShadowRoot;
    isHtmlElement(element: Node): boolean;
    isHtml(element: Node, name: string): boolean;
    has(element: Node, name: string): boolean;
    get(element: Node, name: string): string;
    names(element: Node): string[];
    set(element: Node, name: string, value: string): void;
    remove(element: Node, name: string): void;
    frameRoot(element: Node): Element | null;
    windowOf(element: Node): PageWindow;
    create<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name];
  };
  tree: { treeOf(document: Document): Tree };
  snapshot: {
    take(document: Document): { snapshot: Snapshot; tree: Tree };
    of(document: Document, tree: Tree, attributesOf: (element: Node) => string[]): Columns;
  };
  ranges: {
    mask(ranges: Ranges, length: number): Uint8Array;
    of(mask: ArrayLike<number>): Array<[number, number]>;
  };
  plan: {
    plan(page: PlanColumns): Map<number, Mark>;
    missed(page: MissedColumns): Map<number, Mark>;
  };
  view: { show(page: KnownPage): void; restore(): void; isShown(): boolean };
  rules: { textOf(element: HTMLStyleElement): string; adopted(owner: Document | ShadowRoot): string };
  capture: { take(document: Document, page: KnownPage): Capture };
  panel: {
    showTemplate(actions: { save: () => void; restore: () => void }): void;
    showMessage(message: string): void;
    close(): void;
    isPanel(node: Node): boolean;
  };
  main: { run(name: string, parameters: any[]): { ok: boolean; value?: unknown; message?: string } };
}

/** Columns of page/plan.js: one entry per element, in document order. */
interface PlanColumns {
  parents: ArrayLike<number>;
  /** 1 for template */
  template: ArrayLike<number>;
  /** 1 for what shows as the page itself has it */
  visible: ArrayLike<number>;
  /** 0 for what takes no mark: shadow roots, and what never shows */
  markable: ArrayLike<number>;
  /** 1 for roots of documents, which inherit nothing */
  roots: ArrayLike<number>;
}

interface MissedColumns extends Pick<PlanColumns, "template" | "visible" | "markable"> {
  /** 1 for what shows with the marks */
  now: ArrayLike<number>;
}

declare var sitestencil: Sitestencil;

interface Window {
  /** Navigation API: in Firefox from version 147 on */
  navigation?: EventTarget;
}
