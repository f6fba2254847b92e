"use strict";

/**
 * What the page sends of itself, as JSON: browsers take ten times as long for a value of as many parts. Where it is too
 * much, only how much it is.
 */
sitestencil.packing ??= (() => {
  /**
   * @param {Columns & {texts: ReadonlyArray<readonly [number, number, string]>}} columns
   * @param {number} mostBytes
   * @returns {Packed}
   */
  function pack(columns, mostBytes) {
    const characters = charactersOf(columns);
    // Before it is written: no string of a browser holds a page of a gigabyte.
    if (characters > mostBytes) return { bytes: characters };
    const json = JSON.stringify(columns);
    const bytes = new Blob([json]).size;
    return bytes > mostBytes ? { bytes } : { json };
  }

  /**
   * @param {Columns & {texts: ReadonlyArray<readonly [number, number, string]>}} columns
   * @returns {number} how many characters stand in texts and attributes: it is at least as many bytes
   */
  function charactersOf({ texts, attributes }) {
    let count = 0;
    for (const [, , text] of texts) count += text.length;
    for (const flat of attributes) for (const part of flat) count += part.length;
    return count;
  }

  return { pack };
})();
