"""Write the project for Eleventy: the layouts are Jinja2's, which Nunjucks reads."""

import json
from collections.abc import Mapping
from dataclasses import replace

from sitestencil.rebuild.jinja import JINJA, layout_files
from sitestencil.rebuild.model import Model
from sitestencil.rebuild.project import with_layout

_PACKAGE = {
    "private": True,
    "type": "module",
    "scripts": {"build": "eleventy", "start": "eleventy --serve"},
    "devDependencies": {"@11ty/eleventy": "^3.1.0"},
}
_CONFIG = """\
import { readFileSync } from "node:fs";

const { root: mark } = JSON.parse(readFileSync("data/site.json", "utf8"));

export default function (config) {
  config.addPassthroughCopy({ static: "static", _redirects: "_redirects" });
  config.setNunjucksEnvironmentOptions({ autoescape: false }); // values are HTML, or are escaped where they stand
  const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  config.addNunjucksGlobal("attribute", (name, value) => (value == null ? "" : ` ${name}="${escaped(value)}"`));
  config.amendLibrary("md", (library) => library.set({ html: true, linkify: false, typographer: false }));
  config.addFilter("at_root", (html, root) => String(html).replaceAll(mark, root));
  return {
    dir: { input: "content", includes: "../layouts", layouts: "../layouts", data: "../data", output: "public" },
    templateFormats: ["html", "md"],
    htmlTemplateEngine: false, // content holds no code
    markdownTemplateEngine: false,
  };
}
"""
# As `jinja_build.values_of`.
_VALUES = """\
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const hex = (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
const quoted = (text) => encodeURIComponent(text).replace(/[!'()*]/g, hex);

const path = (data) => data.page.inputPath.replace(/^(\\.\\/)?content\\//, "").replace(/\\.md$/, ".html");
const root = (data) => "../".repeat(path(data).split("/").length - 1) || "./";

function values(data) {
  const kinds = data.facets;
  const rules = kinds[data.kind] ?? kinds.other ?? kinds[data.site.kinds[0]];
  const own = data.slots ?? {};
  const folders = path(data).split("/").slice(0, -1);
  const { title = "", description = "", author = "", language = "", address = "", stated_date: date = "" } = data;
  const [, year = "", month_2 = "", day_2 = ""] = /^([0-9]{4})-([0-9]{2})-([0-9]{2})/.exec(date) ?? [];
  const month = month_2.replace(/^0/, "");
  const has = (text) => (text ? "yes" : "no");
  const told = {
    section: folders.slice(0, 1).join("/"), subsection: folders.slice(0, 2).join("/"), language, author,
    has_description: has(description), has_date: has(date), has_author: has(author),
  };
  const known = {
    title, description, author, date, address, year, month, month_2, day: day_2.replace(/^0/, ""), day_2,
    address_path: address && new URL(address).pathname,
    link: data.site.root + path(data).split("/").map(quoted).join("/"),
    quoted_address: quoted(address), quoted_title: quoted(title),
  };
  const found = { ...rules.defaults };
  for (const [facet, table] of Object.entries(rules.facets)) Object.assign(found, table[told[facet]]);
  for (const [name, ofLink] of Object.entries(rules.links)) {
    for (const here of [address, known.link]) if (here in ofLink) found[name] = ofLink[here];
  }
  for (const [name, pattern] of Object.entries(rules.patterns)) {
    known.month_name = rules.months[name]?.[month] ?? "";
    if (pattern.every((part, at) => at % 2 === 0 || known[part])) {
      const shown = rules.texts.includes(name) ? (text) => text : escaped;
      found[name] = pattern.map((part, at) => (at % 2 ? shown(known[part]) : part)).join("");
    }
  }
  Object.assign(found, own);
  for (const [name, [before, of, after]] of Object.entries(rules.copies)) {
    if (!(name in own) && typeof found[of] === "string" && found[of]) found[name] = before + found[of] + after;
  }
  for (const [name, menu] of Object.entries(data.menus)) {
    if (!(name in found)) continue;
    const links = found[name].split(" ");
    const changed = (item) => (links.includes(item.link) ? { ...menu.active, ...item.active } : {});
    found[name] = menu.items.map((item) => ({ ...menu.each, ...item, ...changed(item) }));
  }
  return JSON.parse(JSON.stringify(found).replaceAll(data.site.root, root(data)));
}

export default { permalink: path, eleventyComputed: { root, s: values } };
"""


ENDING = ".njk"
_NUNJUCKS = replace(JINJA, main="{{ content | at_root(root) }}", include=JINJA.include.replace(".html", ENDING))


def eleventy_files(model: Model, shared: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a project for Eleventy by path; `shared` are content and data."""
    files = layout_files(model, _NUNJUCKS, ENDING)
    for path, text in shared.items():
        files[path] = with_layout(text, ENDING) if path.startswith("content/") else text
    package = json.dumps(_PACKAGE, indent=1) + "\n"
    return {**files, "content/content.11tydata.js": _VALUES, "eleventy.config.js": _CONFIG, "package.json": package}
