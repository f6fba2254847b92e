"""A detector's answer: whether each element and each text of a page is template."""

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeVar

from sitestencil.page.document import Document

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason that an element is template or content. Shares are of the compared pages, by their weight.

    Attributes:
        element: the judged element: this element, or the ancestor whose judgement it takes.
        score: the probability that it is template, 0 to 1.
        mapped: the share of the pages that have it in its place.
        same_text: the share that has the same own text there.
        equal: the share that has it there with an equal subtree.
        found_elsewhere: the share that has an equal subtree anywhere.
        rule: the rule that decided instead of the score; empty if the score decided.
        pages: the numbers of the compared pages that have it in its place; see `Detection.candidates`.
    """

    element: int
    score: float
    mapped: float
    same_text: float
    equal: float
    found_elsewhere: float
    rule: str = ""
    pages: tuple[int, ...] = ()

    def __str__(self) -> str:
        """Return the reason as one line of text."""
        agreed = f"in place {self.mapped:.0%}, same text {self.same_text:.0%}, equal {self.equal:.0%}"
        rule = f"; {self.rule}" if self.rule else ""
        return f"{self.score:.2f}: {agreed}, found anywhere {self.found_elsewhere:.0%}{rule}"


class Later(Sequence[_Value]):
    """A column that is computed at its first use."""

    def __init__(self, find: Callable[[], Sequence[_Value]]) -> None:
        self._find = find

    @cached_property
    def _values(self) -> Sequence[_Value]:
        return self._find()

    def __len__(self) -> int:
        """Return the number of values."""
        return len(self._values)

    def __iter__(self) -> Iterator[_Value]:
        """Iterate over the values."""
        return iter(self._values)

    def __getitem__(self, number: Any) -> Any:  # noqa: ANN401 - of a number or a slice
        """Return a value."""
        return self._values[number]

    def __eq__(self, other: object) -> bool:
        """Return whether another sequence has the same values."""
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


# Half of the answers expected below this miss an F1 of .85 (research/docs/benchmark.md, "Confidence").
GUESS_BELOW = 0.88


class Doubt(StrEnum):
    """The reason that an answer is only a guess. As text it is its plain name, such as ``alone``.

    Example:
        >>> from sitestencil import extract
        >>> page = "<p>The sea rises and falls twice a day in this harbour."
        >>> template = extract(page, url="https://site.example/", pages={})
        >>> template.doubt
        <Doubt.ALONE: 'alone'>
        >>> print(template.doubt.sentence)
        The page is alone on its site: it leads to no other page to compare it with, so this is a guess ...
    """

    ERROR_PAGE = "error_page"
    ALMOST_EMPTY = "almost_empty"
    ALONE = "alone"
    NOTHING_LOADED = "nothing_loaded"
    NOT_THE_SERVED_PAGE = "not_the_served_page"
    NEEDS_LOGIN = "needs_login"
    BUILT_BY_SCRIPTS = "built_by_scripts"
    NO_SIMILAR_PAGE = "no_similar_page"
    UNSURE = "unsure"
    ALL_TEMPLATE = "all_template"
    ALL_CONTENT = "all_content"
    PAYWALLED = "paywalled"
    TOO_MANY_BLOCKS = "too_many_blocks"
    LINKS_MAY_ACT = "links_may_act"
    FRAGMENT = "fragment"

    @property
    def sentence(self) -> str:
        """A sentence that says why the answer is a guess, and what to do about it."""
        return _SENTENCES[self]


_SENTENCES = {
    Doubt.ERROR_PAGE: "This is an error page, such as the answer to a wrong address, so this is a guess. Try "
    "another page of the site.",
    Doubt.ALMOST_EMPTY: "The page is almost empty, so there is nothing to tell apart. Try another page of the "
    "site.",
    Doubt.ALONE: "The page is alone on its site: it leads to no other page to compare it with, so this is a "
    "guess from the page alone. Try the site's home page, or a page with a menu.",
    Doubt.NOTHING_LOADED: "No other page of the site could be loaded, so this is a guess from the page alone. "
    "Check that the site can be reached, and whether its pages need a login.",
    Doubt.NOT_THE_SERVED_PAGE: "The site serves another page than the one on the screen, because a login is "
    "needed or scripts build the pages, so this is a guess. Give a login's headers and cookies, or try "
    "--render (in Python: RenderedSource).",
    Doubt.NEEDS_LOGIN: "The site asks visitors to sign in instead of serving this page, so this is a guess. "
    "Give a login's headers and cookies with --header or --cookie-file (in Python: HttpSource).",
    Doubt.BUILT_BY_SCRIPTS: "This page is built by JavaScript and is nearly empty without it, so "
    "this is a guess. Try --render (in Python: RenderedSource).",
    Doubt.NO_SIMILAR_PAGE: "No page like this one could be loaded, only others, so this is a guess. Try a "
    "page that the site has more of, such as an article.",
    Doubt.UNSURE: "The site's other pages say too little about this one, so this is a guess. Try another page "
    "of the site.",
    Doubt.ALL_TEMPLATE: "The site's other pages have all that this one shows, so nothing of it is content. "
    "This may be wrong. Try a page with a text of its own.",
    Doubt.ALL_CONTENT: "The site's other pages have nothing of what this one shows, so nothing of it is "
    "template. This may be wrong. Try a page with the site's menu.",
    Doubt.PAYWALLED: "The page says that its text is not free, and has few words of it, so most of the text may be "
    "missing. Give a subscriber's cookies with --cookie-file (in Python: HttpSource).",
    Doubt.TOO_MANY_BLOCKS: "The page has more than 50,000 blocks of text, too many to judge. All of it is given "
    "but what other pages show to be template.",
    Doubt.FRAGMENT: "Few of the words that may be the page's own were found to be main content, so much may "
    "be missing. --with-around gives all content.",
    Doubt.LINKS_MAY_ACT: "On private networks, and with cookies or headers, a link may act for you. No page "
    "like this one is among the links that look like pages, so this is a guess. To compare with the others, too, "
    "add --all-links (in Python: all_links=True).",
}


@dataclass(frozen=True, slots=True, repr=False)
class Detection:
    """A detector's answer for a key page.

    Attributes:
        template: per element, whether it belongs to the template.
        template_texts: per text node, whether it is template; a text inside a content element never is.
        candidates: the addresses of the compared pages.
        scores: per element, the probability that it is template; None if the detector only votes.
        text_scores: per text node, the probability that the template has a text there.
        reasons: per element, the reason; None if the detector gives none, or had no page to compare.
        more_pages: how many more pages like the key page would improve the answer; None if the detector does not
            say.
        fit: how well the page fits the page that the answer was learned from, 0 to 1; 1 for the key page itself.
        doubt: the reason that the answer is only a guess; None if there is none.
        confidence: the confidence: the expected F1 of the answer, 0 to 1; None if the detector gives none.
        unknown: the number of places in the template with parts that the learned template does not know; such
            parts count as content.
        ruled: per element, whether a person's rule says that it is template; content by a rule is main content.
            None where no rule speaks.

    Example:
        >>> from sitestencil import extract
        >>> extract("<p>A page alone", url="https://site.example/", pages={}, detector="pagelevel").detection
        <Detection: 2 of 4 elements are template>
    """

    template: Sequence[bool]
    template_texts: Sequence[bool]
    candidates: tuple[str, ...]
    scores: Sequence[float] | None = None
    text_scores: Sequence[float] | None = None
    reasons: Sequence[Reason] | None = None
    more_pages: int | None = None
    fit: float = 1.0
    doubt: Doubt | None = None
    confidence: float | None = None
    unknown: int = 0
    ruled: Sequence[bool | None] | None = None

    def __repr__(self) -> str:
        """Return the number of template elements as text."""
        return f"<Detection: {sum(self.template)} of {len(self.template)} elements are template>"


def with_frame(page: Document, template: Sequence[bool], compared: Container[int] = ()) -> list[bool]:
    """Return the answer, completed for the parts outside the compared trees.

    ``html`` and ``head`` carry the design and are template. An embedded tree (an open shadow root, a frame's
    document) goes with the element that holds it.

    Args:
        page: the page.
        template: the answer.
        compared: the roots of the embedded trees that were compared; these have their own answers.
    """
    complete = list(template)
    body = page.body if page.body is not None else len(page)
    complete[:body] = [True] * body
    for root in page.embedded:
        if root in compared:
            continue
        host = complete[page.parents[root]]
        complete[root : page.ends[root]] = [host] * (page.ends[root] - root)
    return complete


def with_containers(page: Document, template: Sequence[bool]) -> list[bool]:
    """Return the answer, completed by all containers of template elements."""
    complete = list(template)
    for element in range(len(complete) - 1, 0, -1):
        if complete[element]:
            complete[page.parents[element]] = True
    return complete
