"""Hold a person's corrections: CSS selectors that mark template and content, by site.

The extension and the command share one JSON format, which people read and write:

    {"sitestencil_rules": 1,
     "sites": {"example.org": [{"selector": "aside.news", "is": "content"},
                               {"selector": "p.ad", "is": "template", "where": ["body", "main", "article"]},
                               {"selector": "h1", "is": "content", "page": "https://example.org/a", "off": true}]}}

A rule applies to each matching element and its descendants. If two rules disagree, the later one wins. A rule with
``page`` applies to that page alone, one with ``where`` to one kind of page, one that is ``off`` to none.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, Self, TypeVar

import msgspec

from sitestencil.detectors.detection import Detection
from sitestencil.errors import UnusableRules, shown
from sitestencil.page.document import Document
from sitestencil.selectors.boxes import has_boxes, is_box
from sitestencil.selectors.matching import Elements, Selector, topmost
from sitestencil.template import Template
from sitestencil.urls import site_host

VERSION = 1
MOST_BYTES = 2_000_000
MOST_SITES = 2_000
MOST_RULES = 200
MOST_BOXES = 32
# Each step visits a page of up to 300,000 elements once.
MOST_STEPS = 1_000
Kind = Literal["template", "content"]


class Rule(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """A person's correction of an element and its descendants.

    Attributes:
        selector: the CSS selector of the elements.
        kind: template or content.
        page: the address of the only page that it applies to; None for all.
        where: the boxes around the main content of the pages that it applies to, from ``body`` inwards; empty for
            all pages.
        off: whether it is switched off.

    Example:
        >>> Rules({"site.example": [Rule("aside.news", "content")]}).of("https://www.site.example/a")
        [Rule(selector='aside.news', kind='content')]
    """

    selector: str
    kind: Kind = msgspec.field(name="is")
    page: str | None = None
    where: tuple[str, ...] = ()
    off: bool = False


class Versioned(Protocol):
    """A form of JSON with a version."""

    @property
    def version(self) -> int:
        """The version."""


_F = TypeVar("_F", bound=Versioned)


class _File(msgspec.Struct, frozen=True):
    version: int = msgspec.field(name="sitestencil_rules")
    sites: dict[str, list[Rule]]


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """The checked rules of all sites.

    Attributes:
        sites: the rules of each site in order, by its host without ``www.``.

    Raises:
        UnusableRules: a selector is invalid, or there are too many.

    Example:
        >>> from sitestencil import extract
        >>> rules = Rules({"site.example": [Rule("aside", "template")]})
        >>> page = "<nav><a href='/a'>A</a></nav><aside>News</aside>"
        >>> pages = {f"https://site.example/{name}": page for name in "abc"}
        >>> template = extract(page, url="https://site.example/", pages=pages)
        >>> template.ranges(), rules.correct(template).ranges()
        ([(0, 5)], [(0, 6)])
    """

    sites: Mapping[str, Sequence[Rule]] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return the number of sites and rules."""
        return f"<Rules: {sum(map(len, self.sites.values()))} for {len(self.sites)} sites>"

    def __post_init__(self) -> None:
        if len(self.sites) > MOST_SITES:
            raise UnusableRules(f"Rules are of at most {MOST_SITES} sites, not {len(self.sites)}.")
        for site, rules in self.sites.items():
            _check(site, rules)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Return the rules in a JSON text.

        Raises:
            UnusableRules: the text is not JSON, has another shape, is too large or of a later version, or has an
                invalid selector.
        """
        read = decoded_rules(text, _File, VERSION, MOST_BYTES)
        return cls({site_host(f"https://{site}/"): rules for site, rules in read.sites.items()})

    def to_json(self) -> str:
        """Return the rules as JSON, site by site."""
        sites = dict(sorted(self.sites.items()))
        file = msgspec.to_builtins({"sitestencil_rules": VERSION, "sites": sites})
        return json.dumps(file, ensure_ascii=False, indent=1) + "\n"

    def of(self, url: str) -> Sequence[Rule]:
        """Return the rules for a page; none for one of unknown address."""
        address = url.partition("#")[0]
        rules = self.sites.get(site_host(url), ()) if url else ()
        return [rule for rule in rules if not rule.off and rule.page in (None, address)]

    def correct(self, template: Template) -> Template:
        """Return a page's template as corrected by the rules; the same object if no rule applies."""
        rules = self.of(template.url)
        if not rules:
            return template
        return replace(template, detection=corrected(template.document, template.detection, rules))


def decoded_rules(text: str | bytes, form: type[_F], version: int, most_bytes: int) -> _F:
    """Return a JSON text of rules in a form that has a version.

    Raises:
        UnusableRules: the text is not JSON, has another shape, is too large or of another version.
    """
    if len(text) > most_bytes:
        raise UnusableRules(f"A file of rules has at most {most_bytes:,} bytes, not {len(text):,}.")
    try:
        read = msgspec.json.decode(text, type=form)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UnusableRules(f"This is no file of rules: {error}.") from None
    if read.version != version:
        raise UnusableRules(
            f"The rules are of version {read.version}, and this Sitestencil reads version {version}. "
            "Update Sitestencil, or export the rules again."
        )
    return read


def corrected(document: Document, detection: Detection, rules: Sequence[Rule]) -> Detection:
    """Return a detection as corrected by rules."""
    said = _said(document, rules)
    if said.count(None) == len(said):
        return detection
    template, texts = list(detection.template), list(detection.template_texts)
    scores = None if detection.scores is None else list(detection.scores)
    text_scores = None if detection.text_scores is None else list(detection.text_scores)
    for element, is_template in enumerate(said):
        if is_template is not None:
            template[element] = is_template
            if scores is not None:
                scores[element] = float(is_template)
    for number, run in enumerate(document.texts):
        is_template = said[run.parent]
        if is_template is not None:
            texts[number] = is_template
            if text_scores is not None:
                text_scores[number] = float(is_template)
    return replace(
        detection,
        template=template,
        template_texts=texts,
        scores=scores,
        text_scores=text_scores,
        reasons=None,
        ruled=said,
    )


def _said(document: Document, rules: Sequence[Rule]) -> list[bool | None]:
    """Return the rules' verdict for each element, whether it is template; None without a rule."""
    elements, said = Elements(document), list[bool | None]([None]) * len(document)
    for rule in rules:
        if not has_boxes(document, rule.where):
            continue
        for element in topmost(document, Selector(rule.selector).select(elements)):
            end = document.ends[element]
            said[element:end] = [rule.kind == "template"] * (end - element)
    return said


def _check(site: str, rules: Sequence[Rule]) -> None:
    if len(rules) > MOST_RULES:
        raise UnusableRules(f"{shown(site)} has {len(rules)} rules; a site has at most {MOST_RULES}.")
    for rule in rules:
        if len(rule.where) > MOST_BOXES or not all(map(is_box, rule.where)):
            boxes = f"at most {MOST_BOXES} tags with #ids and .classes"
            raise UnusableRules(f"{shown(site)} has a rule with an invalid `where`. It is a list of {boxes}.")
    steps = sum(Selector(rule.selector).steps for rule in rules)
    if steps > MOST_STEPS:
        raise UnusableRules(f"The rules of {shown(site)} have {steps} steps; a site's have at most {MOST_STEPS}.")
