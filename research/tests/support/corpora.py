"""Small corpora for the tests of a template's uses."""

from pathlib import Path

from sitestencil_research.uses.corpus import CleanCorpus, CleanPage, CorpusPage, alphanumeric_words


def clean_corpus(*texts: str, detector: str = "test") -> CleanCorpus:
    return CleanCorpus(detector, tuple(CleanPage(tuple(alphanumeric_words(text)), len(text)) for text in texts))


def corpus_pages(*facts: tuple[str, str, str]) -> list[CorpusPage]:
    return [
        CorpusPage(f"{site}-{n}", Path(site), f"http://{site}.test/", b"", label, article)
        for n, (site, label, article) in enumerate(facts)
    ]
