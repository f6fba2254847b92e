"""The facts that people need before they move a site: kinds, fields, pages without links to them, the rest."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

from sitestencil.rebuild.model import Model
from sitestencil.rebuild.nodes import ROOT
from sitestencil.rebuild.pages import FIELDS, Page
from sitestencil.rebuild.proof import PageProof, original_html

_HEAD = (
    '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>{0}</title><style>body{{font:16px/1.5 '
    "sans-serif;margin:2em auto;max-width:70em}}table{{border-collapse:collapse}}td,th{{border:1px solid #999;"
    "padding:.2em .6em;text-align:left;vertical-align:top}}</style>\n<h1>{0}</h1>\n"
)


def table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as HTML."""
    head = "".join(f"<th>{escape(name)}" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(one))}" for one in row) + "\n" for row in rows)
    return f"<table><tr>{head}\n{body}</table>\n"


def inventory_files(
    model: Model,
    pages: Sequence[Page],
    stored: Mapping[int, int],
    left: Mapping[str, str],
    missing: Mapping[str, str],
    queries: Mapping[str, str],
) -> dict[str, str]:
    """Return the inventory as a table of pages, and as a page for people.

    Args:
        model: the site's model.
        pages: its pages.
        stored: the number of values that each page stores.
        left: the reason why an address is no page of the project.
        missing: the addresses of files that pages load and the project lacks, with the reason.
        queries: the paths of pages by their old addresses that have a query, which no redirect can have.
    """
    linked = Counter(link for page in pages for link in set(_links(page)) if link != page.path)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["path", "url", "kind", *FIELDS, "stored_slots", "linked_from", "scripts_left_out"])
    for page in pages:
        values = [page.path, page.url, page.kind, *(page.fields[name] for name in FIELDS)]
        # A spreadsheet would take a text that begins so for a formula.
        safe = [f"'{value}" if value.startswith(("=", "+", "-", "@", "\t")) else value for value in values]
        writer.writerow([*safe, stored[page.number], linked[page.path], page.scripts])
    kinds = [(kind, [page for page in pages if page.kind == kind]) for kind in model.rules]
    filled = [
        (kind, len(of), *(f"{sum(bool(page.fields[name]) for page in of) / len(of):.0%}" for name in FIELDS))
        for kind, of in sorted(kinds, key=lambda one: -len(one[1]))
    ]
    frames = [
        (kind, len(model.slots[kind]), ", ".join(rules.stored) or "none", ", ".join(rules.facets) or "none")
        for kind, rules in model.rules.items()
    ]
    orphans = [(page.path, page.fields["title"]) for page in pages if not linked[page.path]]
    html = [
        _HEAD.format("Inventory"),
        f"<p>{len(pages):,} pages. {sum(page.scripts for page in pages):,} scripts are left out: search, phone "
        "menus and the like need new ones.</p>\n<h2>Kinds, and the share of their pages that state a field</h2>\n",
        table(["kind", "pages", *FIELDS], filled),
        "<h2>Slots of each kind's layout</h2>\n",
        table(["kind", "slots", "stored by more than a tenth of the pages", "facets"], frames),
        f"<h2>Pages that no other page links to: {len(orphans):,}</h2>\n",
        table(["path", "title"], orphans),
        f"<h2>Addresses left out: {len(left):,}</h2>\n",
        table(["address", "why"], left.items()),
        f"<h2>Files that keep their addresses: {len(missing):,}</h2>\n",
        table(["address", "why"], missing.items()),
        f"<h2>Old addresses with queries, which _redirects leaves out: {len(queries):,}</h2>\n",
        table(["address", "path"], queries.items()),
    ]
    return {"inventory.csv": text.getvalue(), "inventory.html": "".join(html)}


def _links(page: Page) -> Iterable[str]:
    for part in original_html(page, root=ROOT).split(f'href="{ROOT}')[1:]:
        yield part.partition('"')[0].partition("#")[0]


def proof_page(proofs: Sequence[PageProof], summary: Mapping[str, object]) -> str:
    """Return the proof as a page for people, worst first."""
    ranked = sorted(proofs, key=lambda one: (one.is_new, one.is_equal, one.words, one.path))
    rows = [
        (
            one.path,
            one.kind,
            "new" if one.is_new else "stored",
            "Markdown" if one.is_markdown else "HTML",
            "yes" if one.is_equal else "no",
            f"{one.words:.3f}",
            "yes" if one.has_title else "no",
            ", ".join(one.broken),
        )
        for one in ranked
    ]
    text = (
        "<p>Each page was built and compared with its original as saved safely, without scripts. New pages were "
        "kept from learning, and written with title, description, date, author and main content alone.</p>\n"
    )
    names = ("page", "kind", "as", "content", "equal tree", "F1 of the words", "title", "broken links")
    return _HEAD.format("Proof") + text + table(["figure", "value"], summary.items()) + table(names, rows)


def new_page_text(model: Model, pages: Sequence[Page], as_written: Callable[[str], str]) -> str:
    """Return what tells people how to write a page of each kind.

    Args:
        model: the site's model.
        pages: its pages.
        as_written: returns a content file in the form of the generator.
    """
    parts = [
        "# A new page\n\nMake a file in `content/`; its folder is its section. Leave out what you do not need.\n"
    ]
    for kind, rules in model.rules.items():
        of = [page for page in pages if page.kind == kind]
        like = max(of, key=lambda page: (sum(map(bool, page.fields.values())), page.path))
        fields = "".join(f'{name}: ""\n' for name in FIELDS if any(page.fields[name] for page in of))
        slots = "".join(f"| `{name}` | {_shown(rules.defaults[name])} |\n" for name in rules.stored)
        described = (
            f"Slots you may set in `slots`, as JSON:\n\n| slot | default |\n|---|---|\n{slots}\n" if slots else ""
        )
        page = as_written(f'---\n{fields}kind: "{kind}"\n---\n<p>The main content.</p>\n')
        parts.append(
            f"\n## {kind}\n\n{len(of):,} pages, such as `{like.content_path}`.\n\n```\n{page}```\n\n{described}"
        )
    return "".join(parts)


def _shown(value: object) -> str:
    text = " ".join(str(value).split()).replace("|", "\\|").replace("`", "'")
    return f"`{text[:60]}`" if text else "empty"
