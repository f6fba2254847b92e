"""A corpus of stored pages, and the template of every one of them, not only of the key pages."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from urllib.parse import quote

from sitestencil.detectors import load_detector
from sitestencil.detectors.detection import Detection
from sitestencil.errors import SitestencilError, UnusableSite
from sitestencil.evaluation.uses.words import alphanumeric_words, page_size, page_text
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.processes import results_as_done
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources.stored import StoredSite

FULL_TEXT = "full text"
CONTENT_ALONE = "content alone"
_PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".asp", ".php"})


@dataclass(frozen=True, slots=True)
class CorpusPage:
    """A page of a corpus.

    Attributes:
        name: tells it from the others.
        site: folder of the stored site whose other pages a detector may load.
        url: its address there.
        html: its bytes.
        label: its class; empty where there is none.
        article: which content it carries, where that is known.
        content: the HTML of that content.
    """

    name: str
    site: Path
    url: str
    html: bytes
    label: str = ""
    article: str = ""
    content: str = ""


@dataclass(frozen=True, slots=True)
class CleanPage:
    """A page without its template.

    Attributes:
        words: that are left.
        size: bytes of HTML that are left.
        answered: whether the detector gave an answer; otherwise nothing is removed.
        seconds: a core's time for the detection.
    """

    words: tuple[str, ...]
    size: int
    answered: bool = True
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CleanCorpus:
    """All pages of a corpus in their order, without what one detector calls template."""

    detector: str
    pages: tuple[CleanPage, ...]

    @property
    def size(self) -> int:
        """Bytes of HTML that are left."""
        return sum(page.size for page in self.pages)

    @property
    def unanswered(self) -> int:
        """How many pages the detector gave no answer for."""
        return sum(not page.answered for page in self.pages)

    @property
    def milliseconds(self) -> float:
        """A core's time per page, detection only, in the mean."""
        return 1000 * sum(page.seconds for page in self.pages) / len(self.pages)


def stored_pages(folder: Path, most: int | None = None, seed: int = 0) -> list[CorpusPage]:
    """Return the pages of a stored site, labelled by their section: the first directory of their address.

    Args:
        folder: of the site.
        most: take so many at most, by chance.
        seed: of that chance.
    """
    site = StoredSite(folder)
    files = sorted(
        file for file in site.pages.rglob("*") if file.suffix.lower() in _PAGE_SUFFIXES and file.is_file()
    )
    if most is not None and len(files) > most:
        files = sorted(random.Random(seed).sample(files, most))  # noqa: S311 - no secret
    pages = []
    for file in files:
        path = file.relative_to(site.pages)
        section = path.parts[0] if len(path.parts) > 1 else ""
        url = f"{site.base_url}{quote(path.as_posix())}"
        pages.append(CorpusPage(f"{folder.name}/{path.as_posix()}", folder, url, file.read_bytes(), section))
    return pages


def clean_corpora(
    pages: Sequence[CorpusPage],
    detectors: Sequence[str],
    *,
    processes: int | None = 1,
    done: Callable[[int, int], None] = lambda *_: None,
) -> list[CleanCorpus]:
    """Return a corpus with its full text, then once for each detector without what that calls template.

    Args:
        pages: the corpus.
        detectors: names.
        processes: how many share the sites; None: one for each core.
        done: is told how many pages of how many are done.
    """
    for name in detectors:
        load_detector(name)
    names = [FULL_TEXT, *detectors]
    numbers: dict[Path, list[int]] = {}
    for number, page in enumerate(pages):
        numbers.setdefault(page.site, []).append(number)
    clean: dict[str, dict[int, CleanPage]] = {name: {} for name in names}
    arguments = {
        (site, name): (site, [pages[number] for number in own], name)
        for name in names
        for site, own in numbers.items()
    }
    for (site, name), cleaned in results_as_done(clean_site, arguments, processes):
        clean[name].update(zip(numbers[site], cleaned, strict=True))
        done(sum(len(each) for each in clean.values()), len(names) * len(pages))
    return [CleanCorpus(name, tuple(clean[name][number] for number in range(len(pages)))) for name in names]


def known_content(pages: Sequence[CorpusPage]) -> CleanCorpus:
    """Return a corpus of known contents without all the rest: as if templates were removed without a fault."""
    return CleanCorpus(
        CONTENT_ALONE,
        tuple(
            CleanPage(_words(parse(page.content, page.url)), len(page.content.encode(errors="replace")))
            for page in pages
        ),
    )


def clean_site(folder: Path, pages: Sequence[CorpusPage], detector: str) -> list[CleanPage]:
    """Return pages of one site without what a detector calls template, each taken as the key page in turn."""
    source = _KeptPages(folder)
    return [_clean_page(page, source, detector) for page in pages]


def _clean_page(page: CorpusPage, source: StoredSite, detector: str) -> CleanPage:
    document = parse(page.html, page.url)
    start = process_time()
    detection: Detection | None = None
    if detector != FULL_TEXT:
        loader = PageLoader(document, source, seconds=float("inf"))
        try:
            detection = asyncio.run(load_detector(detector).detect(document, loader))
        except UnusableSite:
            raise
        except SitestencilError:
            return CleanPage(_words(document), page_size(document), answered=False)
    seconds = process_time() - start
    return CleanPage(_words(document, detection), page_size(document, detection), seconds=seconds)


def _words(document: Document, detection: Detection | None = None) -> tuple[str, ...]:
    return tuple(alphanumeric_words(page_text(document, detection)))


class _KeptPages(StoredSite):
    """A stored site whose pages are read and parsed once, however many key pages they are compared with."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._pages: dict[str, LoadedPage] = {}

    async def load(self, link: Link) -> LoadedPage:
        """Return what was loaded before, with what was read of it, or load it now."""
        if link.url not in self._pages:
            self._pages[link.url] = await super().load(link)
        return self._pages[link.url]
