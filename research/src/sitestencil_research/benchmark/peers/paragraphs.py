"""Adapt jusText. Its good and bad paragraphs are both returned, so that none is matched in a wrong place."""

import justext

from sitestencil_research.benchmark.peers.matching import KeptText
from sitestencil_research.benchmark.peers.page import PeerPage

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


def defaults(page: PeerPage) -> KeptText:
    """Return the good paragraphs by English stop words, as in jusText's documentation."""
    return _good(page, justext.get_stoplist("English"))


def own_language(page: PeerPage) -> KeptText:
    """Return the good paragraphs by the stop words of the page's declared language."""
    declared = page.document.attributes[0].get("lang", "").partition("-")[0].lower()
    if declared in {"zh", "ja", "ko", "th"}:
        return any_language(page)
    return _good(page, justext.get_stoplist(_LANGUAGES.get(declared, "English")))


def any_language(page: PeerPage) -> KeptText:
    """Return the good paragraphs without stop words, as jusText's documentation advises for other languages."""
    return _good(page, frozenset(), stopwords_low=0, stopwords_high=0)


def _good(page: PeerPage, stop_words: frozenset[str], **options: float) -> KeptText:
    paragraphs = justext.justext(page.raw, stop_words, **options)
    return KeptText([(paragraph.text, not paragraph.is_boilerplate) for paragraph in paragraphs])
