"""Learn the rules of a site, and check them on pages that came later."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sitestencil.crawl.limits import TimeIsUp, page_limits
from sitestencil.errors import OutOfMemory, UnusableRules
from sitestencil.rules.fields import field_selectors
from sitestencil.rules.learning import (
    MOST_LOST_OF_PAGE,
    content_of,
    halves,
    harms,
    keep_rules,
    on_page,
    strip_rules,
)
from sitestencil.rules.rule_set import GOOD_FROM, KindRules, Purpose, RuleSet, SiteRules
from sitestencil.rules.site_pages import (
    LEARNING_SECONDS,
    LEAST_OF_KIND,
    Kind,
    KindPage,
    Report,
    SitePages,
    kinds_of,
)

_OF_OTHERS = 6  # pages of each other kind, which show whether a rule strips their content
_EXAMPLES = 3
_GOOD_F1 = 0.9
_MORE_LOSSY = 0.1  # of the pages, than of those that proved the rules


def site_rules(site: SitePages, report: Report = lambda *_: None) -> SiteRules:
    """Return the rules of each kind of a site's pages, those of most pages first."""
    kinds, rules = kinds_of(site), list[KindRules]()
    for kind in kinds:
        report(len(rules), len(kinds))
        rules.append(_kind_rules(kind, kind.read()))
    # In the order of the files; together they take no more than one page may lose.
    stripping = list(
        dict.fromkeys(one for of_kind in rules if (good := of_kind.good("strip")) for one in good.selectors)
    )
    for page in (page for kind in kinds for page in kind.read(_OF_OTHERS)):
        lost, known = 0, stripping
        stripping = list[str]()
        for selector in known:
            now = lost | (page.words_of(selector) & page.content)
            most = MOST_LOST_OF_PAGE * page.content.bit_count()
            if not harms(selector, page, page.content) and now.bit_count() <= most:
                lost = now
                stripping.append(selector)
    marked = tuple(_marked(of_kind, set(stripping)) for of_kind in rules)
    return SiteRules(site.site, marked, len(site.pages), site.left_out)


def _kind_rules(kind: Kind, pages: Sequence[KindPage]) -> KindRules:
    examples = tuple(page.url for page in kind.pages[:_EXAMPLES])
    empty = KindRules(kind.group.id, len(kind.pages), examples)
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


def _marked(kind: KindRules, everywhere: set[str]) -> KindRules:
    """Return a kind with the mark of the rules that harm no kind."""
    if kind.strip is None:
        return kind
    rules = tuple(replace(rule, everywhere=rule.selector in everywhere) for rule in kind.strip.rules)
    return replace(kind, strip=replace(kind.strip, rules=rules))


class Broken(NamedTuple):
    """Rules of a kind that no longer do what they were proved to do.

    The rules match no page, or take content from one; `pages` are the addresses that show it. `new` are the rules
    that the pages of today add; None if these give no set that is good enough.
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
    # Of the kinds of today, the first has the most pages. Each rule is checked on one kind.
    known = [one for one in earlier.kinds if one.good_sets()]
    kinds = kinds_of(site) if known else []
    for number, kind in enumerate(kinds):
        report(number, len(kinds))
        if not known or not (pages := kind.read()):
            continue
        try:
            with page_limits(LEARNING_SECONDS):
                nearest = max(known, key=lambda one: _fit(one, pages))
                found = [one for sets in nearest.good_sets() if (one := _broken(nearest.kind, *sets, pages))]
        except (TimeIsUp, OutOfMemory):
            raise UnusableRules(f"To check the rules of {site.site} takes too much time or memory.") from None
        known.remove(nearest)
        checked += len(pages)
        anew = _kind_rules(kind, pages) if found else nearest
        broken += [one._replace(new=_added(nearest.good(one.what), anew.good(one.what))) for one in found]
    return broken, checked


def _added(earlier: RuleSet | None, anew: RuleSet | None) -> tuple[str, ...] | None:
    if anew is None or earlier is None:
        return None
    known = {*earlier.selectors, *earlier.exceptions}
    return tuple(one for one in (*anew.selectors, *anew.exceptions) if one not in known)


def _fit(kind: KindRules, pages: Sequence[KindPage]) -> float:
    """Return how well the rules of a kind do on pages."""
    sets = kind.good_sets()
    return sum(on_page(what, rules.selectors, rules.exceptions, page)[2] for what, rules in sets for page in pages)


def _broken(kind: str, what: Purpose, rules: RuleSet, pages: Sequence[KindPage]) -> Broken | None:
    """Return why rules are broken on pages; None if they hold."""
    lossy, unclean = list[str](), list[str]()
    for page in pages:
        recall, precision, f1 = on_page(what, rules.selectors, rules.exceptions, page)
        if recall < 1 - MOST_LOST_OF_PAGE:
            lossy.append(page.document.url)
        elif precision < GOOD_FROM and f1 < _GOOD_F1:
            unclean.append(page.document.url)
    # A rule that matched several of the pages that proved it matches none of these.
    matched = {rule.selector for rule in rules.rules for page in pages if page.words_of(rule.selector)}
    idle = tuple(rule.selector for rule in rules.rules if rule.pages > 1 and rule.selector not in matched)
    if len(lossy) > max(1, (rules.lossy + _MORE_LOSSY) * len(pages)):
        taking = rules.selectors if what == "strip" else rules.exceptions
        wrong = [one for one in taking if any(harms(one, page, content_of(what, page)) for page in pages)]
        return Broken(kind, what, (*idle, *wrong), "content is lost", tuple(lossy))
    return Broken(kind, what, idle, "they match nothing", tuple(unclean)) if idle and pages else None
