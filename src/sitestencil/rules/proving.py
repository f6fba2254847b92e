"""Prove rules on pages: what of the words that they should leave is left, and what else."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from operator import attrgetter, or_
from statistics import fmean, mean

from sitestencil.rules.rule_set import GOOD_FROM, Purpose, Rule, RuleSet, figures
from sitestencil.rules.site_pages import KindPage

_MOST_LEFT = 100
MOST_LOST_OF_PAGE = 0.05

Pages = Sequence[KindPage]
Spared = Callable[[KindPage], int]  # the words of a page that rules leave


def content_of(what: Purpose, page: KindPage) -> int:
    """Return the words of a page that rules should leave."""
    return page.content if what == "strip" else page.main


def on_page(
    what: Purpose, selectors: Iterable[str], without: Iterable[str], page: KindPage
) -> tuple[float, float, float]:
    """Return recall, precision and F1 of the words of a page that rules to strip, or to keep, leave."""
    return figures(_left(what, selectors, without, page), content_of(what, page))


def _left(what: Purpose, selectors: Iterable[str], without: Iterable[str], page: KindPage) -> int:
    covered = union(page, selectors)
    return (page.words & ~page.values & ~covered if what == "strip" else covered) & ~union(page, without)


def template_left(what: Purpose, selectors: Sequence[str], without: Sequence[str], pages: Pages) -> list[str]:
    """Return the texts of the template that rules leave on most pages, cut, and not more than a few."""
    left = [(page, _left(what, selectors, without, page) & ~page.values) for page in pages]
    counts = Counter(text for page, words in left for text in page.template_in(words))
    return [text for text, count in counts.most_common(_MOST_LEFT) if 2 * count > len(pages)]


def union(page: KindPage, selectors: Iterable[str]) -> int:
    """Return the words in the elements that any of some selectors matches."""
    return reduce(or_, map(page.words_of, selectors), 0)


def proved(what: Purpose, selectors: Sequence[str], without: Sequence[str], pages: Pages) -> RuleSet:
    """Return rules with the proof of some pages."""
    of_pages = [on_page(what, selectors, without, page) for page in pages]
    columns = [*zip(*of_pages, strict=True), [float(one[0] < 1 - MOST_LOST_OF_PAGE) for one in of_pages]]
    weights = [page.weight for page in pages]
    recall, precision, f1, lossy = (round(fmean(column, weights), 4) for column in columns)
    why = "" if selectors else "no selector is the same on its pages"
    if not why and min(recall, precision) < GOOD_FROM:
        few = "of the content is left" if recall <= precision else "of what is left is content"
        why = f"on {len(pages)} pages held out, {min(recall, precision):.3f} {few}, less than {GOOD_FROM}"
    rules = tuple(_proof(what, selector, pages) for selector in selectors)
    left_out = tuple(_proof("strip", selector, pages) for selector in without)
    left = tuple(template_left(what, selectors, without, pages))
    return RuleSet(rules, left_out, len(pages), recall, precision, f1, lossy, why, left)


def _proof(what: Purpose, selector: str, pages: Pages) -> Rule:
    matched = [page for page in pages if page.words_of(selector)]
    recalls = [on_page(what, [selector], [], page)[0] for page in matched]
    content = share(selector, matched, partial(content_of, what))
    precision = 1 - content if what == "strip" or not matched else content
    return Rule(selector, len(matched), round(mean(recalls or [1.0]), 4), round(precision, 4))


def count(selector: str, pages: Pages, words: Iterable[int]) -> float:
    """Return the number of some words of pages that a selector matches, by the weight of the pages."""
    of_pages = zip(pages, words, strict=True)
    return sum(page.weight * (page.words_of(selector) & of_page).bit_count() for page, of_page in of_pages)


def share(selector: str, pages: Pages, words: Spared, of: str = "words") -> float:
    """Return the share of some words in all that a selector matches on pages; 0 of none."""
    part, whole = (count(selector, pages, map(one, pages)) for one in (words, attrgetter(of)))
    return part / whole if whole else 0.0
