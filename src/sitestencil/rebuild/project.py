"""The files of a project that every generator shares: content, data, and what tells people about them."""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count
from urllib.parse import quote

from sitestencil.rebuild.model import Model
from sitestencil.rebuild.nodes import ROOT, html_of
from sitestencil.rebuild.pages import FIELDS, Page

_MARK = "@root{}/"
_PLAIN_PATH = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+/?")
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def root_mark(texts: Sequence[str]) -> str:
    """Return what stands for the project's root in some texts: none of them has it."""
    marks = (_MARK.format(number or "") for number in count())
    return next(mark for mark in marks if not any(mark in text for text in texts))


def content_file(page: Page, stored: Mapping[str, object], aliases: Sequence[str] = ()) -> str:
    """Return a page as a content file: fields as JSON values, which YAML reads, too, and its main content.

    Args:
        page: the page.
        stored: the values of its slots that no rule gives.
        aliases: its old paths.
    """
    fields: dict[str, object] = {name: page.fields[name] for name in (*FIELDS, "address") if page.fields.get(name)}
    fields["kind"] = page.kind
    if aliases:
        fields["aliases"] = list(aliases)
    if stored:
        fields["slots"] = dict(stored)
    head = "".join(f"{name}: {_json(value)}\n" for name, value in fields.items())
    # Hugo looks for its own tags in content, too.
    return f"---\n{head}---\n{page.markdown or html_of(page.main or ()).replace('{{', '&#123;{')}"


def _json(value: object) -> str:
    """Return a value as JSON that YAML reads as the same."""
    return _NOT_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def shared_files(
    model: Model, pages: Sequence[Page], new: Sequence[Page] = (), moved: Mapping[str, str] = {}
) -> dict[str, str]:
    """Return content and data of a project.

    Args:
        model: the site's model.
        pages: the pages that it was learned from.
        new: pages of which only the fields and the main content are written.
        moved: the paths of pages by their old ones.
    """
    aliases, taken = defaultdict[str, list[str]](list), {f"/{page.path}" for page in (*pages, *new)}
    for old, path in moved.items():
        if _PLAIN_PATH.fullmatch(old) and taken.isdisjoint({old, f"{old.rstrip('/')}/index.html"}):
            aliases[path].append(old)  # Hugo writes a page there
    files = {
        page.content_path: content_file(page, model.stored(page), aliases[f"/{quote(page.path)}"]) for page in pages
    }
    files |= {page.content_path: content_file(page, {}) for page in new}
    rules = {kind: one.data() for kind, one in model.rules.items()}
    files["data/facets.json"] = json.dumps(rules, ensure_ascii=False, indent=1)
    files["data/menus.json"] = json.dumps(model.menus(), ensure_ascii=False, indent=1)
    mark = root_mark([*files.values()])  # as JSON a text has the mark's characters as they are
    files = {path: text.replace(ROOT, mark) for path, text in files.items()}
    return {**files, "data/site.json": json.dumps({"root": mark, "kinds": [*model.rules]})}


def with_layout(text: str, end: str = "") -> str:
    """Return a content file with its layout, as Hugo and Eleventy have it.

    Both read ``date`` as a date in forms of their own, so that the page's is another field.
    """
    _, head, main = text.split("---\n", 2)
    kind = next(line for line in head.split("\n") if line.startswith("kind: ")).partition(": ")[2].strip('"')
    dated = re.sub(r"^date: ", "stated_date: ", head, flags=re.MULTILINE)
    return f'---\n{dated}layout: "{kind}{end}"\n---\n{main}'
