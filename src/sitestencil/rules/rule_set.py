"""The rules of a site as values, with their proof, and as JSON."""

from typing import Literal, get_args

import msgspec

from sitestencil.corrections.matching import Selector
from sitestencil.errors import UnusableRules

GOOD_FROM = 0.95
MOST_BYTES = 4_000_000
VERSION = 1
Purpose = Literal["strip", "keep"]
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)


class Rule(msgspec.Struct, frozen=True):
    """A selector, proved on pages that it was not learned from.

    Attributes:
        selector: the CSS selector; it matches elements with all that is in them.
        pages: the number of these pages on which it matches.
        recall: of a rule that strips, the content's words that stay there; of one that keeps, those that it has.
        precision: of a rule that strips, its words that are template; of one that keeps, those that are content.
        everywhere: whether it takes no content from the site's other kinds of pages, too.
    """

    selector: str
    pages: int
    recall: float
    precision: float
    everywhere: bool = False


class RuleSet(msgspec.Struct, frozen=True):
    """Rules that together strip the template, or keep the main content.

    Attributes:
        rules: the rules, the one with most words first.
        without: of rules that keep, those that leave out again what is around the content.
        pages: the number of pages that prove them; none was used for learning.
        recall: the words of the content that are left, mean over these pages.
        precision: the words left that are content.
        f1: the mean F1 of both.
        lossy: the share of pages that lose over 5 % of the content's words.
        why: the reason for which recall or precision is below .95; empty if both reach it.
    """

    rules: tuple[Rule, ...]
    without: tuple[Rule, ...]
    pages: int
    recall: float
    precision: float
    f1: float
    lossy: float
    why: str = ""

    @property
    def selectors(self) -> list[str]:
        """The selectors of the rules."""
        return [rule.selector for rule in self.rules]

    @property
    def exceptions(self) -> list[str]:
        """The selectors of what is left out again."""
        return [rule.selector for rule in self.without]


class KindRules(msgspec.Struct, frozen=True):
    """The rules of a kind of pages.

    Attributes:
        kind: the kind: the site and a number.
        pages: the number of its pages in hand.
        examples: addresses of some of them.
        strip: the rules that remove the template; None for fewer than five pages.
        keep: those that keep the main content.
        fields: selectors of the title, the author and the date, as far as they are known.
        why: the reason for which it has no rules at all.
    """

    kind: str
    pages: int
    examples: tuple[str, ...]
    strip: RuleSet | None = None
    keep: RuleSet | None = None
    fields: dict[str, str] = {}
    why: str = ""

    def good(self, what: Purpose) -> RuleSet | None:
        """Return the rules of a purpose; None if they are not good enough."""
        rules = self.strip if what == "strip" else self.keep
        return None if rules is None or rules.why else rules


class SiteRules(msgspec.Struct, frozen=True):
    """The rules of a site, by kinds of pages.

    Attributes:
        site: the site: its host without ``www.``.
        kinds: its kinds, the one with most pages first.
        pages: the number of pages read.
        left_out: the number of pages beyond those.
    """

    site: str
    kinds: tuple[KindRules, ...]
    pages: int = 0
    left_out: int = 0

    @property
    def everywhere(self) -> list[str]:
        """The selectors that strip the template of all pages, of every kind."""
        rules = [rule for kind in self.kinds if (own := kind.good("strip")) for rule in own.rules]
        return list(dict.fromkeys(rule.selector for rule in rules if rule.everywhere))


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
    if len(text) > MOST_BYTES:
        raise UnusableRules(f"A file of rules has at most {MOST_BYTES:,} bytes, not {len(text):,}.")
    try:
        read = msgspec.json.decode(text, type=_File)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UnusableRules(f"This is no file of a site's rules: {error}.") from None
    if read.version != VERSION:
        raise UnusableRules(f"The rules are of version {read.version}, and this Sitestencil reads {VERSION}.")
    kinds = [kind for site in read.sites for kind in site.kinds]
    for rules in (rules for kind in kinds for rules in (kind.strip, kind.keep) if rules is not None):
        for rule in (*rules.rules, *rules.without):
            Selector(rule.selector)
    return read.sites
