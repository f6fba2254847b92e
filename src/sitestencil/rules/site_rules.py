"""Learn the rules of a site, and check them on pages that came later."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace

from sitestencil.crawl.limits import TimeIsUp, page_limits
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import MAPPING_FITS_FROM, LearnedTemplate
from sitestencil.errors import OutOfMemory, PageUnavailable, UnusableRules
from sitestencil.page.document import Document
from sitestencil.page.words import words
from sitestencil.rules.feeds import feed_of
from sitestencil.rules.fields import field_selectors
from sitestencil.rules.learning import halves, harms, keep_rules, strip_rules
from sitestencil.rules.proving import MOST_LOST_OF_PAGE, content_of, on_page, template_left, union
from sitestencil.rules.rule_set import KindRules, Purpose, RuleSet, SiteRules
from sitestencil.rules.site_pages import (
    LEARNING_SECONDS,
    LEAST_OF_KIND,
    Kind,
    KindPage,
    Report,
    SitePages,
    kinds_of,
    mark_values,
)
from sitestencil.selectors.candidates import candidates
from sitestencil.selectors.element_selectors import lasting, lasting_names
from sitestencil.urls import directories, directory, host, site_host

_OF_EACH, _OF_ALL = 8, 60  # pages that rules for all kinds are learned from: the least of each kind, and of all
_EXAMPLES = 3
_MOST_MORE = 2  # words of the template that rules may newly leave on most pages
_MOST_MARKS = 20
_OWN_ADDRESS = ('link[rel="canonical"][href', 'meta[property="og:url"][content')
_KEPT_PATHS, _NEAR = 64, 0.3
_MORE_LOSSY = 0.1  # of the pages, than of those that proved the rules


def site_rules(site: SitePages, report: Report = lambda *_: None) -> SiteRules:
    """Return the rules of each kind of a site's pages, those of most pages first, and those of all kinds."""
    kinds, rules, samples = kinds_of(site), list[KindRules](), list[Sequence[KindPage]]()
    for kind in kinds:
        report(len(rules), len(kinds))
        pages = kind.read()
        rules.append(_kind_rules(kind, pages))
        samples.append(pages[: max(_OF_EACH, _OF_ALL * len(kind.pages) // len(site.pages))])
        for page in samples[-1]:
            page.weight = len(kind.pages) / len(samples[-1])
    scoped = list[str]()
    for number, of_kind in enumerate(rules):
        others = [page for at, pages in enumerate(samples) for page in pages if at != number]
        mark = _mark(samples[number], others) if of_kind.good_sets() and others else ""
        if (keep := of_kind.good("keep")) and any(union(page, keep.selectors) for page in others):
            rules[number] = replace(of_kind, mark=mark)
        if (strip := of_kind.good("strip")) and mark.startswith("body."):
            scoped += [f"{mark} {one}" for one in strip.selectors if not one.startswith("body")]
    articles = next((kind.pages for kind, one in zip(kinds, rules, strict=True) if one.good("keep")), [])
    feed = feed_of([page for pages in samples for page in pages], [page.url for page in articles])
    near = [page for kind in kinds for page in kind.read_near()]
    strip = _site_strip([*samples, near], scoped)
    return SiteRules(site.site, tuple(rules), len(site.pages), site.left_out, strip, feed)


def _mark(pages: Sequence[KindPage], others: Sequence[KindPage]) -> str:
    """Return a selector that pages of a kind match, and no others; empty without one."""
    documents = [page.document for page in pages]
    names = Counter(name for one in documents for name in lasting_names(one.classes[one.body or 0]))
    marks = [f"body.{name}" for name, count in names.most_common(_MOST_MARKS) if count == len(pages)]
    # The address that a page states: rules for single pages could name it no other way.
    shared = set[str].intersection(*({*directories(one.url)[1:]} for one in documents)) if documents else ()
    marks += [f'{own}*="/{name}/"]' for own in _OWN_ADDRESS for name in sorted(filter(lasting, shared))]
    marks += candidates(documents, [dict.fromkeys(range(len(one)), 1) for one in documents])
    of_all = (one for one in marks if all(page.selected(one) for page in pages))
    return next((one for one in of_all if not any(page.selected(one) for page in others)), "")


def _site_strip(samples: Sequence[Sequence[KindPage]], scoped: Sequence[str]) -> RuleSet | None:
    """Return the rules that strip the template of all kinds, and those scoped to one; None if it takes too much."""
    if not any(len(pages) >= LEAST_OF_KIND for pages in samples):
        return None
    learn, prove = ([page for pages in samples for page in halves(pages)[half]] for half in (0, 1))
    with suppress(TimeIsUp, OutOfMemory), page_limits(LEARNING_SECONDS):
        return strip_rules(learn, prove, scoped)
    return None


def _kind_rules(kind: Kind, pages: Sequence[KindPage]) -> KindRules:
    examples = tuple(page.url for page in kind.pages[:_EXAMPLES])
    empty = KindRules(kind.group.id, len(kind.pages), examples, paths=_least_paths(kind))
    if len(pages) < LEAST_OF_KIND:
        return replace(empty, why=f"it has fewer than {LEAST_OF_KIND} pages that can be read")
    learn, prove = halves(pages)
    try:
        with page_limits(LEARNING_SECONDS):
            strip = strip_rules(learn, prove)
            keep = keep_rules(learn, prove, strip.selectors)
            return replace(empty, strip=strip, keep=keep, fields=field_selectors(learn, prove))
    except (TimeIsUp, OutOfMemory):
        return replace(empty, why="to learn them takes too much time or memory")


def rules_of_pages(key: Document, detection: Detection, others: Sequence[Document]) -> SiteRules:
    """Return the rules of a page with a known answer, and of those of the other pages that are of its kind.

    They are learned from half of these pages, and proved on the others.
    """
    learned, pages = LearnedTemplate.of_answer("", key, detection), list[KindPage]()
    for document in (key, *others):
        with suppress(PageUnavailable):
            page = KindPage(document, learned)
            pages += [page] if page.content and page.fit >= MAPPING_FITS_FROM else []
    mark_values(pages)
    learn, prove = halves(pages)
    strip = strip_rules(learn, prove) if prove else None
    kind = KindRules(
        host(key.url),
        len(pages),
        tuple(page.document.url for page in pages[:_EXAMPLES]),
        strip,
        keep_rules(learn, prove, strip.selectors) if strip else None,
        field_selectors(learn, prove) if strip else {},
        "" if strip else f"of {1 + len(others)} pages {len(pages)} are of one kind",
    )
    return SiteRules(site_host(key.url), (kind,), len(pages), 0, strip)


class Broken(NamedTuple):
    """Rules of a kind that no longer do what they were proved to do.

    The rules match no page, take content from one, or leave new parts of the template; `pages` are the addresses
    that show it. `new` are the rules that the pages of today add; None if these give no set that is good enough.
    """

    kind: str
    what: Purpose
    rules: tuple[str, ...]
    why: str
    pages: tuple[str, ...]
    new: tuple[str, ...] | None = None


def broken_rules(earlier: SiteRules, site: SitePages, report: Report = lambda *_: None) -> tuple[list[Broken], int]:
    """Return the rules of a site that are broken on its pages of today, and the number of pages checked.

    Raises:
        UnusableRules: they take too much time or memory.
    """
    broken, checked = list[Broken](), 0
    known = [one for one in earlier.kinds if one.good_sets()]
    kinds = kinds_of(site) if known else []
    # Neither the rules under test nor their classes tell which kind of today is which earlier one.
    nearness = {(at, of): _nearness(kind, one) for at, kind in enumerate(kinds) for of, one in enumerate(known)}
    same: dict[int, int] = {}
    for (at, of), near in sorted(nearness.items(), key=lambda pair: -pair[1]):
        if near >= _NEAR and at not in same and of not in same.values():
            same[at] = of
    for number, of in sorted(same.items()):
        report(number, len(kinds))
        kind, nearest = kinds[number], known[of]
        try:
            with page_limits(LEARNING_SECONDS):
                pages = kind.read()
                sets = nearest.good_sets() if pages else []
                found = [one for each in sets if (one := _broken(nearest.kind, *each, pages))]
        except (TimeIsUp, OutOfMemory):
            raise UnusableRules(f"To check the rules of {site.site} takes too much time or memory.") from None
        checked += len(pages)
        anew = _kind_rules(kind, pages) if found else nearest
        broken += [one._replace(new=_added(nearest.good(one.what), anew.good(one.what))) for one in found]
    return broken, checked


def _added(earlier: RuleSet | None, anew: RuleSet | None) -> tuple[str, ...] | None:
    if anew is None or earlier is None:
        return None
    known = {*earlier.selectors, *earlier.exceptions}
    return tuple(one for one in (*anew.selectors, *anew.exceptions) if one not in known)


def _nearness(kind: Kind, earlier: KindRules) -> float:
    """Return how near a kind is to an earlier one, 0 to 2: by addresses of pages, and by class paths."""
    places = {directory(url) for url in earlier.examples}
    near = sum(directory(page.url) in places for page in kind.pages) / max(1, len(kind.pages))
    ours, theirs = {*_least_paths(kind)}, {*earlier.paths}
    both = sorted(ours | theirs)[:_KEPT_PATHS]
    return near + len(ours & theirs & {*both}) / max(1, len(both))


def _least_paths(kind: Kind) -> tuple[int, ...]:
    return tuple(sorted(kind.group.regions.paths)[:_KEPT_PATHS])


def _broken(kind: str, what: Purpose, rules: RuleSet, pages: Sequence[KindPage]) -> Broken | None:
    """Return why rules are broken on pages; None if they hold."""
    recalls = {page: on_page(what, rules.selectors, rules.exceptions, page)[0] for page in pages}
    lossy = [page.document.url for page, recall in recalls.items() if recall < 1 - MOST_LOST_OF_PAGE]
    # A rule that matched several of the pages that proved it matches none of these.
    matched = {rule.selector for rule in rules.rules for page in pages if page.words_of(rule.selector)}
    idle = tuple(rule.selector for rule in rules.rules if rule.pages > 1 and rule.selector not in matched)
    if len(lossy) > max(1, (rules.lossy + _MORE_LOSSY) * len(pages)):
        taking = rules.selectors if what == "strip" else rules.exceptions
        wrong = [one for one in taking if any(harms(one, page, content_of(what, page)) for page in pages)]
        return Broken(kind, what, (*idle, *wrong), "content is lost", tuple(lossy))
    more = {*template_left(what, rules.selectors, rules.exceptions, pages)} - {*rules.left}
    unclean = tuple(page.document.url for page in pages if more & {*page.template_texts.values()})
    if idle:
        return Broken(kind, what, idle, "they match nothing", unclean)
    why = f"they leave a part of the template that is new: {min(more, default='')}"
    return Broken(kind, what, (), why, unclean) if sum(len(words(text)) for text in more) > _MOST_MORE else None
