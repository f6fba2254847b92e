"""Print how well the slot ``main`` of saved templates holds the main content of stored sites' pages.

    python -m sitestencil_research.measurements.saved_main ../shared/benchmark/opened --sites 30

For twelve pages of each site: the share of the slot's words that are main content or the title (purity), the share
of these that the slot holds (recall), and the names of the elements that are marked.
"""

import logging
import re
from collections import Counter
from pathlib import Path
from statistics import mean, median

from sitestencil.crawl.content import SiteExtractor
from sitestencil.page.parsing import parse
from sitestencil.page.words import words
from sitestencil.rebuild.pages import shown_texts
from sitestencil.site.frontier import Extent
from sitestencil.template import Template
from sitestencil.whole_site.gathering import of_files, of_visits
from sitestencil.whole_site.saving import learn_kinds
from sitestencil_research.measurements.harness import arguments, print_figure, sites_in

_PAGES, _LEARNED = 12, 60
_MARK = re.compile(r'<([\w-]+)[^>]* data-slot="main"')


def main() -> int:
    """Print a line for each site, and the aims."""
    parser = arguments(__doc__)
    parser.add_argument("--sites", type=int, default=10_000, metavar="N", help="take the first N sites")
    options = parser.parse_args()
    logging.disable()
    rows = [_row(folder) for folder in sites_in(options.folders)[: options.sites]]
    print_figure("purity of the slot main, mean of sites", mean(purity for purity, _ in rows), ".3f", least=0.95)
    print_figure(
        "purity of the slot main, median of sites", median(purity for purity, _ in rows), ".3f", least=0.95
    )
    print_figure("recall of the main content, median of sites", median(recall for _, recall in rows), ".3f")
    return 0


def _row(folder: Path) -> tuple[float, float]:
    visited, records, _ = of_files(str(folder), Extent(most_pages=_LEARNED))
    site = of_visits(visited, records=records)
    site.ending = ".html"
    extractor = SiteExtractor(learn_kinds(site)[0])
    purities, recalls, marks = list[float](), list[float](), Counter[str]()
    for page in site.pages[:_PAGES]:
        template, _ = extractor.template(site.full(page))
        wanted, held = _main_words(template), _words(template.slots().get("main", ""))
        purities += [(held & wanted).total() / held.total()] if held else []
        recalls += [(held & wanted).total() / wanted.total()] if wanted else []
        marks.update(_MARK.findall(template.to_html(policy=None)))
    print(f"{folder.name}  {mean(purities):.3f}  {mean(recalls):.3f}  {dict(marks)}", flush=True)
    return mean(purities), mean(recalls)


def _words(html: str) -> Counter[str]:
    return Counter(words(" ".join(shown_texts(parse(html, "https://site.example/")))))


def _main_words(template: Template) -> Counter[str]:
    main, runs = template.main, template.document.texts
    kept = (run.text for at, run in enumerate(runs) if main.texts[at] or main.parts[run.parent] == "title")
    return Counter(words(" ".join(kept)))


if __name__ == "__main__":
    raise SystemExit(main())
