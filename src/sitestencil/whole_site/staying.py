"""Which saved pages stay as they were: nothing goes because an address answers something else for a while."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from sitestencil.crawl.kinds import SAME_KIND_FROM, similarity
from sitestencil.errors import PageUnavailable
from sitestencil.page.document import Document
from sitestencil.page.words import words
from sitestencil.site.links import page_in_site
from sitestencil.whole_site.visits import Visit, Visits

_COPY = "its address answers the same as those of other pages"
_FAILED = "its address answers an error"
_LOST = "its address answers without most of the page's own words"
STUB = "its address answers without nearly all of the page's own words; --remove takes that over"
_SAME_PAGE_FROM = 0.5  # of the own words of its saved text
_NEARLY = 0.8  # of own words
_MORE_ALIKE = 0.1
_MOST_MOVES = 16
_LEAST_OWN = 5  # own words that tell whether a page is still there; with fewer all of its words do
_SHORT = 30  # words of an error
_MUCH = 30  # different words: a page that had as many turned into something else if nearly all are lost
_ERROR = re.compile(
    r"\b404\b|(?:\b(?:can)?not|n\Wt) (?:be f[io]u?nd|f[io]u?nd|exist)|(?:went|gone) wrong|try again|an error|sorry|"
    r"oops|unavailable|no(?:t| longer) available|no longer (?:exists?|here|online)|nicht (?:gefunden|verfügbar)|"
    r"existiert nicht|fehler|introuvable|n\Wexiste|erreur|no se (?:ha )?enc[ou]|no existe|lo sentimos|"
    r"não encontrad|non trovat|stata trovata|niet gevonden|не найден|не существует|nie znalezion|"
    r"見つかりません|找不到|不存在",
    re.IGNORECASE,
)
_FEW, _SMALL_PART = 3, 10  # so many, and more than this part of all pages, do not go unasked


class Staying:
    """Judges the answers of a run by what the finished one before it saved; with `remove` they may lose words."""

    def __init__(self, visits: Visits, *, remove: bool = False) -> None:
        self.visits, self._remove = visits, remove
        self._answers, self._why = dict[str, Visit](), dict[str, str]()

    def not_believed(self, pages: Iterable[str]) -> dict[str, str]:
        """Return why answers are not believed, by page, each once.

        A known page may have turned into a copy of another, an empty page, a login or another kind of page, or lost
        nearly all of its words. A new page with the same answer is not believed either.
        """
        found = ((page, self._answer(page)) for page in pages if page not in self._answers)
        answered = {page: one for page, one in found if one is not None}
        self._answers |= {page: one for page, one in answered.items() if one.outcome == "page"}
        losses, own = self._losses(self._answers)
        lost = ((page, one) for page, one in answered.items() if one.outcome == "none" and not one.is_gone)
        why = {page: f"it moved to {one.url}, which gives no page" for page, one in lost if one.page != page}
        for page, loss in losses.items():
            old, new = self.visits.earlier[page], self._answers[page]
            reason = _difference(new, old) if loss.share < _SAME_PAGE_FROM else ""
            if reason := reason or (_COPY if loss.is_copy else STUB if self._is_stub(page, loss) else ""):
                why[page] = reason
        others = self._answers.keys() - self.visits.earlier.keys()
        why |= {page: _COPY for page in others if why and any(other in why for other in own.alike(page))}
        news = {page: reason for page, reason in why.items() if page not in self._why}
        self._why |= news
        return news

    def _is_stub(self, page: str, loss: "_Loss") -> bool:
        """Return whether a page lost nearly all of its words, which were many, and got few new ones, unasked."""
        if self._remove or page not in self.visits.saved or not loss.is_nearly_all or loss.size >= _SAME_PAGE_FROM:
            return False
        had = words(self.visits.saved_text(self.visits.saved[page].url))
        return len({*had}.difference(shown_words(self._answers[page].sample().document))) >= _MUCH

    def _answer(self, page: str) -> Visit | None:
        """Return the answer at an address; for a saved page that moved to a new one, the answer there."""
        visit = self.visits.of(page)
        for _ in range(_MOST_MOVES if page in self.visits.saved else 0):
            if visit is None or visit.outcome != "moved":
                break
            target = page_in_site(visit.detail, visit.url)
            if target in self.visits.earlier:
                break
            visit = self.visits.of(target)
        return visit

    def going(self, pages: Iterable[str]) -> dict[str, str]:
        """Return why saved pages, or all of their own words, go after a run that has these pages."""
        answers = {page: one for page in pages if (one := self.visits.of(page)) is not None}
        found = {page: one for page, one in answers.items() if one.outcome == "page"}
        going = {page: _LOST for page, loss in self._losses(found)[0].items() if loss.is_heavy}
        for page in self.visits.saved.keys() - found.keys():
            answer = answers.get(page)
            if answer is None:
                going[page] = "nothing leads to it any more"
            else:
                going[page] = answer.detail if answer.outcome == "none" else f"it moved to {answer.detail}"
        return {page: going[page] for page in self.visits.saved if page in going}

    def are_many(self, going: Mapping[str, str]) -> bool:
        """Return whether so many saved pages go that a person has to say that they may."""
        return len(going) >= max(_FEW, len(self.visits.saved) // _SMALL_PART + 1)

    def _losses(self, answers: Mapping[str, Visit]) -> tuple[dict[str, "_Loss"], "_OwnWords"]:
        """Return what each changed page lost, and the own words of all answers."""
        earlier = self.visits.earlier
        olds = {page: earlier[page] for page in answers.keys() & earlier if earlier[page].outcome == "page"}
        changed = {page: old for page, old in olds.items() if old.packed != answers[page].packed}
        if not changed:
            return {}, _OwnWords({})
        saved = {page: _without_numbers(self.visits.saved_text(one.url)) for page, one in self.visits.saved.items()}
        known = {page: saved.get(page) or _shown(old) for page, old in changed.items()}
        now, before = _OwnWords({page: _shown(one) for page, one in answers.items()}), _OwnWords(saved | known)
        copies = _Copies(answers, self.visits, now, before)

        def loss(page: str) -> _Loss:
            had, has = before.own[page] - now.common - {""}, now.own[page]
            if len(had) < _LEAST_OWN:
                had, has = known[page], now.all[page]
            share = len(had & has) / len(had) if had else 1.0
            is_copy = copies.has(page, is_same=share >= _SAME_PAGE_FROM)
            # What the page showed before, outside of its saved text, is no news.
            come = has - had - copies.earlier_words(page) if share < _SAME_PAGE_FROM else ()
            return _Loss(share, share + len(come) / max(1, len(had)), is_copy)

        return {page: loss(page) for page in changed}, now


class _Loss(NamedTuple):
    """The `share` of its words that a page still has, its `size` with new ones, and whether it is a copy now."""

    share: float
    size: float
    is_copy: bool

    @property
    def is_nearly_all(self) -> bool:
        """Whether nearly all words are lost."""
        return self.share <= 1 - _NEARLY

    @property
    def is_heavy(self) -> bool:
        """Whether nearly all words are lost, or most of them without new ones."""
        return self.is_nearly_all or self.size < _SAME_PAGE_FROM


class _Copies:
    """Judges whether changed pages turned into copies of other saved ones."""

    def __init__(self, answers: Mapping[str, Visit], visits: Visits, now: "_OwnWords", before: "_OwnWords") -> None:
        self._answers, self._visits, self._now, self._before = answers, visits, now, before
        self._shown: dict[str, frozenset[str]] = {}
        self._equal = defaultdict[bytes, list[str]](list)
        for page, one in answers.items():
            self._equal[one.packed].append(page)

    def has(self, page: str, *, is_same: bool) -> bool:
        """Return whether a page is a copy now; one that `is_same` has most of its words, as others may have."""
        new, earlier, saved = self._answers[page], self._visits.earlier, self._visits.saved
        equal = (
            one for one in self._equal[new.packed] if one in saved and earlier[one].packed != earlier[page].packed
        )
        others = chain(equal, self._newly_alike(page) if is_same else self._now.alike(page))
        # Two pages may move to one.
        return any(one in saved and self._answers[one] is not new for one in others)

    def _newly_alike(self, page: str) -> Iterator[str]:
        """Yield the pages that have nearly the same words, own and all, and had not before."""
        now, before = self._now, self._before
        had_none = "" in before.own[page]
        known = before.without if had_none else {*before.alike(page)}
        others = now.without - known if had_none and page in now.without else now.alike(page)
        for one in others:
            if one in known or (likeness := _likeness(now.all[page], now.all[one])) < _NEARLY:
                continue
            # A notice on all pages makes each pair of them a little more alike.
            if (
                one not in self._visits.earlier
                or likeness - _likeness(*map(self.earlier_words, (page, one))) > _MORE_ALIKE
            ):
                yield one

    def earlier_words(self, page: str) -> frozenset[str]:
        """Return the words that a page showed in the finished run."""
        if page not in self._shown:
            self._shown[page] = _shown(self._visits.earlier[page])
        return self._shown[page]


class _OwnWords:
    """The `own` words of pages, which are not `common`, on most of them; a page without any has an empty one."""

    def __init__(self, pages: Mapping[str, frozenset[str]]) -> None:
        self.all = pages
        self._counts = Counter(chain.from_iterable(pages.values()))
        self.common = {word for word, count in self._counts.items() if count > max(1, len(pages) // 2)}
        self.own = {page: found - self.common or frozenset({""}) for page, found in pages.items()}
        self._having = defaultdict[str, list[str]](list)
        for page, found in self.own.items():
            for word in found:
                self._having[word].append(page)
        self.without = {*self._having[""]}

    def alike(self, page: str) -> Iterator[str]:
        """Yield the other pages that have nearly the same own words, some more than once."""
        own, seen = self.own[page], {page}
        # Of its rarest words, each page that is nearly equal has one of so many.
        for word in sorted(own, key=lambda word: (self._counts[word], word))[: len(own) // 5 + 1]:
            for other in self._having[word]:
                if other not in seen:
                    seen.add(other)
                    if _are_alike(own, self.own[other]):
                        yield other


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return _likeness(one, other) >= _NEARLY


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    both = len(one & other)
    return both / ((len(one) + len(other) - both) or 1)


def _difference(new: Visit, old: Visit) -> str:
    """Return why an answer with few of a page's words is not believed; empty if it may be the page's new text."""
    try:
        now, before = new.sample(), old.sample()
        if not shown_words(now.document):
            return "its address answers an empty page"
        if _asks_for_password(now.document) and not _asks_for_password(before.document):
            return "its address asks for a password"
        if similarity(now.paths, before.paths) < SAME_KIND_FROM:
            return "its address answers another kind of page"
    except PageUnavailable as error:
        return str(error)
    come, went = _news(now.document, before.document), _news(before.document, now.document)
    is_short = len(words(come)) <= max(_SHORT, len(words(went)) // 3)
    return _FAILED if is_short and _ERROR.search(come) and not _ERROR.search(went) else ""


def _news(document: Document, other: Document) -> str:
    """Return the texts of a page that another one does not have."""
    known = {run.text for run in other.texts}
    return " ".join(run.text for run in document.texts if run.text not in known)


def shown_words(document: Document) -> list[str]:
    """Return the words of a page's body and of its pictures' texts."""
    body = document.body or 0
    texts = [run.text for run in document.texts if run.parent >= body]
    return words(" ".join([*texts, *(found.get("alt", "") for found in document.attributes)]))


def _shown(visit: Visit) -> frozenset[str]:
    """Return the words of a page without numbers; none if it cannot be read."""
    try:
        return _without_numbers(" ".join(shown_words(visit.sample().document)))
    except PageUnavailable:
        return frozenset()


def _without_numbers(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if not any(map(str.isdigit, word)))


def _asks_for_password(document: Document) -> bool:
    return any(found.get("type", "").lower() == "password" for found in document.attributes)
