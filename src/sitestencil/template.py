"""The template of a page, and its outputs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sitestencil.detectors.detection import Detection, Reason
from sitestencil.detectors.doubt import Doubt
from sitestencil.outputs.files import File
from sitestencil.outputs.judged_page import POLICY, Choices, Filling, Height, JudgedPage
from sitestencil.outputs.site_title import site_title
from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT
from sitestencil.page.page_title import page_title
from sitestencil.page.ranges import Range, ranges
from sitestencil.progress import Phase

if TYPE_CHECKING:
    from sitestencil.outputs.selectors import Selectors
    from sitestencil.page.lxml_tree import Tree

ANNOTATION = "template_node"


@dataclass(frozen=True, eq=False)
class Template:
    """The part of a page that its site's design contributes.

    Attributes:
        document: the key page.
        detection: per element and per text, whether it is template.
        detector: the name of the detector; empty if unknown.
        pages_loaded: the number of received pages of the site.
        loads: the number of requested pages.
        timings_ms: wall time per phase: fetch, parse, candidates, mapping, total.
        other_titles: the titles of the received pages.

    Example:
        >>> from sitestencil import extract
        >>> menu = "<nav><a href='/a'>A</a></nav>"
        >>> pages = {"https://site.example/a": menu}
        >>> template = extract(f"{menu}<article>A story</article>", url="https://site.example/", pages=pages)
        >>> template.candidates, template.ranges()
        (('https://site.example/a',), [(0, 5)])
        >>> print(template.to_reasons().splitlines()[1])
        T     nav  1.00: in place 100%, same text 100%, equal 100%, found anywhere 100%
        >>> print(Template(template.document, template.detection).content_text(), end="")
        A story
        >>> [link.get("href") for link in template.tree().root.cssselect("nav a")]
        ['/a']
    """

    document: Document
    detection: Detection
    detector: str = ""
    pages_loaded: int = 0
    loads: int = 0
    timings_ms: Mapping[Phase, float] = field(default_factory=dict)
    other_titles: Sequence[str] = ()

    @property
    def url(self) -> str:
        """The key page's address."""
        return self.document.url

    @property
    def elements(self) -> Sequence[bool]:
        """Per element of the key page, in document order, whether it is template."""
        return self.detection.template

    @property
    def candidates(self) -> tuple[str, ...]:
        """The addresses of the pages that the key page was compared with."""
        return self.detection.candidates

    @property
    def scores(self) -> Sequence[float] | None:
        """Per element, its probability of being template; None if the detector only votes."""
        return self.detection.scores

    @property
    def reasons(self) -> Sequence[Reason] | None:
        """Per element, the reason for its verdict; None if the detector gives none."""
        return self.detection.reasons

    @property
    def sureness(self) -> float | None:
        """The expected F1 of the answer, 0 to 1; None if unknown."""
        return self.detection.sureness

    @property
    def doubt(self) -> Doubt | None:
        """The defect that makes the answer a guess; None without a known defect."""
        return self.detection.doubt

    @property
    def fit(self) -> float:
        """How well the page fits the kind of the learned page, 0 to 1; 1 for the key page itself."""
        return self.detection.fit

    @property
    def site_title(self) -> str:
        """The parts of the page's title that at least half of the other titles share; all of it without others."""
        return site_title(page_title(self.document), self.other_titles)

    def ranges(self) -> list[Range]:
        """Return the template elements as half-open ranges of element numbers."""
        return ranges(number for number, is_template in enumerate(self.elements) if is_template)

    def content_text_ranges(self) -> list[Range]:
        """Return the content texts of template elements, as ranges of text numbers."""
        document, body = self.document, self.document.body or 0
        return ranges(
            number
            for number, run in enumerate(document.texts)
            if run.parent >= body
            and self.elements[run.parent]
            and not self.detection.template_texts[number]
            and document.tags[run.parent] not in NO_PAGE_TEXT
            and not run.text.isspace()
        )

    def to_html(
        self,
        *,
        policy: str | None = POLICY,
        form_values: bool = False,
        content: Filling = "boxes",
        height: Height = "collapsed",
        files: Mapping[str, File] | None = None,
    ) -> str:
        """Return the template alone, ready to take content (definitions.md, 2.4). It runs no script.

        The attribute ``data-slot`` marks each place for content, with a name taken from the old content.

        Args:
            policy: the content security policy of the page; None for none.
            form_values: also write the values of text fields, but never passwords, hidden fields or tokens.
            content: the filling of slots: nothing (``removed``), ``boxes`` with the slots' names, or meaningless
                words in the content's own elements (``lorem``).
            height: ``collapsed``, or the height of the content (``full``), by the browser's measures or an
                estimate.
            files: style sheets, images and fonts from `load_files`, to embed for offline use. Other files keep
                their addresses.

        Raises:
            CannotBeSaved: no HTML gives the same page again.
        """
        from sitestencil.outputs.standalone_html import template_html

        choices = Choices(policy=policy, form_values=form_values, content=content, height=height)
        return template_html(self.judged_page(), choices, files)

    def to_folder(
        self,
        *,
        policy: str | None = POLICY,
        form_values: bool = False,
        content: Filling = "boxes",
        height: Height = "collapsed",
        files: Mapping[str, File] | None = None,
    ) -> Mapping[str, bytes]:
        """Return the template as a folder's files by path: ``index.html``, style sheets, images and fonts.

        Arguments and errors are those of `to_html`.
        """
        from sitestencil.outputs.folder import folder_of

        choices = Choices(policy=policy, form_values=form_values, content=content, height=height)
        return folder_of(self.judged_page(), choices, files or {})

    def to_jinja(self, *, policy: str | None = POLICY, form_values: bool = False) -> str:
        """Return the template as a Jinja2 layout with a block for each slot, for other templates to extend.

        The block ``title`` holds the site's own title. Arguments and errors are those of `to_html`.

        Example:
            >>> from sitestencil import extract
            >>> menu = "<nav><a href='/a'>A</a></nav>"
            >>> pages = {"https://site.example/a": f"{menu}<article>Another"}
            >>> template = extract(f"{menu}<article>A story</article>", url="https://site.example/", pages=pages)
            >>> "{% block main %}{% endblock %}" in template.to_jinja()
            True
        """
        from sitestencil.outputs.jinja_layout import jinja_layout

        return jinja_layout(self.judged_page(), Choices(policy=policy, form_values=form_values))

    def slots(self) -> Mapping[str, str]:
        """Return the page's own content of each slot as HTML, by the slots' names.

        The names are those of ``data-slot`` in `to_html` and of the blocks of `to_jinja`.

        Raises:
            CannotBeSaved: no HTML gives the same page again.
        """
        from sitestencil.outputs.jinja_layout import slot_contents

        return slot_contents(self.judged_page())

    def to_annotated_html(self, *, policy: str | None = POLICY, form_values: bool = False) -> str:
        """Return the key page with the class ``template_node`` on every template element (TeMex, 3.3).

        Texts and content stay, scripts do not; a ``base`` gives the page's address for references that stay
        relative. Arguments and errors are those of `to_html`.
        """
        from sitestencil.outputs.standalone_html import annotated_html

        return annotated_html(self.judged_page(), ANNOTATION, Choices(policy=policy, form_values=form_values))

    def content_html(self, *, policy: str | None = POLICY, form_values: bool = False) -> str:
        """Return the content alone, as a page without the site's styles. It runs no script.

        Template elements with content inside stay, without their own text. Arguments and errors are those of
        `to_html`.
        """
        from sitestencil.outputs.content import content_html

        return content_html(self.judged_page(), Choices(policy=policy, form_values=form_values))

    def content_text(self) -> str:
        """Return the content as plain text: one line for each block, with tabs between a table's cells.

        Raises:
            CannotBeSaved: the page is nested too deeply.
        """
        from sitestencil.outputs.content import content_body
        from sitestencil.outputs.plain_text import plain_text

        return plain_text(content_body(self.judged_page()))

    def content_markdown(self) -> str:
        """Return the content as Markdown (CommonMark with tables), with absolute addresses and without HTML.

        Raises:
            CannotBeSaved: the page is nested too deeply.
        """
        from sitestencil.outputs.content import content_body
        from sitestencil.outputs.markdown import markdown

        return markdown(content_body(self.judged_page()))

    def judged_page(self) -> JudgedPage:
        """Return the page and its template as the input of outputs."""
        return JudgedPage(self.document, self.elements, self.detection.template_texts, self.site_title)

    def selectors(self) -> "Selectors":
        """Return CSS selectors of the template and of the content."""
        from sitestencil.outputs.selectors import selectors

        return selectors(self.document, self.elements, self._content_text_parents())

    def to_json_lines(self) -> str:
        """Return a line of JSON for each element of the page, in document order.

        Each line has the page's ``url``, and the element's ``tag``, ``selector``, ``score`` and ``verdict``. The
        selector matches only this element; it is null inside shadow roots and frames. The score is null if the
        detector only votes. The verdict is ``template`` or ``content``.
        """
        from sitestencil.outputs.selectors import ElementSelectors

        names, scores, tags = ElementSelectors(self.document), self.scores, self.document.tags
        return "".join(
            json.dumps(
                {
                    "url": self.url,
                    "tag": tags[element],
                    "selector": names[element] if names.can_select(element) else None,
                    "score": None if scores is None else round(scores[element], 3),
                    "verdict": "template" if is_template else "content",
                },
                ensure_ascii=False,
            )
            + "\n"
            for element, is_template in enumerate(self.elements)
        )

    def _content_text_parents(self) -> set[int]:
        texts = self.document.texts
        return {texts[number].parent for start, end in self.content_text_ranges() for number in range(start, end)}

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data.

        ``template`` holds half-open ranges of element numbers. ``sureness``, ``scores`` (per element) and
        ``more_pages`` are null if the detector gives none. ``doubt`` names the defect that makes the answer a
        guess.
        """
        return {
            "url": self.url,
            "detector": self.detector,
            "candidates": list(self.candidates),
            "pages_loaded": self.pages_loaded,
            "elements": len(self.document),
            "template": [list(found) for found in self.ranges()],
            "sureness": None if self.sureness is None else round(self.sureness, 4),
            "doubt": self.doubt,
            "more_pages": self.detection.more_pages,
            "scores": None if self.scores is None else [round(score, 3) for score in self.scores],
            "timings_ms": {phase: round(time, 3) for phase, time in self.timings_ms.items()},
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1) + "\n"

    def to_reasons(self) -> str:
        """Return the tree of the page's judged elements, one line each: verdict, score, and reason.

        An element with the verdict of an ancestor has no line.
        """
        from sitestencil.outputs.plain_text import collapsed

        document, lines = self.document, []
        for element in range(document.body or 0, len(document)):
            reason = self.reasons[element] if self.reasons is not None else None
            if reason is not None and reason.element != element:
                continue
            mark = "T" if self.elements[element] else "C"
            name = collapsed(_name(document.tags[element], document.attributes[element]))
            indent = "  " * (len(document.path(element)) - 1)
            lines.append(f"{mark} {indent}{name}" + (f"  {reason}" if reason is not None else ""))
        return "\n".join(lines) + "\n"

    def tree(self) -> "Tree":
        """Return the key page as an lxml tree, for XPath and CSS selectors."""
        from sitestencil.page.lxml_tree import lxml_tree

        return lxml_tree(self.document)


def _name(tag: str, attributes: Mapping[str, str]) -> str:
    """Return an element's name in the form of a CSS selector."""
    place = f"#{attributes['id']}" if attributes.get("id") else ""
    return tag + place + "".join(f".{name}" for name in attributes.get("class", "").split())
