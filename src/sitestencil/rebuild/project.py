"""The files of a project that every generator shares: content, data, and what tells people about them."""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import count

from sitestencil.rebuild.facets import Plain
from sitestencil.rebuild.model import Model, html_of
from sitestencil.rebuild.nodes import ROOT
from sitestencil.rebuild.pages import FIELDS, Page

_MARK = "@root{}/"
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class Marked:
    """Writes the place of the project's root as a text that no page has.

    Args:
        texts: all texts that are written.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        names = (_MARK.format(number or "") for number in count())
        self.mark = next(name for name in names if not any(name in text for text in texts))

    def text(self, text: str) -> str:
        """Return a text with the mark."""
        return text.replace(ROOT, self.mark)


def content_file(page: Page, stored: Mapping[str, Plain], main: str) -> str:
    """Return a page as a content file: fields as JSON values, which YAML reads, too, and its main content."""
    fields: dict[str, object] = {name: page.fields[name] for name in (*FIELDS, "address") if page.fields.get(name)}
    fields["kind"] = page.kind
    if stored:
        fields["slots"] = dict(stored)
    head = "".join(f"{name}: {_json(value)}\n" for name, value in fields.items())
    # Hugo looks for its own tags in content, too.
    return f"---\n{head}---\n{main.replace('{{', '&#123;{')}"


def _json(value: object) -> str:
    """Return a value as JSON that YAML reads as the same."""
    return _NOT_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def shared_files(model: Model, pages: Sequence[Page], new: Sequence[Page] = ()) -> dict[str, str]:
    """Return content and data of a project.

    Args:
        model: the site's model.
        pages: the pages that it was learned from.
        new: pages of which only the fields and the main content are written.
    """
    contents = {page.path: content_file(page, model.stored(page), html_of(page.main or ())) for page in pages}
    contents |= {page.path: content_file(page, {}, html_of(page.main or ())) for page in new}
    rules = json.dumps({kind: one.data() for kind, one in model.rules.items()}, ensure_ascii=False, indent=1)
    # As JSON a text has the mark's characters as they are.
    marked = Marked([rules, *contents.values()])
    files = {f"content/{path}": text for path, text in contents.items()}
    files["data/facets.json"] = rules
    files = {path: marked.text(text) for path, text in files.items()}
    return {**files, "data/site.json": json.dumps({"root": marked.mark, "kinds": [*model.rules]})}


def with_layout(text: str, end: str = "") -> tuple[str, str]:
    """Return a content file's fields with its layout, as Hugo and Eleventy have them, and its main content.

    Both read ``date`` as a date in forms of their own, so that the page's is another field.
    """
    _, head, main = text.split("---\n", 2)
    kind = next(line for line in head.split("\n") if line.startswith("kind: ")).partition(": ")[2].strip('"')
    return re.sub(r"^date: ", "stated_date: ", head, flags=re.MULTILINE) + f'layout: "{kind}{end}"\n', main
