"""Which saved pages stay as they were: nothing goes because an address answers something else for a while."""

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.kinds import SAME_KIND_FROM, SamplePage, similarity
from sitestencil.errors import PageUnavailable
from sitestencil.page.document import Document
from sitestencil.page.words import words
from sitestencil.whole_site.visits import Visit, Visits

_COPY = "its address answers the same as those of other pages"
_LOST = "its address answers without the page's own words"
_SAME_PAGE_FROM = 0.5  # of the own words of its saved text
_NEARLY = 0.8  # of own words
_FEW, _SMALL_PART = 3, 10  # so many, and more than this part of all pages, do not go unasked


class Staying:
    """Judges the answers of a run by what the finished one before it saved."""

    def __init__(self, visits: Visits) -> None:
        self._visits, self._answers, self._why = visits, dict[str, Visit](), dict[str, str]()

    def not_believed(self, pages: Iterable[str]) -> dict[str, str]:
        """Return why answers are not believed, by page, each once.

        A known page may have turned into a copy of another, an empty page, a login or another kind of page. A new
        page with the same answer is not believed either.
        """
        answered = ((page, self._visits.of(page)) for page in pages if page not in self._answers)
        self._answers |= {page: one for page, one in answered if one is not None and one.outcome == "page"}
        shares, own = self._shares(self._answers)
        why = dict[str, str]()
        for page, share in shares.items():
            old, new = self._visits.earlier[page], self._answers[page]
            is_copy = any(other in self._visits.saved for other in own.alike(page))
            if share < _SAME_PAGE_FROM and (reason := _difference(new, old) or (_COPY if is_copy else "")):
                why[page] = reason
        others = self._answers.keys() - self._visits.earlier.keys()
        why |= {page: _COPY for page in others if why and any(other in why for other in own.alike(page))}
        news = {page: reason for page, reason in why.items() if page not in self._why}
        self._why |= news
        return news

    def going(self, pages: Iterable[str]) -> dict[str, str]:
        """Return why saved pages, or all of their own words, go after a run that has these pages."""
        answers = {page: one for page in pages if (one := self._visits.of(page)) is not None}
        found = {page: one for page, one in answers.items() if one.outcome == "page"}
        going = {page: _LOST for page, share in self._shares(found)[0].items() if share <= 1 - _NEARLY}
        for page in self._visits.saved.keys() - found.keys():
            answer = answers.get(page)
            if answer is None:
                going[page] = "nothing leads to it any more"
            else:
                going[page] = answer.detail if answer.outcome == "none" else f"it moved to {answer.detail}"
        return {page: going[page] for page in self._visits.saved if page in going}

    def are_many(self, going: Mapping[str, str]) -> bool:
        """Return whether so many saved pages go that a person has to say that they may."""
        return len(going) >= max(_FEW, len(self._visits.saved) // _SMALL_PART + 1)

    def _shares(self, answers: Mapping[str, Visit]) -> tuple[dict[str, float], "_OwnWords"]:
        """Return the share of own words that each changed page still has, and the own words of all answers."""
        earlier = self._visits.earlier
        olds = {page: earlier[page] for page in answers.keys() & earlier if earlier[page].outcome == "page"}
        changed = {page: old for page, old in olds.items() if old.packed != answers[page].packed}
        if not changed:
            return {}, _OwnWords({})
        now = _OwnWords({page: _shown(one) for page, one in answers.items()})
        saved = {
            page: _without_numbers(self._visits.saved_text(one.url)) for page, one in self._visits.saved.items()
        }
        known = {page: saved.get(page) or _shown(old) for page, old in changed.items()}
        before = _OwnWords(saved | known)
        own = {page: before.own[page] - now.common - {""} for page in changed}
        return {page: len(own[page] & now.own[page]) / len(own[page]) if own[page] else 1 for page in own}, now


class _OwnWords:
    """The `own` words of pages, which are not `common`, on most of them; a page without any has an empty one."""

    def __init__(self, pages: Mapping[str, frozenset[str]]) -> None:
        self._counts = Counter(chain.from_iterable(pages.values()))
        self.common = {word for word, count in self._counts.items() if count > max(1, len(pages) // 2)}
        self.own = {page: found - self.common or frozenset({""}) for page, found in pages.items()}
        self._having = defaultdict[str, list[str]](list)
        for page, found in self.own.items():
            for word in found:
                self._having[word].append(page)

    def alike(self, page: str) -> Iterator[str]:
        """Yield the other pages that have nearly the same own words, some more than once."""
        own = self.own[page]
        # Of its rarest words, each page that is nearly equal has one of so many.
        for word in sorted(own, key=lambda word: (self._counts[word], word))[: len(own) // 5 + 1]:
            for other in self._having[word]:
                both = len(own & self.own[other])
                if other != page and both >= _NEARLY * (len(own) + len(self.own[other]) - both):
                    yield other


def _difference(new: Visit, old: Visit) -> str:
    """Return why an answer with few of a page's words is not believed; empty if it may be the page's new text."""
    try:
        now, before = _sample(new), _sample(old)
        if not shown_words(now.document):
            return "its address answers an empty page"
        if _asks_for_password(now.document) and not _asks_for_password(before.document):
            return "its address asks for a password"
        is_other = similarity(now.paths, before.paths) < SAME_KIND_FROM
    except PageUnavailable as error:
        return str(error)
    return "its address answers another kind of page" if is_other else ""


def shown_words(document: Document) -> list[str]:
    """Return the words of a page's body and of its pictures' texts."""
    body = document.body or 0
    texts = [run.text for run in document.texts if run.parent >= body]
    return words(" ".join([*texts, *(found.get("alt", "") for found in document.attributes)]))


def _shown(visit: Visit) -> frozenset[str]:
    """Return the words of a page without numbers; none if it cannot be read."""
    try:
        return _without_numbers(" ".join(shown_words(_sample(visit).document)))
    except PageUnavailable:
        return frozenset()


def _without_numbers(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if not any(map(str.isdigit, word)))


def _asks_for_password(document: Document) -> bool:
    return any(found.get("type", "").lower() == "password" for found in document.attributes)


def _sample(visit: Visit) -> SamplePage:
    return SamplePage(CrawlPage(visit.url, zlib.decompress(visit.packed), charset=visit.charset))
