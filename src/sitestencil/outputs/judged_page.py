"""What every output is made of: a page and what of it is template; and what a person may choose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sitestencil.outputs.tree import ContentText
from sitestencil.page.document import Document

POLICY = "script-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'"

Filling = Literal["removed", "boxes", "lorem"]
Height = Literal["collapsed", "full"]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPage:
    """A page, and what of it is template.

    Attributes:
        document: the page.
        template: per element, whether it is template. A content element with template inside is kept as a
            container, without its own text.
        template_texts: per text run, whether it is template.
        title: the site's own part of the page's title; empty where it is not known.
        frame_bases: by the number of a frame's ``html`` element, the address its links resolve against.
        adopted_sheets: CSS that stands in no text of the page, by the number of the shadow root's element or of the
            ``html`` element of a document.
    """

    document: Document
    template: Sequence[bool]
    template_texts: Sequence[bool]
    title: str = ""
    frame_bases: Mapping[int, str] = field(default_factory=dict)
    adopted_sheets: Mapping[int, str] = field(default_factory=dict)

    def kept(self) -> list[bool]:
        """Return per element whether it stays: template, what it is styled by, and the containers around both."""
        keep = [bool(is_template) or self._is_style(number) for number, is_template in enumerate(self.template)]
        keep[0] = True
        parents = self.document.parents
        for element in range(len(keep) - 1, 0, -1):
            if keep[element]:
                keep[parents[element]] = True
        return keep

    def text(self, number: int) -> str:
        """Return the text of a run, as `ContentText` where it is content."""
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


@dataclass(frozen=True, slots=True)
class Choices:
    """What is chosen of a page that is written.

    Attributes:
        policy: the content security policy that the file carries; None for none.
        form_values: write the values of text fields too; passwords, hidden fields and tokens never.
        content: what stands where content goes: nothing, boxes with its name, or words without a meaning.
        height: of where content goes: what is in it takes, or what the page's content takes.
    """

    policy: str | None = POLICY
    form_values: bool = False
    content: Filling = "boxes"
    height: Height = "collapsed"


DEFAULT_CHOICES = Choices()
