"""The template of a page, and its outputs."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress, count
from typing import TYPE_CHECKING, Any, Unpack

from sitestencil.detectors.detection import Detection, Doubt, Reason
from sitestencil.outputs.answer_lines import Verdict
from sitestencil.outputs.files import File
from sitestencil.outputs.judged_page import Choices, JudgedPage, PageOptions, SaveOptions
from sitestencil.page.document import Document, Range, ranges
from sitestencil.page.page_title import page_title, site_title
from sitestencil.progress import Phase

if TYPE_CHECKING:
    from sitestencil.content.main_content import MainContent
    from sitestencil.content.parts import Part
    from sitestencil.outputs.selectors import Selectors
    from sitestencil.page.lxml_tree import Tree
    from sitestencil.page.metadata import Metadata

ANNOTATION = "template_node"


@dataclass(frozen=True, eq=False, repr=False)
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
        T     nav  1.00: in place 100%, same text 100%, equal 100%, found anywhere 100%; template: in a header...
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

    def __repr__(self) -> str:
        """Return what was found, in a line."""
        compared = len(self.candidates)
        sure = "" if self.confidence is None else f", sure to {self.confidence:.0%}"
        return (
            f"<Template {self.url or 'of unknown address'}: {sum(self.elements)} of {len(self.elements)} elements, "
            f"compared with {compared} page{'' if compared == 1 else 's'}{sure}>"
        )

    @property
    def url(self) -> str:
        """The key page's address; empty if it is unknown."""
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
    def confidence(self) -> float | None:
        """The expected F1 of the answer, 0 to 1; None if unknown."""
        return self.detection.confidence

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

    @cached_property
    def metadata(self) -> "Metadata":
        """The page's own statements: title, author, dates, language, description, licence and the like."""
        from sitestencil.page.metadata import metadata

        # Without other pages, "template" is no more than a guess from the page alone.
        shared = self.detection.template_texts if self.candidates else ()
        return metadata(self.document, self.other_titles, shared)

    @cached_property
    def main(self) -> "MainContent":
        """The main content: the part of the content that a reader came for. The rest is around it."""
        from sitestencil.content.main_content import find_main_content

        return find_main_content(self.document, self.detection)

    def verdict(self, element: int) -> Verdict:
        """Return whether an element is template, main content, or around it."""
        if self.main.elements[element]:
            return "main"
        return "template" if self.elements[element] else "around"

    def ranges(self) -> list[Range]:
        """Return the template elements as half-open ranges of element numbers."""
        return ranges(compress(count(), self.elements))

    def content_text_ranges(self) -> list[Range]:
        """Return the content texts of template elements, as ranges of text numbers."""
        return ranges(self.judged_page().content_texts())

    def main_ranges(self) -> list[Range]:
        """Return the elements that are all main content, as ranges of element numbers."""
        return ranges(compress(count(), self.main.elements))

    def main_text_ranges(self) -> list[Range]:
        """Return the main texts of other elements, as ranges of text numbers."""
        return ranges(self._content_page().content_texts())

    def part_ranges(self) -> "dict[Part, list[Range]]":
        """Return the elements of each part of the main content, such as its title, as ranges of element numbers."""
        found: dict[Part, list[int]] = {}
        for element, part in enumerate(self.main.parts):
            if part is not None and self.main.elements[element]:
                found.setdefault(part, []).append(element)
        return {part: ranges(elements) for part, elements in sorted(found.items())}

    def to_html(self, *, files: Mapping[str, File] | None = None, **options: Unpack[SaveOptions]) -> str:
        """Return the template alone, ready to take content (definitions.md, 2.4). It runs no script.

        The attribute ``data-slot`` marks each place for content, with a name taken from the old content.

        Args:
            files: style sheets, images and fonts from `load_files`, to embed for offline use. Other files keep
                their addresses.
            policy: the content security policy of the page; None for none.
            own_scripts: a policy that lets scripts and forms run that you add. The page's scripts are never
                written, and its forms lead to paths of your own site.
            all_styles: keep the rules of style sheets that match nothing on the page.
            on_styles: called with the numbers of characters of the rules that stay, and of all.
            form_values: also write the values of text fields, but never passwords, hidden fields or tokens.
            saved: the date in the comment at the top of the file; by default today.

        Raises:
            CannotBeSaved: no HTML gives the same page again.
        """
        from sitestencil.saving.standalone_html import template_html

        return template_html(self.judged_page(), Choices(**options), files)

    def to_folder(
        self, *, files: Mapping[str, File] | None = None, **options: Unpack[SaveOptions]
    ) -> Mapping[str, bytes]:
        """Return the template as a folder's files by path: ``index.html``, style sheets, images and fonts.

        Arguments and errors are those of `to_html`.
        """
        from sitestencil.saving.folder import folder_of

        return folder_of(self.judged_page(), Choices(**options), files or {})

    def to_jinja(self, *, files: Mapping[str, File] | None = None, **options: Unpack[SaveOptions]) -> str:
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
        from sitestencil.saving.jinja_layout import jinja_layout

        return jinja_layout(self.judged_page(), Choices(**options), files)

    def to_jinja_folder(
        self, *, files: Mapping[str, File] | None = None, **options: Unpack[SaveOptions]
    ) -> Mapping[str, bytes]:
        """Return the layout of `to_jinja` with its style sheets, images and fonts beside it, by path.

        The layout is ``layout.html``. Its variable ``assets`` is the address of the other files' folder, as in
        ``{% set assets = "/static/" %}``; by default they are beside the page. Arguments and
        errors are those of `to_html`.
        """
        from sitestencil.saving.folder import jinja_folder_of

        return jinja_folder_of(self.judged_page(), Choices(**options), files or {})

    def slots(self) -> Mapping[str, str]:
        """Return the page's own content of each slot as HTML, by the slots' names.

        The names are those of ``data-slot`` in `to_html` and of the blocks of `to_jinja`.

        Raises:
            CannotBeSaved: no HTML gives the same page again.
        """
        from sitestencil.saving.jinja_layout import slot_contents

        return slot_contents(self.judged_page())

    def to_annotated_html(self, **options: Unpack[PageOptions]) -> str:
        """Return the key page with the class ``template_node`` on every template element (TeMex, 3.3).

        Texts and content stay, scripts do not; a ``base`` gives the page's address for references that stay
        relative. Arguments and errors are those of `to_html`.
        """
        from sitestencil.saving.standalone_html import annotated_html

        return annotated_html(self.judged_page(), ANNOTATION, Choices(**options))

    def content_html(
        self, *, around: bool = False, without: "Collection[Part]" = (), **options: Unpack[PageOptions]
    ) -> str:
        """Return the main content alone, as a page without the site's styles. It runs no script.

        Other elements with main content inside stay, without their own text.

        Args:
            policy: as in `to_html`.
            form_values: as in `to_html`.
            around: all content, also what is around the main content.
            without: parts of the main content to leave out: title, byline, date, captions, comments.

        Raises:
            CannotBeSaved: no HTML gives the same page again.
        """
        from sitestencil.outputs.content import content_html

        return content_html(self._content_page(around=around, without=without), Choices(**options))

    def content_text(self, *, around: bool = False, without: "Collection[Part]" = ()) -> str:
        """Return the main content as plain text: one line for each block, with tabs between a table's cells.

        `around` and `without` are as in `content_html`.
        """
        from sitestencil.outputs.plain_text import document_text

        return document_text(self.document, self._content_page(around=around, without=without))

    def content_markdown(
        self,
        *,
        around: bool = False,
        without: "Collection[Part]" = (),
        front_matter: bool = False,
        relink: Callable[[str, str], str] | None = None,
    ) -> str:
        """Return the main content as Markdown (CommonMark with tables), with absolute addresses and without HTML.

        Args:
            around: as in `content_html`.
            without: likewise.
            front_matter: begin with the page's metadata and kind as YAML.
            relink: returns the address to write in place of an absolute one; it is called with the attribute's
                name, ``href`` or ``src``, and the address.

        Raises:
            CannotBeSaved: the page is nested too deeply.
        """
        from sitestencil.outputs.content import content_markdown

        page = self._content_page(around=around, without=without)
        if not front_matter:
            return content_markdown(page, relink=relink)
        return content_markdown(page, self.metadata, relink, self.main.page_kind)

    def _content_page(self, *, around: bool = False, without: "Collection[Part]" = ()) -> JudgedPage:
        """Return the input of outputs that write content: all but the content counts as template."""
        from sitestencil.content.main_content import ContentChoice

        main = self.main if without or not around else None
        rest = ContentChoice(around, tuple(without)).rest(self.document, self.detection, main)
        return JudgedPage(self.document, rest.template, rest.template_texts, self.site_title)

    def judged_page(self) -> JudgedPage:
        """Return the page and its template as the input of outputs."""
        return JudgedPage(self.document, self.elements, self.detection.template_texts, self.site_title)

    def selectors(self, *, around: bool = False, without: "Collection[Part]" = ()) -> "Selectors":
        """Return CSS selectors of the template and of the main content.

        `around` and `without` are as in `content_html`.
        """
        from sitestencil.outputs.selectors import selectors

        return selectors(self.judged_page(), self._content_page(around=around, without=without))

    def to_json_lines(self) -> str:
        """Return a line of JSON for each element of the page, in document order.

        Each line has the page's ``url``, and the element's ``tag``, ``selector``, ``score`` and ``verdict``. The
        selector matches only this element; it is null inside shadow roots and frames, and where it is too long.
        The score is null if the detector only votes. The verdict is ``template``, ``main`` or ``around``.
        """
        from sitestencil.outputs.answer_lines import json_lines

        return json_lines(self.document, self.scores, self.verdict)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data, after the fields of ``metadata``.

        ``template`` holds half-open ranges of element numbers. ``main`` holds those of elements that are all main
        content, and ``main_texts`` ranges of the main texts of other elements. Other content is around it.
        ``parts`` holds ranges of elements by the part of the main content: title, byline, date, captions, comments.
        ``page_kind`` is article, list, product, manual, thread, service, or null where that is not likely enough.
        ``confidence``, ``scores`` (per element) and ``more_pages`` are null if the detector gives none. ``doubt``
        names the defect that makes the answer a guess, ``main_doubt`` that of the main content.
        """
        return {
            **self.metadata.to_dict(),
            "detector": self.detector,
            "candidates": list(self.candidates),
            "pages_loaded": self.pages_loaded,
            "elements": len(self.document),
            "template": [list(found) for found in self.ranges()],
            "main": [list(found) for found in self.main_ranges()],
            "main_texts": [list(found) for found in self.main_text_ranges()],
            "parts": {part: [list(run) for run in found] for part, found in self.part_ranges().items()},
            "main_confidence": round(self.main.confidence, 4),
            "main_doubt": self.main.doubt,
            "page_kind": self.main.page_kind,
            "confidence": None if self.confidence is None else round(self.confidence, 4),
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

        The verdicts: T for template, M for main content, A for what is around it. Content also has the mean
        probability that its text is main content, and facts about that text. An element with the verdict of an
        ancestor has no line. From level 40 on, the indent grows no more.
        """
        from sitestencil.outputs.answer_lines import reason_lines

        return reason_lines(self.document, self.reasons, self.main, self.verdict)

    def tree(self) -> "Tree":
        """Return the key page as an lxml tree, for XPath and CSS selectors; needs the extra ``lxml``."""
        from sitestencil.page.lxml_tree import lxml_tree

        return lxml_tree(self.document)
