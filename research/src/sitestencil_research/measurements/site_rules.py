"""Measure a site's rules and records on pages that the program has not seen.

    python -m sitestencil_research.measurements.site_rules ../shared/benchmark/sites ../shared/benchmark/opened

Rules: of each kind with at least six pages, half, but at least five, are given to the program. It halves them
again, to learn and to prove. The others are judged by their template and main content, as the program finds it.

Rules for the whole site: half of its pages are given, and the words of the frame count on the others, as the
program finds it from all pages. Recall is a mean over pages, precision is of all words that are stripped. Both are
also those of the labelled key page, whether it was given or not.

Records: five pages of a kind are given, without their JSON-LD and microdata. Both are the truth on up to 20 other
pages: the title, price, author, date and picture of an article, product, recipe or event. A field counts if it is
stated on half of these pages, and differs both there and on the pages given. It is found if at least half of its
values are right. Values of all columns with a field's name count as right or wrong, found or not.
"""

import json
import logging
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import trafilatura

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.page.words import words
from sitestencil.reading.reading import element_text
from sitestencil.records.names import said_by_markup
from sitestencil.records.schema import tables_of
from sitestencil.records.slots import Place
from sitestencil.records.stated import json_ld_of, values_of
from sitestencil.rules.learning import halves, keep_rules, strip_rules
from sitestencil.rules.proving import on_page, union
from sitestencil.rules.site_pages import MOST_PAGES, Kind, KindPage, SitePages, kinds_of, read_sites
from sitestencil.rules.site_rules import site_rules
from sitestencil.rules.values import file_in, is_equal, number_in
from sitestencil.selectors.candidates import is_positional
from sitestencil.selectors.matching import Elements, Selector
from sitestencil.whole_site.pages import Pages
from sitestencil_research.commands.tables import print_markdown
from sitestencil_research.labels import CONTENT, TEMPLATE, read_labelled_key_page
from sitestencil_research.measurements.harness import arguments, sites_in
from sitestencil_research.running import results_in_order

WHOLE = ["recall", "precision", "pages lose over 5 %", "recall by labels", "precision by labels"]
_MOST_OF_KIND, _IN_HAND, _MOST_TESTED = 40, 5, 20
_SCRIPTS = re.compile(rb"<script[^>]*ld\+json[^>]*>.*?</script>", re.DOTALL | re.IGNORECASE)
_MICRODATA = re.compile(
    rb"""\s(?:itemprop|itemscope|itemtype|typeof|vocab)(?:=(?:"[^"]*"|'[^']*'|[^\s>]+))?""", re.IGNORECASE
)
_DESCRIBED = re.compile(r"(?:http.*/)?(?:\w*Article|\w*Posting|Product|Recipe|\w*Event|CreativeWork)")
SIZES = re.compile(r"(?:[-_](?:\d+x\d*|x\d+|scaled|grande|large|medium|small|compact|master))*\.\w+$")
_KEYS: Mapping[str, tuple[str, ...]] = {
    "title": ("headline", "name"),
    "price": ("price", "lowprice"),
    "author": ("author",),
    "date": ("datepublished",),
    "image": ("image",),
}
_COLUMNS = {"title": {"title", "name", "headline"}, "date": {"date", "published", "datepublished"}}


@dataclass(frozen=True, slots=True)
class SiteFigures:
    """Of a site: form, recall, precision, F1 per rules and page, positional selectors, values right per field."""

    site: str
    form: str
    strip: list[tuple[float, float, float]]
    keep: list[tuple[float, float, float]]
    positional: list[bool]
    good: list[tuple[bool, bool]]
    fields: list[tuple[str, float, float, bool]]
    whole: list["WholeSite"]


class WholeSite(NamedTuple):
    """Of rules for a whole site: recall and precision on pages, those that lose over 5 %, and by the labels."""

    recall: float
    precision: float
    lossy: float
    key_recall: float
    key_precision: float


