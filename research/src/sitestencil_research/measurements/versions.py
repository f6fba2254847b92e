"""Edit pages of labelled sites, and print how often programs tell a change of the content.

    python -m sitestencil_research.measurements.versions ../shared/benchmark/sites ../shared/benchmark/opened

Each key page is edited in its frame and in its content, by its labels. A program tells a change where what it takes
from both versions differs: for a frame that is a false alarm, for content the others are misses. The edited content
stands in paragraphs of at least twelve words without a link, and numbers in any content. ``compare`` judges each
version alone, or with up to twenty other pages of the site.
"""

import logging
import re
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path

from sitestencil import compare
from sitestencil.errors import SitestencilError
from sitestencil.page.document import Document
from sitestencil.page.serialization import to_html
from sitestencil.page.words import words
from sitestencil_research.benchmark.peers.run import kept_text
from sitestencil_research.commands.tables import print_markdown
from sitestencil_research.labels import CONTENT, TEMPLATE, read_labelled_key_page
from sitestencil_research.measurements.harness import arguments, sites_in
from sitestencil_research.page_files import pages_by_address
from sitestencil_research.perturbations.editable_tree import EditableElement, edit_body, edit_element
from sitestencil_research.perturbations.page_changes import with_consent_banner, wrapped
from sitestencil_research.running import results_in_order

FRAME, OWN = "frame", "content"
_PEERS = ("trafilatura (defaults)", "readability-lxml (defaults)")
ALL_WORDS, ALONE, WITH_PAGES = "all words of the page", "compare, alone", "compare, with pages"
PROGRAMS = (ALL_WORDS, *_PEERS, ALONE, WITH_PAGES)
_LEAST_WORDS, _MOST_PAGES = 12, 20
_NUMBER = re.compile(r"\d+")
_TEXTS = frozenset("p div span td th li dd dt h1 h2 h3 h4 small strong b".split())

Versions = tuple[Document, Document]
Verdicts = dict[tuple[str, str], dict[str, bool]]


def main() -> int:
    """Print the table."""
    options = arguments(__doc__).parse_args()
    logging.disable()
    found = [one for one in results_in_order(verdicts, [(folder,) for folder in sites_in(options.folders)]) if one]
    rows = list[list[str]]()
    edits = dict.fromkeys(edit for one in found for edit in one)
    for side in (FRAME, OWN):
        counts = dict.fromkeys(PROGRAMS, 0)
        total = 0
        for edit in (edit for edit in edits if edit[0] == side):
            told = [one[edit] for one in found if edit in one]
            wrong = {name: sum(one[name] == (side == FRAME) for one in told) for name in PROGRAMS}
            rows.append([f"{side}: {edit[1]}", str(len(told)), *map(str, wrong.values())])
            counts, total = {name: counts[name] + wrong[name] for name in PROGRAMS}, total + len(told)
        word = "false alarms" if side == FRAME else "misses"
        rows.append([f"**{word}**", str(total), *(f"{count / total:.1%}" for count in counts.values())])
    print_markdown(["edit", "pages", *PROGRAMS], rows)
    return 0


def verdicts(folder: Path) -> Verdicts:
    """Return for each edit of a site's key page, by side and name, which programs tell a change of the content."""
    logging.disable()
    labelled = read_labelled_key_page(folder)
    url, page = labelled.source.key_url, labelled.page
    files = ((address, file) for address, file in pages_by_address(labelled.source).items() if address != url)
    pages = {address: file.read_bytes() for address, file in islice(files, _MOST_PAGES)}
    found: Verdicts = {}
    for (side, name), edit in EDITS.items():
        if (versions := edit(page.document, page.labels)) is None:
            continue
        htmls = [to_html(version) for version in versions]
        taken = {ALL_WORDS: [words(" ".join(run.text for run in version.texts)) for version in versions]}
        taken |= {peer: [words(kept_text(peer, html.encode(), url)) for html in htmls] for peer in _PEERS}
        told = {peer: one != other for peer, (one, other) in taken.items()}
        try:
            told[ALONE] = bool(compare(htmls[0], htmls[1], url=url).content)
            told[WITH_PAGES] = bool(compare(htmls[0], htmls[1], url=url, pages=pages).content)
        except SitestencilError:
            continue
        found[side, name] = told
    return found


