"""Which saved pages stay as they were: nothing goes because an address answers something else for a while."""

import zlib
from collections import defaultdict
from collections.abc import Iterable

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.kinds import SAME_KIND_FROM, SamplePage, similarity
from sitestencil.errors import PageUnavailable
from sitestencil.page.document import Document
from sitestencil.page.words import words
from sitestencil.whole_site.visits import Visit, Visits

_COPY = "its address answers the same as those of other pages"
_SAME_PAGE_FROM = 0.5  # of the words of its saved text
_FEW, _SMALL_PART = 3, 10  # so many, and more than this part of all pages, do not go unasked


class Staying:
    """Judges the answers of a run by what the finished one before it saved."""

    def __init__(self, visits: Visits) -> None:
        self._visits, self._refused = visits, set[bytes]()

    def not_believed(self, pages: Iterable[str]) -> dict[str, str]:
        """Return why answers are not believed, by page.

        A known page may have turned into a copy of another, an empty page, a login or another kind of page. A new
        page with the same answer is not believed either.
        """
        same = defaultdict[bytes, list[str]](list)
        for page in pages:
            if (answer := self._visits.of(page)) is not None and answer.outcome == "page":
                same[answer.packed].append(page)
        why: dict[str, str] = {}
        for packed, alike in same.items():
            judged = {page: found for page in alike if (found := self._judged(page)) is not None}
            saved = [page for page in judged if page in self._visits.saved]
            own = max(saved, key=lambda page: judged[page][0], default="")
            for page, (share, reason) in judged.items():
                is_own = page not in saved or (page == own and (share >= _SAME_PAGE_FROM or len(saved) == 1))
                if reason or (share < 1 and (not is_own or packed in self._refused)):
                    why[page] = reason or _COPY
            if packed in self._refused or (saved and why.keys() >= set(saved)):
                self._refused.add(packed)
                why |= dict.fromkeys(set(alike) - judged.keys(), _COPY)
        return why

    def _judged(self, page: str) -> tuple[float, str] | None:
        """Return the share of a known page's words that its answer has, 1 if it is unchanged, and what is wrong."""
        old, new = self._visits.earlier.get(page), self._visits.of(page)
        if old is None or new is None or old.outcome != "page":
            return None
        if new.packed == old.packed:
            return 1.0, ""
        try:
            now, before = _sample(new), _sample(old)
            shown, text = set(shown_words(now.document)), self._visits.saved_text(old.url)
            known = set(words(text)) if text else set(shown_words(before.document))
            share = 0.99 * (len(known & shown) / len(known) if known else 1)
            return share, "" if shown and share >= _SAME_PAGE_FROM else _difference(now, before)
        except PageUnavailable as error:
            return 0.0, str(error)


def _difference(now: SamplePage, before: SamplePage) -> str:
    """Return why an answer with few of a page's words is not believed; empty if it may be the page's new text."""
    if not shown_words(now.document):
        return "its address answers an empty page"
    if _asks_for_password(now.document) and not _asks_for_password(before.document):
        return "its address asks for a password"
    is_other = similarity(now.paths, before.paths) < SAME_KIND_FROM
    return "its address answers another kind of page" if is_other else ""


def many_that_go(visits: Visits, pages: Iterable[str]) -> dict[str, str]:
    """Return why saved pages would go after a run that has these pages; none if they are so few that they may."""
    kept, going = set(pages), dict[str, str]()
    for page in visits.saved:
        answer = visits.of(page) if page in kept else None
        if answer is None:
            going[page] = "nothing leads to it any more"
        elif answer.outcome != "page":
            going[page] = answer.detail if answer.outcome == "none" else f"it moved to {answer.detail}"
    return going if len(going) >= max(_FEW, len(visits.saved) // _SMALL_PART + 1) else {}


def shown_words(document: Document) -> list[str]:
    """Return the words of a page's body and of its pictures' texts."""
    body = document.body or 0
    texts = [run.text for run in document.texts if run.parent >= body]
    return words(" ".join([*texts, *(found.get("alt", "") for found in document.attributes)]))


def _asks_for_password(document: Document) -> bool:
    return any(found.get("type", "").lower() == "password" for found in document.attributes)


def _sample(visit: Visit) -> SamplePage:
    return SamplePage(CrawlPage(visit.url, zlib.decompress(visit.packed), charset=visit.charset))
