"""Rebuild stored sites, and print how the built pages compare with their originals.

    python -m sitestencil_research.measurements.rebuild ../shared/benchmark/opened

For each site of at least ten pages, of which 60 are taken: pages, those in Markdown, those with an equal tree,
links and broken ones; of new pages, which have only title, description, date, author and main content, the median
and least F1 of the words; slots that pages store and facets, of a kind in the median, the share of stored slots
that are named by meaning, and the purity of the main container. A tree is compared with that of its page as saved
safely.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from sitestencil.errors import SitestencilError
from sitestencil.rebuild.rebuilding import Content, Generator, rebuilt
from sitestencil.site.frontier import Extent
from sitestencil_research.commands.tables import print_markdown
from sitestencil_research.measurements.harness import arguments, print_figure, sites_in

_LEAST_PAGES, _MOST_PAGES = 10, 60
_LEAST_NEW = 0.9  # the F1 of the words of a site's worst new page
_COLUMNS = {
    "pages": "pages",
    "Markdown": "pages in Markdown",
    "equal": "equal trees",
    "links": "links in the project",
    "broken": "broken links",
    "new": "new pages",
    "median": "median F1 of new pages",
    "least": "least F1 of new pages",
    "kinds": "kinds",
    "stored": "stored slots of a kind, median",
    "facets": "facets of a kind, median",
    "named": "share of stored slots named by meaning",
    "purity": "purity of the main container",
    "no kind": "pages of no kind",
}


def main() -> int:
    """Print the table, and the aims."""
    parser = arguments(__doc__)
    parser.add_argument("--for", dest="generator", default="jinja", help="the generator (default: jinja)")
    parser.add_argument("--content", default="html", help="what content files hold (default: html)")
    parser.add_argument("--sites", type=int, default=10_000, metavar="N", help="take the first N sites")
    options = parser.parse_args()
    logging.disable()
    rows = list[list[object]]()
    for folder in sites_in(options.folders)[: options.sites]:
        try:
            row = _row(folder, options.generator, options.content)
        except SitestencilError as error:
            print(f"{folder.name}: {error}")
            continue
        if row:
            rows.append(row)
            print("  ".join(map(str, row)), flush=True)
    print_markdown(["site", *_COLUMNS], [[*map(str, row)] for row in rows])
    _print_aims(rows)
    return 0


def _row(folder: Path, generator: Generator, content: Content) -> list[object]:
    summary = rebuilt(str(folder), generator, Extent(most_pages=_MOST_PAGES), content=content).summary()
    figures = [summary[name] for name in _COLUMNS.values()]
    return [folder.name, *figures] if int(str(summary["pages"])) >= _LEAST_PAGES else []


def _print_aims(rows: Sequence[Sequence[object]]) -> None:
    def values(name: str) -> list[float]:
        at = 1 + list(_COLUMNS).index(name)
        return [float(str(row[at])) for row in rows if row[at] is not None]

    pages, equal = sum(values("pages")), sum(values("equal"))
    print_figure("pages with an equal tree", equal / pages, ".2%", least=0.99)
    print_figure("broken links", sum(values("broken")), ".0f", most=0)
    print_figure("median of the sites' medians of new pages", median(values("median")), ".3f", least=0.98)
    good = sum(value >= _LEAST_NEW for value in values("least"))
    print_figure("sites whose worst new page has .90", good / len(values("least")), ".0%", least=0.9)
    print_figure("stored slots of a kind, median of sites", median(values("stored")), ".1f", most=15)
    print_figure("facets of a kind, median of sites", median(values("facets")), ".1f", most=6)
    print_figure("stored slots named by meaning, median of sites", median(values("named")), ".0%", least=0.7)
    print_figure("purity of the main container, median of sites", median(values("purity")), ".2f", least=0.95)


if __name__ == "__main__":
    raise SystemExit(main())