def _footer_text(page: Document, labels: str) -> Versions | None:
    return _with_text(page, _own_texts(page, labels, TEMPLATE, 3)[-1:], "the terms have changed")


def _menu_link(page: Document, labels: str) -> Versions | None:
    links = [
        at
        for at, tag in enumerate(page.tags)
        if tag == "a" and labels[at] == TEMPLATE and "href" in page.attributes[at]
    ]

    def edit(link: EditableElement) -> None:
        link.attributes, link.children = {**link.attributes, "href": "/a-new-entry"}, ["A new entry"]

    return (page, edit_element(page, links[0], edit).document) if links else None


def _counter(page: Document, _labels: str) -> Versions:
    def with_visitors(count: int) -> Document:
        counter = EditableElement("p", {"class": "visitors"}, [f"You are visitor number {count}"])
        return edit_body(page, lambda body: body.children.append(counter)).document

    return with_visitors(10482), with_visitors(10497)


def _sentence(page: Document, labels: str) -> Versions | None:
    return _with_text(page, _middle(_paragraphs(page, labels)), "this was found to be wrong")


def _removed(page: Document, labels: str) -> Versions | None:
    return _edited(page, _middle(_paragraphs(page, labels)), lambda paragraph: paragraph.children.clear())


def _moved(page: Document, labels: str) -> Versions | None:
    paragraphs = _paragraphs(page, labels)
    parents = [page.parents[one] for one in paragraphs]
    parent = next((one for one in parents if parents.count(one) >= 3), None)

    def edit(element: EditableElement) -> None:
        inside = [one for one in element.children if isinstance(one, EditableElement) and one.origin in paragraphs]
        element.children.remove(inside[-1])
        element.children.insert(element.children.index(inside[0]), inside[-1])

    return None if parent is None else _edited(page, [parent], edit)


def _number(page: Document, labels: str) -> Versions | None:
    texts = [one for one in _own_texts(page, labels, CONTENT, 1) if _NUMBER.search(_own_text(page, one))]

    def edit(element: EditableElement) -> None:
        numbers = (at for at, one in enumerate(element.children) if isinstance(one, str) and _NUMBER.search(one))
        at = next(numbers)
        element.children[at] = _NUMBER.sub(lambda found: str(int(found[0]) + 7), str(element.children[at]), count=1)

    return _edited(page, _middle(texts), edit)


EDITS: Mapping[tuple[str, str], Callable[[Document, str], Versions | None]] = {
    (FRAME, "text at the end"): _footer_text,
    (FRAME, "menu link"): _menu_link,
    (FRAME, "banner"): lambda page, _: (page, with_consent_banner(page).document),
    (FRAME, "visitor counter"): _counter,
    (FRAME, "wrapper"): lambda page, _: (page, wrapped(page).document),
    (OWN, "changed sentence"): _sentence,
    (OWN, "removed paragraph"): _removed,
    (OWN, "moved paragraph"): _moved,
    (OWN, "number"): _number,
}


def _own_text(page: Document, element: int) -> str:
    return " ".join(page.texts[run].text for run in page.runs(element) if page.texts[run].parent == element)


def _own_texts(page: Document, labels: str, label: str, least: int) -> list[int]:
    """Return the shown elements of a label with so many words of their own, but for links."""
    body = page.body or 0
    return [
        element
        for element in range(body, len(page))
        if labels[element] == label
        and page.tags[element] in _TEXTS
        and len(words(_own_text(page, element))) >= least
    ]


def _paragraphs(page: Document, labels: str) -> list[int]:
    found = [one for one in _own_texts(page, labels, CONTENT, _LEAST_WORDS) if page.tags[one] == "p"]
    return [one for one in found if "a" not in page.tags[one : page.ends[one]]]


def _middle(elements: list[int]) -> list[int]:
    return elements[len(elements) // 2 :][:1]


def _with_text(page: Document, elements: list[int], text: str) -> Versions | None:
    return _edited(page, elements, lambda element: element.children.append(f" {text}"))


def _edited(page: Document, elements: list[int], edit: Callable[[EditableElement], None]) -> Versions | None:
    return (page, edit_element(page, elements[0], edit).document) if elements else None


if __name__ == "__main__":
    raise SystemExit(main())
