"""Learn the rules of a site, and check them on pages that came later."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from sitestencil.rules.fields import field_selectors
from sitestencil.rules.learning import content_of, figures, halves, harms, keep_rules, left_by, strip_rules
from sitestencil.rules.rule_set import GOOD_FROM, PURPOSES, KindRules, Purpose, Rule, RuleSet, SiteRules
from sitestencil.rules.site_pages import LEAST_OF_KIND, Kind, KindPage, SitePages, kinds_of

_OF_OTHERS = 6  # pages of each other kind, which show whether a rule strips their content
_EXAMPLES = 3
_GOOD_F1 = 0.9
_MOST_LOST = 0.05


def site_rules(site: SitePages) -> SiteRules:
    """Return the rules of each kind of a site's pages, those of most pages first."""
    kinds = kinds_of(site)
    rules = [_kind_rules(kind) for kind in kinds]
    pages = (page for kind in kinds for page in kind.read(_OF_OTHERS))
    stripping = [rule.selector for own in rules if own.strip for rule in own.strip.rules]
    harmful = {selector for page in pages for selector in stripping if harms(selector, page, page.content)}
    marked = tuple(_marked(own, harmful) for own in rules)
    return SiteRules(site.site, marked, len(site.pages), site.left_out)


def _kind_rules(kind: Kind) -> KindRules:
    examples = tuple(page.url for page in kind.pages[:_EXAMPLES])
    empty = KindRules(kind.group.id, len(kind.pages), examples)
    pages = kind.read() if len(kind.pages) >= LEAST_OF_KIND else []
    if len(pages) < LEAST_OF_KIND:
        return replace(empty, why=f"it has fewer than {LEAST_OF_KIND} pages that can be read")
    learn, prove = halves(pages)
    strip = strip_rules(learn, prove)
    keep = keep_rules(learn, prove, strip.selectors)
    return replace(empty, strip=strip, keep=keep, fields=field_selectors(learn, prove))


def _marked(kind: KindRules, harmful: set[str]) -> KindRules:
    """Return a kind with the mark of the rules that harm no other kind."""
    if kind.strip is None:
        return kind
    rules = tuple(replace(rule, everywhere=rule.selector not in harmful) for rule in kind.strip.rules)
    return replace(kind, strip=replace(kind.strip, rules=rules))


@dataclass(frozen=True, slots=True)
class Broken:
    """Rules that no longer do what they were proved to do.

    Attributes:
        kind: the kind of the earlier rules.
        what: ``strip`` or ``keep``.
        rules: the selectors that match no page, or take content from one.
        why: what is wrong.
        pages: the addresses of the pages that show it.
        better: the rules learned from these pages; None if none are good enough.
    """

    kind: str
    what: Purpose
    rules: tuple[str, ...]
    why: str
    pages: tuple[str, ...]
    better: RuleSet | None


def broken_rules(earlier: SiteRules, site: SitePages) -> Iterator[Broken]:
    """Yield the rules of a site that are broken on its pages of today."""
    for kind in kinds_of(site):
        pages = kind.read()
        known = max(earlier.kinds, key=lambda own: _fit(own, pages), default=None)
        if not pages or known is None:
            continue
        anew = _kind_rules(kind)
        for what in PURPOSES:
            if (rules := known.good(what)) is not None:
                yield from _broken(known.kind, what, rules, pages, anew.good(what))


def _of_page(what: Purpose, rules: RuleSet, page: KindPage) -> tuple[float, float, float]:
    return figures(left_by(what, rules.selectors, rules.exceptions, page), content_of(what, page))


def _fit(kind: KindRules, pages: Sequence[KindPage]) -> float:
    """Return how well a kind's rules do on pages."""
    good = [(what, rules) for what in PURPOSES if (rules := kind.good(what)) is not None]
    return sum(_of_page(what, rules, page)[2] for what, rules in good for page in pages)


def _broken(
    kind: str, what: Purpose, rules: RuleSet, pages: Sequence[KindPage], better: RuleSet | None
) -> Iterator[Broken]:
    lossy, unclean = list[str](), list[str]()
    for page in pages:
        recall, precision, f1 = _of_page(what, rules, page)
        if recall < 1 - _MOST_LOST:
            lossy.append(page.document.url)
        elif precision < GOOD_FROM and f1 < _GOOD_F1:
            unclean.append(page.document.url)
    idle = tuple(rule.selector for rule in rules.rules if _is_idle(rule, pages))
    if len(lossy) > max(1, _MOST_LOST * len(pages)):
        taking = rules.selectors if what == "strip" else rules.exceptions
        wrong = [one for one in taking if any(harms(one, page, content_of(what, page)) for page in pages)]
        yield Broken(kind, what, (*idle, *wrong), "content is lost", tuple(lossy), better)
    elif idle:
        yield Broken(kind, what, idle, "they match nothing", tuple(unclean), better)


def _is_idle(rule: Rule, pages: Sequence[KindPage]) -> bool:
    """Return whether a rule that matched several of the pages that proved it matches none of these."""
    return rule.pages > 1 and not any(page.words_of(rule.selector) for page in pages)