def main() -> int:
    """Print the tables."""
    options = arguments(__doc__).parse_args()
    tasks = [(folder,) for folder in sites_in(options.folders)]
    sites = list(results_in_order(figures_of, tasks))
    strip, keep = ([page for site in sites for page in getattr(site, what)] for what in ("strip", "keep"))
    good = [kind for site in sites for kind in site.good]
    positional = [one for site in sites for one in site.positional]
    print(
        f"{len(good)} kinds, {len(strip)} pages, {len(positional)} selectors, {mean(positional):.1%} positional\n"
    )
    rows = [
        [
            name,
            f"{mean(kind[at] for kind in good):.2f}",
            *(f"{mean(page[figure] for page in pages):.3f}" for figure in range(3)),
            f"{mean(page[0] < 0.95 for page in pages):.1%}",
            f"{mean(page[2] >= 0.9 for page in pages):.1%}",
        ]
        for at, (name, pages) in enumerate({"strip": strip, "keep": keep}.items())
    ]
    print_markdown(["", "kinds good", "recall", "precision", "F1", "pages lose over 5 %", "F1 from .9"], rows)
    whole = [one for site in sites for one in site.whole]
    print(f"\n{len(whole)} whole sites, {sum(one.recall < 0.5 for one in whole)} with a recall below .5\n")
    print_markdown(WHOLE, [_means(whole)])
    print()
    forms = Counter(site.form for site in sites if site.whole)
    by_form = {form: [one for site in sites if site.form == form for one in site.whole] for form in forms}
    rows = [[form, str(forms[form]), *_means(by_form[form])] for form, _ in forms.most_common()]
    print_markdown(["form", "sites", *WHOLE], rows)
    print()
    fields = [(site.site, *field) for site in sites for field in site.fields]
    print(f"{len(fields)} fields of {len({field[0] for field in fields})} sites\n")
    names = [*_KEYS, "all"]
    chosen = {name: [field for field in fields if name in {field[1], "all"}] for name in names}
    found = {name: [field[2] for field in own if field[2] >= 0.5] for name, own in chosen.items()}
    rows = [
        [
            name,
            str(len(own)),
            f"{len(found[name]) / len(own):.2f}",
            f"{mean(found[name] or [0.0]):.3f}",
            f"{mean([field[2] for field in own if field[4]] or [0.0]):.3f}",
            f"{mean(field[3] >= 0.5 for field in own):.2f}",
        ]
        for name, own in chosen.items()
        if own
    ]
    print_markdown(
        ["field", "kinds", "found", "values right, if found", "of all columns", "trafilatura found"], rows
    )
    return 0


def _means(whole: Sequence[WholeSite]) -> list[str]:
    return [f"{mean(column):.3f}" for column in zip(*whole, strict=True)]


