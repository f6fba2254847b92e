"use strict";

/** Cuts what a person typed, and each copy that the page made of it, out of what is saved. */
sitestencil.typed ??= (() => {
  const { dom } = sitestencil;
  const SHORTEST = 4;
  // So many letters and digits in a row are a copy even if the page drew other signs between them.
  const UNMISTAKABLE = 8;
  const LONGEST = 200;
  const MOST = 200;
  // A word that a person typed and the page's own sentences have so often is the page's.
  const OFTEN = 5;
  const SENTENCE = 40;
  const NO_SENTENCES = new Set(["script", "noscript"]);
  // Stands for a text that is not looked at: no copy goes across it.
  const CLOSED = "\0";
  const NOTHING = /(?!)/;
  const RUN = /[\p{L}\p{M}\p{N}]+/gu;
  const LONE_WORD = /^[\p{L}\p{M}\p{N}]+$/u;
  const LETTERS = /^[\p{L}\p{M}]+$/u;
  const ENCODED_AGAIN = /%(?:25)+(?=[\dA-Fa-f]{2})/g;
  // Their texts have the verdict of what is around them, and no other page is known to have them.
  const NOT_COMPARED = new Set("title select optgroup option datalist".split(" "));

  /** @typedef {{pattern: RegExp, words: string[], own: Set<string>}} Copies */

  /** @type {Sitestencil["typed"]["valuesIn"]} */
  function valuesIn(tree) {
    const { values, around } = sitestencil.touched.readIn(tree);
    return [...values, ...writtenIn(tree, around)];
  }

  /** @type {(tree: Tree, around: ReadonlyArray<Node | undefined>, isMeant?: (text: string) => boolean) => string[]} the texts of what a person can edit, each whole and in its nodes */
  function writtenIn({ texts }, around, isMeant = () => true) {
    const written = texts.map(({ node, parent }) => ({ text: dom.data(node), place: around[parent] })).filter(({ text, place }) => place && isMeant(text));
    /** @type {Map<Node | undefined, string>} */
    const whole = new Map();
    for (const { text, place } of written) whole.set(place, `${whole.get(place) ?? ""} ${text}`);
    return [...whole.values(), ...written.map(({ text }) => text)];
  }

  /**
   * Texts of the template stay, as other pages have them. All else that the page had when it was compared loses
   * only copies of what a person had typed by then.
   * @type {Sitestencil["typed"]["cutter"]}
   */
  function cutter(now, { known, typed = [] }) {
    const { values, around } = sitestencil.touched.readIn(now);
    if (!values.length && !typed.length && !around.some(Boolean)) return { textsOf: (texts) => texts.map(([, , text]) => text), from: (text) => text, news: () => [] };
    /** @type {Partial<Snapshot>} */
    const { names = [], tags = [], parents = [], attributes = [], texts = [], url = "" } = JSON.parse(known?.snapshot.json ?? "{}");
    /** @type {boolean[]} */
    const isCompared = [];
    for (const [index, tag] of tags.entries()) {
      const isRoot = names[tag] === "html" || attributes[index][0] === "shadowrootmode";
      isCompared.push(!index || (isCompared[parents[index]] && !isRoot && !NOT_COMPARED.has(names[tag])));
    }
    const isTemplate = sitestencil.answer.mask(known?.template ?? [], attributes.length);
    const isContent = sitestencil.answer.mask(known?.content_texts ?? [], texts.length);
    const own = new Set(texts.flatMap(([parent, , text], number) => (isCompared[parent] && isTemplate[parent] && !isContent[number] ? [text] : [])));
    const seen = new Set([...attributes.flat(), ...texts.map(([, , text]) => text), url]);
    const before = new Set(typed);
    // What stood in an editor before the person did anything is the page's.
    const isWritten = (/** @type {string} */ text) => !own.has(text) && (!seen.has(text) || before.has(text));
    const sentences = now.texts.filter(({ parent }) => !around[parent] && !NO_SENTENCES.has(now.names[parent])).map(({ node }) => dom.data(node));
    const late = [...values.filter((value) => !own.has(value)), ...writtenIn(now, around, isWritten)];
    const [all, early] = [copiesOf([...late, ...typed], sentences), copiesOf(typed, sentences)];
    /** @type {Set<TypedNews>} */
    const news = new Set(all.own.size ? ["kept"] : []);
    /** @type {(before: string, after: string) => string} */
    const told = (before, after) => {
      if (after !== before && before.trim()) news.add("cut");
      return after;
    };
    return {
      news: () => [...news],
      from: (text) => (own.has(text) ? text : told(text, cut([text], seen.has(text) ? early : all)[0])),
      textsOf(texts) {
        const kept = texts.map(([parent, , text]) => (around[parent] && isWritten(text) ? "" : text));
        for (const copies of [early, all]) {
          // A page may have a letter or two anywhere: they may be parts of a copy.
          const isOpen = texts.map(([, , text]) => text.trim().length < SHORTEST || (!own.has(text) && seen.has(text) === (copies === early)));
          const open = cut(kept.map((text, number) => (isOpen[number] ? text : CLOSED)), copies, (number) => own.has(texts[number][2]));
          for (const [number, text] of open.entries()) if (isOpen[number]) kept[number] = text;
        }
        return kept.map((text, number) => told(texts[number][2], text));
      },
    };
  }

  /** @type {(values: string[], sentences: string[]) => Copies} what finds each value, its lines, and its forms in addresses, rules and data; the first values count most */
  function copiesOf(values, sentences) {
    const lines = [...values, ...values.flatMap((value) => value.split("\n"))];
    const pieces = lines.flatMap((line) => line.trim().match(new RegExp(`.{1,${LONGEST}}`, "gsu")) ?? []);
    const found = [...new Set(pieces.map((part) => part.trim()))].filter((part) => part.length >= SHORTEST);
    const own = ownWords(found.filter((part) => LETTERS.test(part)), sentences);
    const parts = found.filter((part) => !own.has(part)).slice(0, MOST).map((part) => part.toWellFormed()).sort((a, b) => b.length - a.length);
    const patterns = parts.flatMap((part) => [...new Set(formsOf(part))].map(patternOf));
    const words = [...new Set(parts.map((part) => part.match(RUN)?.join("") ?? ""))].filter((word) => word.length >= SHORTEST);
    return { pattern: patterns.length ? new RegExp(patterns.join("|"), "gu") : NOTHING, words, own };
  }

  /** @type {(words: string[], sentences: string[]) => Set<string>} */
  function ownWords(words, sentences) {
    /** @type {Map<string, number>} */
    const counts = new Map(words.map((word) => [word.toLowerCase(), 0]));
    if (!counts.size) return new Set();
    for (const text of sentences) {
      if (text.trim().length < SENTENCE) continue;
      for (const [word] of text.toLowerCase().matchAll(RUN)) {
        const count = counts.get(word);
        if (count !== undefined) counts.set(word, count + 1);
      }
    }
    return new Set(words.filter((word) => (counts.get(word.toLowerCase()) ?? 0) >= OFTEN));
  }

  /** @type {(texts: string[], copies: Copies, isOwn?: (number: number) => boolean) => string[]} neighbouring texts without the copies */
  function cut(texts, { pattern, words }, isOwn) {
    return words.length || pattern !== NOTHING ? withoutSpread(texts.map((text) => withoutExact(text, pattern)), words, isOwn) : texts;
  }

  /** @type {(text: string, pattern: RegExp) => string} */
  function withoutExact(text, pattern) {
    const flat = text.replace(ENCODED_AGAIN, "%");
    const cut = flat.replace(pattern, "");
    return cut === flat ? text : cut;
  }

  /** @type {(texts: string[], words: string[], isOwn?: (number: number) => boolean) => string[]} without the copies that the page draws in several texts, or with other signs between */
  function withoutSpread(texts, words, isOwn = () => false) {
    /** The runs of letters and digits, where they begin in `letters`, and where in their text. @type {Array<{at: number, end: number, number: number, start: number}>} */
    const runs = [];
    let letters = "";
    for (const [number, text] of texts.entries()) {
      for (const { 0: run, index } of text.matchAll(RUN)) {
        runs.push({ at: letters.length, end: letters.length + run.length, number, start: index });
        letters += run;
      }
      if (text === CLOSED) letters += CLOSED;
    }
    const begins = new Map(runs.map(({ at }, index) => [at, index]));
    const ends = (/** @type {number} */ index) => runs[index].end;
    /** @type {Map<number, Array<[number, number]>>} */
    const holes = new Map();
    for (const word of words) {
      for (let at = letters.indexOf(word); at >= 0; at = letters.indexOf(word, at + 1)) {
        const first = begins.get(at);
        if (first === undefined) continue;
        let last = first;
        while (ends(last) < at + word.length) last++;
        const isSpread = word.length >= UNMISTAKABLE || runs.slice(first + 1, last + 1).every(({ number }, index) => number !== runs[first + index].number);
        if (ends(last) !== at + word.length || !isSpread || runs.slice(first, last + 1).every(({ number }) => isOwn(number))) continue;
        for (let run = first; run <= last; run++) {
          const { number, start } = runs[run];
          const from = run > first && runs[run - 1].number === number ? runs[run - 1].start + ends(run - 1) - runs[run - 1].at : start;
          const to = start + ends(run) - runs[run].at;
          const own = holes.get(number);
          if (own) own.push([from, to]);
          else holes.set(number, [[from, to]]);
        }
      }
    }
    return texts.map((text, number) => withoutHoles(text, holes.get(number)));
  }

  /** @type {(text: string, holes?: Array<[number, number]>) => string} */
  function withoutHoles(text, holes = []) {
    let [rest, end] = ["", 0];
    for (const [from, to] of holes.sort(([a], [b]) => a - b)) {
      rest += text.slice(end, Math.max(end, from));
      end = Math.max(end, to);
    }
    return rest + text.slice(end);
  }

  /** @type {(part: string) => string[]} */
  function formsOf(part) {
    const encoded = [encodeURIComponent(part), encodeURI(part), String(new URLSearchParams([["", part]])).slice(1)];
    const plus = encoded.flatMap((one) => ["+", "%2B"].map((sign) => one.replace(/%20|\+/g, sign)));
    const small = [...encoded, ...plus].map((one) => one.replace(/%../g, (code) => code.toLowerCase()));
    return [part, JSON.stringify(part).slice(1, -1), CSS.escape?.(part) ?? part, ...encoded, ...plus, ...small];
  }

  /** @type {(form: string) => string} a lone word or number is no part of a longer one; white space may differ */
  function patternOf(form) {
    const pattern = form.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === "-" ? "\\x2d" : `\\${sign}`)).replace(/\s+/g, "\\s+");
    return LONE_WORD.test(form) ? `(?:(?<![\\p{L}\\p{M}\\p{N}])|(?<=%[\\dA-Fa-f]{2}))${pattern}(?![\\p{L}\\p{M}\\p{N}])` : pattern;
  }

  return { valuesIn, cutter };
})();
