"""Adapt deboiler, which compares pages of a site in pairs and removes the subtrees they share."""

import warnings
from collections.abc import Callable

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it imports cgi, which Python 3.13 removed
    from deboiler import Deboiler
    from deboiler.dataset import ListDataset
    from deboiler.models.page import OutputPage

from sitestencil.page.parsing import parse
from sitestencil.page.serialization import to_html
from sitestencil_research.benchmark.peers.matching import KeptElements, KeptText
from sitestencil_research.benchmark.peers.page import PeerPage, marks

_PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ""})


class LanguageFreeDeboiler(Deboiler):  # type: ignore[misc]
    """deboiler without language detection."""

    @classmethod
    def detect_language(cls, page: object, cleaned_text: str) -> None:
        """Skip language detection: it changes no text, and fails on pages without words."""


def defaults(page: PeerPage) -> KeptText:
    """Return the cleaned text of the key page."""
    return KeptText([(_cleaned(page, page.raw, lambda body: body).cleaned_text, True)])


def marked(page: PeerPage) -> KeptElements:
    """Return the elements of the cleaned key page. All pages go in as the browser has them, without attributes."""
    return _kept_marks(page, least_pairs=1)


def marked_twice(page: PeerPage) -> KeptElements:
    """Return the same, but remove only the subtrees that two pairs of pages share."""
    return _kept_marks(page, least_pairs=2)


def _kept_marks(page: PeerPage, least_pairs: int) -> KeptElements:
    def prepare(body: bytes) -> str:
        return to_html(parse(body, page.site.key_url))

    cleaned = _cleaned(page, page.marked, prepare, least_pairs).cleaned_html
    return KeptElements(marks(cleaned or ""))


def _cleaned(
    page: PeerPage, key_page: bytes | str, prepare: Callable[[bytes], bytes | str], least_pairs: int = 1
) -> OutputPage:
    records = [_record(page.site.key_path, key_page)]
    for file in sorted(page.site.pages.rglob("*")):
        name = file.relative_to(page.site.pages).as_posix()
        if file.is_file() and file.suffix.lower() in _PAGE_SUFFIXES and name != page.site.key_path:
            records.append(_record(name, prepare(file.read_bytes())))
    page.pages_loaded = len(records) - 1
    dataset = ListDataset(records, verbose=False)
    deboiler = LanguageFreeDeboiler(verbose=False, min_occurrence_threshold=least_pairs)
    deboiler.fit(dataset)
    return deboiler.transform_page(page.site.key_path, dataset, include_cleaned_html=True)


def _record(name: str, content: bytes | str) -> dict[str, object]:
    return {"url": name, "status": 200, "content_type": "text/html", "content": content}
