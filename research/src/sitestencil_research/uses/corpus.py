"""A corpus of stored pages, and the template of every page, not only of the key pages."""

import asyncio
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from sitestencil.detectors import load_detector
from sitestencil.detectors.detection import Detection
from sitestencil.errors import SitestencilError, UnusableSite
from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT, VOID
from sitestencil.page.parsing import parse
from sitestencil.page.serialization import escape_text, escape_value
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.page_files import pages_by_address
from sitestencil_research.perturbations.sources import ParsedPages
from sitestencil_research.running import Done, ignored, results_in_order

FULL_TEXT = "full text"
CONTENT_ALONE = "content alone"


@dataclass(frozen=True, slots=True)
class CorpusPage:
    """A page of a corpus.

    Attributes:
        name: the page's unique name.
        site: the folder of the stored site; a detector may load its other pages.
        url: the page's address there.
        html: the page's bytes.
        label: the page's class; empty if there is none.
        article: the name of its content, if known.
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
        words: the words left.
        size: the bytes of HTML left.
        answered: whether the detector gave an answer; otherwise nothing is removed.
        seconds: the processor time of the detection.
    """

    words: tuple[str, ...]
    size: int
    answered: bool = True
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CleanCorpus:
    """All pages of a corpus in their order, without one detector's template."""

    detector: str
    pages: tuple[CleanPage, ...]

    @property
    def size(self) -> int:
        """The bytes of HTML left."""
        return sum(page.size for page in self.pages)

    @property
    def unanswered(self) -> int:
        """The number of pages without an answer."""
        return sum(not page.answered for page in self.pages)

    @property
    def milliseconds(self) -> float:
        """The mean processor time of the detection per page."""
        return 1000 * sum(page.seconds for page in self.pages) / len(self.pages)

    def facts(self) -> dict[str, Any]:
        """Return the figures for every table, as plain data."""
        facts = {"bytes": self.size, "unanswered": self.unanswered, "ms_per_page": self.milliseconds}
        return {"detector": self.detector, **facts}


def stored_pages(folder: Path, most: int | None = None, seed: int = 0) -> list[CorpusPage]:
    """Return the pages of a stored site, labelled by their section: the first directory of their address.

    If there are more than `most`, they are sampled at random.
    """
    site = StoredSite(folder)
    files = list(pages_by_address(site).items())
    if most is not None and len(files) > most:
        files = sorted(random.Random(seed).sample(files, most))  # noqa: S311 - no secret
    pages = []
    for url, file in files:
        path = file.relative_to(site.pages)
        section = path.parts[0] if len(path.parts) > 1 else ""
        pages.append(CorpusPage(f"{folder.name}/{path.as_posix()}", folder, url, file.read_bytes(), section))
    return pages


def clean_corpora(
    pages: Sequence[CorpusPage], detectors: Iterable[str], *, processes: int | None = 1, done: Done = ignored
) -> list[CleanCorpus]:
    """Return a corpus with its full text, then once per detector without its template."""
    names = [FULL_TEXT, *detectors]
    for name in names[1:]:
        load_detector(name)
    numbers: dict[Path, list[int]] = {}
    for number, page in enumerate(pages):
        numbers.setdefault(page.site, []).append(number)
    runs = [(name, site, own) for name in names for site, own in numbers.items()]
    tasks = [(site, [pages[number] for number in own], name) for name, site, own in runs]
    clean: dict[str, dict[int, CleanPage]] = {name: {} for name in names}
    found = results_in_order(clean_site, tasks, processes, done, [len(own) for *_, own in runs])
    for (name, _, own), cleaned in zip(runs, found, strict=True):
        clean[name].update(zip(own, cleaned, strict=True))
    return [CleanCorpus(name, tuple(clean[name][number] for number in range(len(pages)))) for name in names]


def known_content(pages: Sequence[CorpusPage]) -> CleanCorpus:
    """Return a corpus of known contents alone, as if template removal were perfect."""
    return CleanCorpus(
        CONTENT_ALONE,
        tuple(
            CleanPage(_words(parse(page.content, page.url)), len(page.content.encode(errors="replace")))
            for page in pages
        ),
    )


def clean_site(folder: Path, pages: Sequence[CorpusPage], detector: str) -> list[CleanPage]:
    """Return pages of one site without a detector's template; each page is the key page in turn."""
    source = ParsedPages(StoredSite(folder))
    return [_clean_page(page, source, detector) for page in pages]


def _clean_page(page: CorpusPage, source: ParsedPages, detector: str) -> CleanPage:
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


_WORD = re.compile(r"[^\W_]+")


def alphanumeric_words(text: str) -> list[str]:
    """Return the words of a text: lower case, alphanumeric characters only (Chakrabarti, 6.2)."""
    return _WORD.findall(text.lower())


def page_text(document: Document, detection: Detection | None = None) -> str:
    """Return the text of a page's body, without a template if one is given."""
    body = document.body if document.body is not None else len(document)
    return " ".join(
        run.text
        for number, run in enumerate(document.texts)
        if run.parent >= body
        and document.tags[run.parent] not in NO_PAGE_TEXT
        and not run.text.isspace()
        and not (detection is not None and _is_removed(document, detection, number))
    )


def page_size(document: Document, detection: Detection | None = None) -> int:
    """Return the bytes of a page's HTML: tags and texts, without the template."""
    template = detection.template if detection is not None else [False] * len(document)
    size = 0
    for tag, attributes, is_template in zip(document.tags, document.attributes, template, strict=True):
        if is_template:
            continue
        size += len(tag) + 2 + (0 if tag in VOID else len(tag) + 3)
        for name, value in attributes.items():
            size += len(name.encode()) + 4 + len(escape_value(value).encode(errors="replace"))
    for number, run in enumerate(document.texts):
        if detection is None or not _is_removed(document, detection, number):
            size += len(escape_text(run.text).encode(errors="replace"))
    return size


def _is_removed(document: Document, detection: Detection, number: int) -> bool:
    """Return whether a text goes with the template: it is template itself, or white space inside template."""
    run = document.texts[number]
    if not detection.template[run.parent]:
        return False
    in_head = document.body is None or run.parent < document.body
    return detection.template_texts[number] or in_head or run.text.isspace()
