"""Build the site: ``python build.py``, or ``python build.py FOLDER``. It needs Jinja2: ``pip install jinja2``.

Each file in content/ is a page, of HTML, or of Markdown, which needs markdown-it-py. Between its lines ``---``
stand its fields, each a name and a JSON value: what it states, its kind, and in "slots" the values that nothing
else tells. Behind them stands its main content. All other values come from its kind's defaults, facets and
patterns in data/facets.json, and from data/menus.json.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import quote, urlsplit


def facets_of(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the facets that a page's own fields tell."""
    folders = fields["path"].split("/")[:-1]
    having = {f"has_{name}": "yes" if fields.get(name) else "no" for name in ("description", "date", "author")}
    of_fields = {name: fields.get(name, "") for name in ("language", "author")}
    return {"section": "/".join(folders[:1]), "subsection": "/".join(folders[:2]), **of_fields, **having}


def all_fields(fields: Mapping[str, str], root: str) -> dict[str, str]:
    """Return a page's fields with what follows: its link, addresses as queries have them, the parts of its date."""
    address, title = fields.get("address", ""), fields.get("title", "")
    date = re.match(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", fields.get("date", ""))
    year, month, day = date.groups() if date else ("", "", "")
    return {
        **fields,
        "link": root + quote(fields["path"]),
        "address_path": urlsplit(address).path,
        "quoted_address": quote(address, safe=""),
        "quoted_title": quote(title, safe=""),
        "year": year,
        "month": month.removeprefix("0"),
        "month_2": month,
        "day": day.removeprefix("0"),
        "day_2": day,
    }


def filled(pattern: Sequence[str], fields: Mapping[str, str], *, is_text: bool) -> str | None:
    """Return the value of a pattern, texts and names of fields in turn; None if the page lacks a field."""
    if not all(fields.get(name) for name in pattern[1::2]):
        return None
    texts = (fields[part] if at % 2 else part for at, part in enumerate(pattern))
    return "".join(escape(part, quote=False) if at % 2 and not is_text else part for at, part in enumerate(texts))


def values_of(
    rules: Mapping[str, Any], fields: Mapping[str, str], own: Mapping[str, Any], root: str
) -> dict[str, Any]:
    """Return the values of a page's slots: defaults, facets, links to itself, patterns, its own, and copies."""
    told, values = facets_of(fields), dict(rules["defaults"])
    for name, table in rules["facets"].items():
        values |= table.get(told[name], {})
    known = all_fields(fields, root)
    for here in (known.get("address", ""), known["link"]):
        values |= {name: of_link[here] for name, of_link in rules["links"].items() if here in of_link}
    for name, pattern in rules["patterns"].items():
        known["month_name"] = rules["months"].get(name, {}).get(known["month"], "")
        made = filled(pattern, known, is_text=name in rules["texts"])
        values |= {} if made is None else {name: made}
    values |= own
    for name, (before, of, after) in rules["copies"].items():
        if name not in own and isinstance(values[of], str) and values[of]:
            values[name] = before + values[of] + after
    return values


def menu_items(menu: Mapping[str, Any], active: str) -> list[dict[str, Any]]:
    """Return the items of a menu; those are active whose links are named."""
    links = active.split(" ")
    changed = [
        {**menu["active"], **item.get("active", {})} if item["link"] in links else {} for item in menu["items"]
    ]
    return [{**menu["each"], **item, **change} for item, change in zip(menu["items"], changed, strict=True)]


def attribute(name: str, value: str | None) -> str:
    """Return an attribute with a space before it; empty for one that a page lacks."""
    return "" if value is None else f' {name}="{escape(value)}"'


def as_html(markdown: str) -> str:
    """Return Markdown as HTML."""
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown))


def built(files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the path and the HTML of each page of a project, from its files by path."""
    from jinja2 import DictLoader, Environment

    layouts = {path.partition("/")[2]: text for path, text in files.items() if path.startswith("layouts/")}
    environment = Environment(loader=DictLoader(layouts), keep_trailing_newline=True, autoescape=False)  # noqa: S701
    environment.globals["attribute"] = attribute
    rules, all_menus = (json.loads(files[f"data/{name}.json"]) for name in ("facets", "menus"))
    mark = json.loads(files["data/site.json"])["root"]
    for path in sorted(files):
        if not path.startswith("content/"):
            continue
        _, head, main = files[path].split("---\n", 2)
        lines = (line.split(": ", 1) for line in head.split("\n") if line)
        fields = {name: json.loads(value) for name, value in lines}
        fields["path"] = re.sub(r"\.md$", ".html", path.partition("/")[2])
        main = as_html(main) if path.endswith(".md") else main
        kind = fields["kind"] if fields.get("kind") in rules else "other"
        slots, root = fields.pop("slots", {}), "../" * fields["path"].count("/") or "./"
        own = values_of(rules.get(kind) or next(iter(rules.values())), fields, slots, mark)
        s, menus = (json.loads(json.dumps(one).replace(mark, root)) for one in (own, all_menus))
        s |= {name: menu_items(menu, s[name]) for name, menu in menus.items() if name in s}
        layout = environment.get_template(f"{kind}.html" if f"{kind}.html" in layouts else "base.html")
        yield fields["path"], layout.render(page=fields, s=s, root=root, main=main.replace(mark, root))


def main() -> None:
    """Write the site into a folder, by default ``public``."""
    here = Path(__file__).parent
    target = Path(sys.argv[1] if sys.argv[1:] else here / "public")
    places = [
        file for name in ("layouts", "content", "data") for file in (here / name).rglob("*") if file.is_file()
    ]
    files = {file.relative_to(here).as_posix(): file.read_bytes().decode() for file in places}
    for path, html in built(files):
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(html.encode())
    if (here / "static").is_dir():
        copytree(here / "static", target / "static", dirs_exist_ok=True)


if __name__ == "__main__":
    try:
        main()
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is missing. Run: pip install {error.name}")
