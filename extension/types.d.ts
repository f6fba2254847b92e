// What the page's scripts share. They are classic scripts, one object in the isolated world holds them together.

interface Tree {
  elements: Array<Element | ShadowRoot>;
  parents: number[];
  texts: TextPlace[];
}

interface TextPlace {
  node: Text;
  parent: number;
  after: number;
}

interface Snapshot {
  url: string;
  base: string;
  scripting: boolean;
  doctype: string | null;
  names: string[];
  tags: number[];
  parents: number[];
  attributes: string[][];
  texts: Array<[number, number, string]>;
}

type Ranges = ReadonlyArray<readonly [number, number]>;

interface Answer {
  template: Ranges;
  content_texts: Ranges;
}

/** What the host said of a page, on the page's own nodes. */
interface Page {
  tree: Tree;
  template: Uint8Array;
  contentTexts: Uint8Array;
  url: string;
}

type Mark = "hide" | "show" | "clear" | "unline";
type View = "none" | "original" | "template";

interface Sitestencil {
  dom: any;
  tree: any;
  snapshot: any;
  ranges: any;
  plan: any;
  view: any;
  addresses: any;
  rules: any;
  values: any;
  markup: any;
  save: any;
  panel: any;
  main: any;
}

declare var sitestencil: Sitestencil;
