"""The rules of a site as values, with their proof, and as JSON."""

from typing import Literal

import msgspec

from sitestencil.corrections.rules import decoded_rules
from sitestencil.rules.feeds import Feed
from sitestencil.selectors.matching import Selector

GOOD_FROM = 0.95
MOST_BYTES = 4_000_000
VERSION = 1
Purpose = Literal["strip", "keep"]


def figures(left: int, wanted: int) -> tuple[float, float, float]:
    """Return recall, precision and F1 of the words that are left."""
    right = (left & wanted).bit_count()
    recall = right / wanted.bit_count() if wanted else 1.0
    precision = right / left.bit_count() if left else float(not wanted)
    return recall, precision, 2 * recall * precision / (recall + precision) if right else float(not left | wanted)


class Rule(msgspec.Struct, frozen=True):
    """A CSS selector, which matches elements with all that is in them, and its proof on pages held out.

    It matches on `pages` of them. A rule that strips leaves `recall` of the content's words there, and `precision`
    of its words are template; of one that keeps both are of the content.
    """

    selector: str
    pages: int
    recall: float
    precision: float


class RuleSet(msgspec.Struct, frozen=True):
    """Rules that together strip the template, or keep the main content except what is in `without`.

    Recall, precision and F1 of the words left are means over `pages` held out, and `lossy` is the share of them
    that lose over 5 % of the content. No rule was learned from them, but those that lost content were left out.
    `why` is the reason for which recall or precision is below .95. `left` are texts of the template that most of
    these pages still have.
    """

    rules: tuple[Rule, ...]
    without: tuple[Rule, ...]
    pages: int
    recall: float
    precision: float
    f1: float
    lossy: float
    why: str = ""
    left: tuple[str, ...] = ()

    @property
    def selectors(self) -> list[str]:
        """The selectors of the rules."""
        return [rule.selector for rule in self.rules]

    @property
    def exceptions(self) -> list[str]:
        """The selectors of what is left out again."""
        return [rule.selector for rule in self.without]


class KindRules(msgspec.Struct, frozen=True):
    """The rules of a kind of pages: their number, some addresses, and selectors of title, author and date.

    Without rules of any purpose `why` is the reason. `paths` are the least of the hashes of its class paths.
    """

    kind: str
    pages: int
    examples: tuple[str, ...]
    strip: RuleSet | None = None
    keep: RuleSet | None = None
    fields: dict[str, str] = {}
    why: str = ""
    paths: tuple[int, ...] = ()
    mark: str | None = None

    def good(self, what: Purpose) -> RuleSet | None:
        """Return the rules of a purpose; None if they are not good enough."""
        return dict(self.good_sets()).get(what)

    def good_sets(self) -> list[tuple[Purpose, RuleSet]]:
        """Return the rules of each purpose that are good enough."""
        sets: tuple[tuple[Purpose, RuleSet | None], ...] = (("strip", self.strip), ("keep", self.keep))
        return [(what, rules) for what, rules in sets if rules is not None and not rules.why]


class SiteRules(msgspec.Struct, frozen=True):
    """The rules of a site, by kinds, those of most pages first; and the numbers of pages read, and not read.

    `strip` are rules for all of its pages, by the number of each kind. `feed` leads to the pages
    of the largest kind with rules to keep.
    """

    site: str
    kinds: tuple[KindRules, ...]
    pages: int = 0
    left_out: int = 0
    strip: RuleSet | None = None
    feed: Feed | None = None

    @property
    def everywhere(self) -> list[str]:
        """The selectors that strip the template of all pages, and leave their content."""
        return self.strip.selectors if self.strip is not None and self.strip.recall >= GOOD_FROM else []


class _File(msgspec.Struct, frozen=True):
    version: int = msgspec.field(name="sitestencil_site_rules")
    sites: tuple[SiteRules, ...]


def to_json(sites: tuple[SiteRules, ...]) -> bytes:
    """Return the rules of sites as JSON."""
    return msgspec.json.format(msgspec.json.encode(_File(VERSION, sites)), indent=1) + b"\n"


def from_json(text: bytes) -> tuple[SiteRules, ...]:
    """Return the rules in a JSON text; all their selectors are checked.

    Raises:
        UnusableRules: it has another form, is too large or of a later version, or has an invalid selector.
    """
    read = decoded_rules(text, _File, VERSION, MOST_BYTES)
    sets = [rules for site in read.sites for kind in site.kinds for rules in (kind.strip, kind.keep)]
    sets += [site.strip for site in read.sites]
    for rule in (rule for rules in sets if rules for rule in (*rules.rules, *rules.without)):
        Selector(rule.selector)
    return read.sites
