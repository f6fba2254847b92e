"""The input of every output: a page with its template, and the options."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypedDict

from sitestencil.errors import check_type
from sitestencil.outputs.tree import ContentText
from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT
from sitestencil.page.shadow_trees import keep_around

POLICY = "script-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'"
OWN_SCRIPTS_POLICY = "base-uri 'none'; object-src 'none'"
OnStyles = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JudgedPage:
    """A page and its template.

    Attributes:
        document: the page.
        template: per element, whether it is template. A content element with template inside stays as a container,
            without its own text.
        template_texts: per text run, whether it is template.
        title: the site's own part of the page's title; empty if unknown.
        frame_bases: the base address of each frame's document, by the number of its ``html`` element.
        adopted_sheets: CSS outside the page's texts, by the number of the shadow root's element or of a document's
            ``html`` element.
        missing: the addresses of files that scripts made and nobody could read.
    """

    document: Document
    template: Sequence[bool]
    template_texts: Sequence[bool]
    title: str = ""
    frame_bases: Mapping[int, str] = field(default_factory=dict)
    adopted_sheets: Mapping[int, str] = field(default_factory=dict)
    missing: Sequence[str] = ()

    def __repr__(self) -> str:
        """Return the page's address and the size of its template."""
        return f"<JudgedPage {self.document.url}: {sum(self.template)} of {len(self.template)} elements>"

    def kept(self) -> list[bool]:
        """Return per element whether it stays: template, its styles, and the containers and slots around both."""
        keep = [bool(is_template) or self._is_style(number) for number, is_template in enumerate(self.template)]
        keep[0] = True
        texts = [
            self.template[run.parent] and is_template
            for run, is_template in zip(self.document.texts, self.template_texts, strict=True)
        ]
        keep_around(self.document, keep, texts)
        return keep

    def content_texts(self) -> list[int]:
        """Return the numbers of the content texts of template elements."""
        document, body = self.document, self.document.body or 0
        return [
            number
            for number, run in enumerate(document.texts)
            if run.parent >= body
            and self.template[run.parent]
            and not self.template_texts[number]
            and document.tags[run.parent] not in NO_PAGE_TEXT
            and not run.text.isspace()
        ]

    def text(self, number: int) -> str:
        """Return the text of a run, as `ContentText` if it is content."""
        run = self.document.texts[number]
        is_own = self.template[run.parent] and self.template_texts[number]
        if is_own or run.text.isspace() or self.document.tags[run.parent] == "style":
            return run.text
        return ContentText(run.text)

    def _is_style(self, element: int) -> bool:
        tag = self.document.tags[element]
        if tag == "link":
            return "stylesheet" in self.document.attributes[element].get("rel", "").lower().split()
        return tag == "style"


class PageOptions(TypedDict, total=False):
    """The options of all written pages, as keywords: see `Choices`."""

    policy: str | None
    form_values: bool


class SaveOptions(PageOptions, total=False):
    """The options of a template's file, as keywords: see `Choices`."""

    own_scripts: bool
    all_styles: bool
    on_styles: OnStyles
    saved: date | None


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of a written page.

    Attributes:
        policy: the content security policy of the file; None for none.
        own_scripts: let scripts and forms that a person adds run. The page's scripts are never written.
        all_styles: keep the rules of style sheets that match nothing on the page.
        on_styles: receives the numbers of characters of the rules that stay, and of all.
        saved: the date that the file's comment names; None for today.
        form_values: also write the values of text fields, but never passwords, hidden fields or tokens.
    """

    policy: str | None = POLICY
    own_scripts: bool = False
    all_styles: bool = False
    on_styles: OnStyles = lambda _used, _all: None
    saved: date | None = None
    form_values: bool = False

    def __post_init__(self) -> None:
        check_type("policy", self.policy, str, "a str")
        check_type("saved", self.saved, date, "a date")

    @property
    def written_policy(self) -> str | None:
        """The policy that is written into the file."""
        return OWN_SCRIPTS_POLICY if self.own_scripts and self.policy == POLICY else self.policy


DEFAULT_CHOICES = Choices()
