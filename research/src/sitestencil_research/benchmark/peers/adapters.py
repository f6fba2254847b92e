"""Adapt each program: what it keeps of a page, as text or as marked elements."""

import warnings
from collections.abc import Callable
from typing import Any

from sitestencil.page.parsing import parse
from sitestencil.page.serialization import to_html
from sitestencil_research.benchmark.peers.matching import Kept, KeptElements, KeptText
from sitestencil_research.benchmark.peers.page import PeerPage, marks
from sitestencil_research.page_files import page_files

Adapter = Callable[[PeerPage], Kept]

_LANGUAGES = {
    "ca": "Catalan",
    "cs": "Czech",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "tr": "Turkish",
}
_WITHOUT_SPACES = frozenset({"zh", "ja", "ko", "th"})


def trafilatura(**options: Any) -> Adapter:  # noqa: ANN401 - the program's own
    """Keep the text that ``trafilatura.extract`` returns with these options."""

    def keep(page: PeerPage) -> Kept:
        from trafilatura import extract

        return KeptText([(extract(page.raw, **options) or "", True)])

    return keep


def resiliparse(**options: Any) -> Adapter:  # noqa: ANN401 - the program's own
    """Keep the text that ``extract_plain_text`` returns with these options."""

    def keep(page: PeerPage) -> Kept:
        from resiliparse.extract.html2text import extract_plain_text

        return KeptText([(extract_plain_text(page.html, **options) or "", True)])

    return keep


def readability(page: PeerPage) -> Kept:
    """Keep the text of readability-lxml's ``summary()``."""
    from readability import Document

    summary = parse(Document(page.raw).summary(), page.document.url)
    return KeptText([(run.text, True) for run in summary.texts])


def readability_marked(page: PeerPage) -> Kept:
    """Keep the elements of ``summary()``."""
    from readability import Document

    return KeptElements(marks(Document(page.marked).summary()))


def justext(language_of: Callable[[PeerPage], str | None]) -> Adapter:
    """Keep the good paragraphs by the stop words of a language, or without stop words.

    Bad paragraphs are returned, too, so that none is matched in a wrong place.
    """

    def keep(page: PeerPage) -> Kept:
        from justext import get_stoplist, justext

        language = language_of(page)
        if language is None:
            paragraphs = justext(page.raw, frozenset(), stopwords_low=0, stopwords_high=0)
        else:
            paragraphs = justext(page.raw, get_stoplist(language))
        return KeptText([(paragraph.text, not paragraph.is_boilerplate) for paragraph in paragraphs])

    return keep


def declared_language(page: PeerPage) -> str | None:
    """Return the language whose stop words fit the page's declared one; None if it has no words with spaces."""
    declared = page.document.attributes[0].get("lang", "").partition("-")[0].lower()
    return None if declared in _WITHOUT_SPACES else _LANGUAGES.get(declared, "English")


def deboiler(page: PeerPage) -> Kept:
    """Keep the cleaned text of the key page; deboiler removes the subtrees that pairs of stored pages share."""
    return KeptText([(_cleaned(page, page.raw, lambda body: body).cleaned_text, True)])


def deboiler_marked(least_pairs: int) -> Adapter:
    """Keep the elements that fewer pairs of pages share; pages go in as the browser has them."""

    def keep(page: PeerPage) -> Kept:
        url = page.site.key_url
        cleaned = _cleaned(page, page.marked, lambda body: to_html(parse(body, url)), least_pairs)
        return KeptElements(marks(cleaned.cleaned_html or ""))

    return keep


def _cleaned(
    page: PeerPage, key_page: bytes | str, prepare: Callable[[bytes], bytes | str], least_pairs: int = 1
) -> Any:  # noqa: ANN401 - deboiler has no types
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it imports cgi, which Python 3.13 removed
        from deboiler import Deboiler
        from deboiler.dataset import ListDataset

    class WithoutLanguages(Deboiler):  # type: ignore[misc]
        @classmethod
        def detect_language(cls, page: object, cleaned_text: str) -> None:
            """Skip language detection: it changes no text, and fails on pages without words."""

    contents = {page.site.key_path: key_page}
    for file in page_files(page.site.pages):
        name = file.relative_to(page.site.pages).as_posix()
        if name not in contents:
            contents[name] = prepare(file.read_bytes())
    page.pages_loaded = len(contents) - 1
    head = {"status": 200, "content_type": "text/html"}
    dataset = ListDataset(
        [{"url": name, "content": each, **head} for name, each in contents.items()], verbose=False
    )
    program = WithoutLanguages(verbose=False, min_occurrence_threshold=least_pairs)
    program.fit(dataset)
    return program.transform_page(page.site.key_path, dataset, include_cleaned_html=True)