def figures_of(folder: Path) -> SiteFigures:
    """Return the figures of a site."""
    logging.disable(logging.CRITICAL)
    ((site,), *_) = read_sites(Pages([str(folder)]))
    form = json.loads((folder / "site.json").read_text("utf-8"))["category"]
    figures = SiteFigures(folder.name, form, [], [], [], [], [], [])
    for kind in kinds_of(site):
        pages = kind.read(_MOST_OF_KIND)
        if len(pages) > _IN_HAND:
            given = max(_IN_HAND, len(pages) // 2)
            _measure_rules(pages[:given], pages[given:], figures)
    figures.whole.extend(whole_site(site, folder))
    stated = {page.url: stated_by(parse(page.html, page.url)) for page in site.pages}
    site.pages = [replace(page, html=_MICRODATA.sub(b"", _SCRIPTS.sub(b"", page.html))) for page in site.pages]
    for kind in kinds_of(site):
        figures.fields.extend(_fields_of(kind, stated))
    return figures


def _measure_rules(given: list[KindPage], tested: list[KindPage], figures_: SiteFigures) -> None:
    learn, prove = halves(given)
    strip = strip_rules(learn, prove)
    keep = keep_rules(learn, prove, strip.selectors)
    figures_.good.append((not strip.why, not keep.why))
    figures_.strip.extend(on_page("strip", strip.selectors, strip.exceptions, page) for page in tested)
    figures_.keep.extend(on_page("keep", keep.selectors, keep.exceptions, page) for page in tested)
    for rules in (strip, keep):
        figures_.positional.extend(map(is_positional, [*rules.selectors, *rules.exceptions]))


def whole_site(site: SitePages, folder: Path) -> Iterator[WholeSite]:
    """Yield the figures of a site's rules for all pages; none if no kind of the pages given is large enough."""
    rules = site_rules(replace(site, pages=site.pages[::2]))
    unseen = {page.url for page in site.pages[1::2]}
    pages = [page for kind in kinds_of(site) for page in kind.read(MOST_PAGES) if page.document.url in unseen]
    if rules.strip is None or not pages:
        return
    recalls, lossy, stripped, wrong = list[float](), list[bool](), 0, 0
    for page in pages:
        out = union(page, rules.everywhere) & ~page.values
        frame = page.words & ~page.values & ~page.content
        recalls.append((out & frame).bit_count() / max(1, frame.bit_count()) if frame else 1.0)
        lost = (out & page.content).bit_count()
        lossy.append(lost > 0.05 * page.content.bit_count())
        stripped, wrong = stripped + out.bit_count(), wrong + lost
    precision = 1 - wrong / max(1, stripped)
    yield WholeSite(mean(recalls), precision, mean(lossy), *_by_labels(folder, rules.everywhere))


def _by_labels(folder: Path, selectors: Sequence[str]) -> tuple[float, float]:
    """Return recall and precision of the words of the frame on a labelled key page."""
    page = read_labelled_key_page(folder).page
    elements, sizes = Elements(page.document), Counter[tuple[str, bool]]()
    out = {
        one
        for selector in selectors
        for top in Selector(selector).select(elements)
        for one in range(top, page.document.ends[top])
    }
    for run in page.document.texts:
        sizes[page.labels[run.parent], run.parent in out] += len(words(run.text))
    right, left, wrong = sizes[TEMPLATE, True], sizes[TEMPLATE, False], sizes[CONTENT, True]
    return right / max(1, right + left), right / max(1, right + wrong) if right + wrong else 1.0


def stated_by(document: Document) -> dict[str, str]:
    """Return the fields that a page states about its own thing, in JSON-LD or microdata."""
    said: dict[str, str] = {}
    node = json_ld_of(document)
    kind = node.get("@type")
    if _DESCRIBED.fullmatch(str(kind[0] if isinstance(kind, list) and kind else kind)):
        for key, value in values_of(node):
            said.setdefault(key.lower(), value)
    things = [
        element
        for element, attributes in enumerate(document.attributes)
        if _DESCRIBED.fullmatch(attributes.get("itemtype", ""))
    ]
    for element in range(things[0], document.ends[things[0]]) if len(things) == 1 else ():
        attributes = document.attributes[element]
        name = said_by_markup(document, element).lower() if "itemprop" in attributes else ""
        values = [attributes.get(key) for key in ("content", "datetime", "src")]
        said.setdefault(name, next(filter(None, values), None) or element_text(document, element))
    plain = {key: re.sub(r"<[^>]*>", "", unescape(value)).strip() for key, value in said.items() if key}
    found = {field: [plain[key] for key in keys if plain.get(key)] for field, keys in _KEYS.items()}
    return {field: values[0] for field, values in found.items() if values}


def _is_right(field: str, value: str, stated: str) -> bool:
    if field == "image":
        stems = [SIZES.sub("", file_in(one).lower()) for one in (value, stated)]
        return stems[0] == stems[1] != ""
    if field == "price":
        return number_in(value) == number_in(stated) is not None
    return is_equal(value, stated) or (field == "author" and stated in value)


def _fields_of(kind: Kind, stated: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, float, float, bool]]:
    """Yield each field of a kind: the values right of ours and of trafilatura, and whether we have a column."""
    given, tested = kind.pages[:_IN_HAND], kind.pages[_IN_HAND : _IN_HAND + _MOST_TESTED]
    fields = [field for field in _KEYS if len(tested) > 2 and _counts(field, given, tested, stated)]
    if not fields:
        return
    tables = tables_of(replace(kind, pages=given))
    judged = [(page, one) for page in tested if (one := kind.judged(page)) is not None]
    for field in fields:
        names = _COLUMNS.get(field, {field})
        slots = [column.slot for table in tables[:1] for column in table.columns if column.name in names]
        ours, theirs = list[bool](), list[bool]()
        for page, one in judged:
            truth = stated[page.url].get(field)
            if truth:
                value = slots[0].value(Place(one)) if slots else None
                ours.append(bool(value) and _is_right(field, value or "", truth))
                theirs.append(_is_right(field, _by_trafilatura(field, page), truth))
        if ours:
            yield field, mean(ours), mean(theirs), bool(slots)


def _counts(
    field: str, given: list[CrawlPage], tested: list[CrawlPage], stated: Mapping[str, Mapping[str, str]]
) -> bool:
    known = [value for page in tested if (value := stated[page.url].get(field))]
    shown = {value for page in given if (value := stated[page.url].get(field))}
    return 2 * len(known) >= len(tested) and min(len(set(known)), len(shown)) > 1


def _by_trafilatura(field: str, page: CrawlPage) -> str:
    found = trafilatura.extract_metadata(page.html.decode("utf-8", "replace"), default_url=page.url)
    return str(getattr(found, field, None) or "") if found is not None and field != "price" else ""


if __name__ == "__main__":
    sys.exit(main())
