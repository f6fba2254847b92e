"""Learn a kind's rules from half of its pages by greedy set cover, and prove them on the other half.

`docs/methods/learned.md` has the method, and the papers that it stands on.
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from statistics import fmean, mean

from sitestencil.rules.proving import MOST_LOST_OF_PAGE, Pages, Spared, count, proved, share, union
from sitestencil.rules.rule_set import GOOD_FROM, RuleSet, figures
from sitestencil.rules.site_pages import KindPage
from sitestencil.selectors.candidates import WEAK, By, candidates, is_positional, quality, stem_of
from sitestencil.selectors.matching import topmost

# Chosen on the open sites (docs/methods/learned.md).
_MOST_LOST = 0.01  # of a page's content
_MOST_HARMED = 0.05  # of the pages that a rule matches, by their weight: a page may be misjudged
_MOST_WRONG, _MOST_VALUES = 0.2, 0.5  # of all words that a rule removes
_MOST_MIXED = 0.1  # of the words of an element that counts as all template
_LEAST_GAIN, _LEAST_WEAK_GAIN = 0.002, 0.02  # of all words to remove
_LEAST_F1_GAIN = 0.004
_TIGHT = 0.1  # weight of a place's F1 before anything is stripped from it, and of its selector
_LEAST_MAIN = 0.3  # F1 of an element that may be the content's place
_MOST_PLACES = 3  # of a page, in which a name may be
_MOST_RULES, _MOST_ROUNDS = 40, 12
_NESTED, _DEEP = 3, 30
_PHASES: Sequence[tuple[int, By]] = ((_NESTED, "names"), (_DEEP, "names"), (_DEEP, "chains"), (_DEEP, "positions"))
_PLACES: Sequence[By] = ("names", "positions")
_MOST_TRIED = 50

Masks = Sequence[int]


def halves(pages: Pages) -> tuple[list[KindPage], list[KindPage]]:
    """Return the pages to learn from, and those to prove rules with."""
    return list(pages[::2]), list(pages[1::2])


def strip_rules(learn: Pages, prove: Pages, scoped: Sequence[str] | None = None) -> RuleSet:
    """Return rules that remove the template; for all kinds, if some scoped to one are given for what these leave.

    Rules for all kinds stand on names that no content has, for pages of more kinds will come.
    """
    found = _removing(learn, prove, [page.words & ~page.values for page in learn], _content, scoped)
    return proved("strip", found, [], prove)


def _content(page: KindPage) -> int:
    # A value in the template's place, such as a title, may be main content, too.
    return page.content | (page.values & page.main)


def keep_rules(learn: Pages, prove: Pages, strip: Sequence[str]) -> RuleSet:
    """Return rules that keep the main content, with those of the rules that strip, and others, that it needs."""
    include = _without_harmful(_including(learn, strip), prove, strip)
    kept = [union(page, include) & ~union(page, strip) for page in learn]
    more = _removing(learn, prove, kept, lambda page: page.main)
    used = [one for one in strip if any(union(page, include) & page.words_of(one) for page in (*learn, *prove))]
    return proved("keep", include, list(dict.fromkeys([*used, *more])), prove)


def _removing(
    learn: Pages,
    prove: Pages,
    within: Masks,
    spared: Spared,
    scoped: Sequence[str] | None = None,
) -> list[str]:
    """Return selectors of most words within some that are not spared; none takes spared words of many pages."""
    left = wanted = [inside & ~spared(page) for page, inside in zip(learn, within, strict=True)]
    sizes = [page.weight * words.bit_count() for page, words in zip(learn, wanted, strict=True)]
    least, pages = [max(2.0, share * sum(sizes)) for share in (_LEAST_GAIN, _LEAST_WEAK_GAIN)], [*learn, *prove]
    found, harmful = list[str](), set[str]()
    # Elements inside those that are pure on most pages, long selectors, and positions, come last.
    for nested, by in _PHASES:
        for _ in range(_MOST_ROUNDS):
            pure = [_pure(page, words, spared(page), nested) for page, words in zip(learn, left, strict=True)]
            ranked = candidates([page.document for page in learn], pure, by=by, without=harmful)
            wrong = {one for one in ranked if _is_wrong(one, learn, spared)}
            chosen = _cover(learn, [one for one in ranked if one not in wrong], left, least)
            # What harms a page held out is left out, and others take its place.
            wrong.update(one for one in chosen if _is_wrong(one, prove, spared))
            wrong.update(one for one in chosen if scoped is not None and _is_nameless(one, pages))
            found += [one for one in chosen if one not in wrong]
            left = [words & ~union(page, found) for page, words in zip(learn, wanted, strict=True)]
            harmful |= wrong
            if not (wrong or chosen):
                break
    found += _cover(learn, [one for one in scoped or () if not _is_wrong(one, pages, spared)], left, least)
    return _together(found, pages, spared)


def _together(selectors: Iterable[str], pages: Pages, spared: Spared) -> list[str]:
    """Leave out the selectors that take too much of many pages together with those before them."""
    found, lost, weights = list[str](), [0] * len(pages), [page.weight for page in pages]
    for selector in selectors:
        now = [words | (page.words_of(selector) & spared(page)) for page, words in zip(pages, lost, strict=True)]
        sizes = [(words.bit_count(), spared(page).bit_count()) for page, words in zip(pages, now, strict=True)]
        if fmean([size > MOST_LOST_OF_PAGE * whole for size, whole in sizes], weights) <= _MOST_HARMED:
            found.append(selector)
            lost = now
    return found


def _pure(page: KindPage, wanted: int, spared: int, nested: int) -> dict[int, int]:
    """Return the elements of a page whose words are nearly all wanted, with their words; so many in each other."""
    pure, depth, document = dict[int, int](), dict[int, int](), page.document
    for element in range(document.body or 0, len(document)):
        level = depth.get(document.parents[element], 0)
        words = page.words_in(element) if level < nested else 0
        size = (words & wanted).bit_count()
        is_pure = size > 0 and (words & spared).bit_count() <= _MOST_MIXED * size
        if is_pure:
            pure[element] = size
        # An element that is not pure begins anew, unless enough around it are.
        depth[element] = level if level >= nested else (level + 1 if is_pure else 0)
    return pure


def harms(selector: str, page: KindPage, spared: int) -> bool:
    """Return whether a selector matches more than a hundredth of the words, or of the media, to spare on a page."""
    taken = page.words_of(selector) & spared
    kinds = (page.media, page.words & ~page.media)
    return any((taken & kind).bit_count() > _MOST_LOST * (spared & kind).bit_count() for kind in kinds)


def _is_wrong(selector: str, pages: Pages, spared: Spared) -> bool:
    """Return whether a selector takes too much of what to spare: on many pages, or of all that it matches."""
    matched = [page for page in pages if page.words_of(selector)]
    is_much = share(selector, matched, spared) > _MOST_WRONG
    is_much |= share(selector, matched, attrgetter("values")) > _MOST_VALUES
    is_much |= share(selector, matched, lambda page: page.values & page.media, "media") > _MOST_WRONG
    harmed = sum(page.weight for page in matched if harms(selector, page, spared(page)))
    most = 0.0 if quality(selector) <= WEAK else _MOST_HARMED
    return is_much or harmed > most * sum(page.weight for page in matched)


def _is_nameless(selector: str, pages: Pages) -> bool:
    """Return whether a selector takes the frame by a tag alone: what it names is in the main content, too."""
    stem = stem_of(selector)
    return stem != selector and (not stem or _is_wrong(stem, pages, attrgetter("main")))


def _cover(pages: Pages, ranked: Sequence[str], left: Masks, least: Sequence[float]) -> list[str]:
    """Return the selectors that cover most of the words left, in the order of their gain; weak ones come last."""
    chosen, worth = list[str](), {one: worth_of(one, pages) for one in ranked}
    while len(chosen) < _MOST_RULES:
        gains = {one: count(one, pages, left) for one in ranked}
        # A gain only falls, so what gains too little now is never needed.
        ranked = [one for one, gain in gains.items() if gain >= least[worth[one] <= WEAK]]
        if not ranked:
            break
        chosen.append(max(ranked, key=lambda one: (worth[one] > WEAK, gains[one] * worth[one])))
        left = [words & ~page.words_of(chosen[-1]) for page, words in zip(pages, left, strict=True)]
    return chosen


def worth_of(selector: str, pages: Pages) -> float:
    """Return the quality of a selector on pages; one of a look or a position is weak.

    A look is in many places of a page. A position is a class that some of siblings of one form have.
    """
    places = positions = count = 0
    for page in pages:
        matched, document = {*page.matched(selector)}, page.document
        parents = {document.parents[one] for one in matched}
        count += bool(matched)
        places += len(parents)
        forms = {(document.tags[one], name) for one in matched for name in document.classes[one]}
        others = (one for parent in parents for one in document.children[parent] if one not in matched)
        positions += any((document.tags[one], name) in forms for one in others for name in document.classes[one])
    is_name = places <= _MOST_PLACES * count and ("#" in selector or 2 * positions <= count)
    return quality(selector) if is_name else min(quality(selector), WEAK)


def _f1(pages: Pages, kept: Masks, strip: Iterable[str]) -> float:
    stripped = (union(page, strip) for page in pages)
    return mean(figures(words & ~out, page.main)[2] for page, words, out in zip(pages, kept, stripped, strict=True))


def _including(pages: Pages, strip: Sequence[str]) -> list[str]:
    """Return the selectors whose words, without those stripped, have the highest F1 as main content."""
    places = [_places(page) for page in pages]
    chosen, best_f1 = list[str](), 0.0

    def gain(selector: str) -> float:
        tight = _f1(pages, [page.words_of(selector) for page in pages], ())
        return _f1(pages, with_one(selector), strip) + _TIGHT * (tight + quality(selector))

    def with_one(selector: str) -> Masks:
        return [words | page.words_of(selector) for page, words in zip(pages, kept, strict=True)]

    kept: Masks = [0] * len(pages)
    for by in _PLACES:
        ranked = candidates([page.document for page in pages], places, by=by)
        while len(chosen) < _MOST_RULES:
            # Text that lies in two matches would be printed twice.
            by_gain = sorted(ranked, key=gain, reverse=True)[:_MOST_TRIED]
            best = next((one for one in by_gain if _is_apart([*chosen, one], pages)), None)
            f1 = _f1(pages, with_one(best), strip) if best else 0.0
            if not best or f1 < best_f1 + _LEAST_F1_GAIN or (is_positional(best) and best_f1 >= GOOD_FROM):
                break
            chosen.append(best)
            kept, best_f1 = with_one(best), f1
    return chosen


def _is_apart(selectors: Sequence[str], pages: Pages) -> bool:
    """Return whether no match of selectors lies in another."""
    matched = ((page, sorted({one for each in selectors for one in page.selected(each)})) for page in pages)
    return all([*topmost(page.document, found)] == found for page, found in matched)


def _without_harmful(selectors: list[str], pages: Pages, strip: Sequence[str]) -> list[str]:
    """Leave out the rules without which pages held out have a higher F1."""
    for selector in reversed(selectors):
        rest = [one for one in selectors if one != selector]
        f1_rest, f1 = (_f1(pages, [union(page, given) for page in pages], strip) for given in (rest, selectors))
        selectors = rest if f1_rest > f1 else selectors
    return selectors


def _places(page: KindPage) -> dict[int, int]:
    """Return the elements that hold much of the main content, or only that."""
    places: dict[int, int] = {}
    for element in range(page.document.body or 0, len(page.document)):
        words = page.words_in(element)
        right = (words & page.main).bit_count()
        is_pure = words == words & page.main and 10 * right >= page.main.bit_count()
        if right and (is_pure or figures(words, page.main)[2] >= _LEAST_MAIN):
            places[element] = right
    return places
