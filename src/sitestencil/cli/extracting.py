"""Describe one page's extraction as a picklable value, and run it."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import complain
from sitestencil.cli.files import Output
from sitestencil.cli.pages import NamedPage
from sitestencil.detectors.detection import Doubt
from sitestencil.errors import NothingFound, SitestencilError
from sitestencil.page.memory_limit import memory_limit
from sitestencil.progress import silent

if TYPE_CHECKING:
    from sitestencil.content.parts import Part
    from sitestencil.corrections.rules import Rules
    from sitestencil.outputs.files import File
    from sitestencil.progress import Report
    from sitestencil.site.sources import Source
    from sitestencil.site.sources.polite import Answers
    from sitestencil.template import Template

# A single page's share of --timeout, as 10 of the default 30 seconds.
_SHARE_OF_A_PAGE = 1 / 3
# A browser loads one page after another.
_PATIENCE_WITH_A_BROWSER = 2
# The command has said already that HTML without an address is judged alone.
_OF_PAGES_ALONE = frozenset({Doubt.ALONE, Doubt.NOTHING_LOADED, Doubt.LINKS_MAY_ACT})


@dataclass(frozen=True, slots=True)
class Format:
    """An output format.

    Attributes:
        help: a description of the output.
        write: writes the output, and reports the files loaded for it.
        ending: the ending of its files.
        is_content: whether the output is the main content.
    """

    help: str
    write: "Write"
    ending: str
    is_content: bool = False

    @property
    def is_folder(self) -> bool:
        """Whether the output has several files."""
        return self.ending == ""

    @property
    def streams(self) -> bool:
        """Whether several outputs may follow each other in one stream."""
        return self.ending not in {"", ".html"}


Write = Callable[["Template", "Extraction", "Report"], Output]


def _layout(method: "Callable[[Template], Callable[..., Output]]") -> Write:
    """Return what writes a layout by a method of the template."""
    return lambda t, asked, report: method(t)(
        own_scripts=asked.own_scripts,
        all_styles=asked.all_styles,
        on_styles=asked.tell_styles,
        files=asked.files(t, report),
    )


def _content(method: "Callable[[Template], Callable[..., object]]") -> Write:
    """Return what writes the main content by a method of the template."""
    return lambda t, asked, _: str(method(t)(around=asked.with_around, without=asked.without))


FORMATS: Mapping[str, Format] = {
    "html": Format("the template alone, ready to take content (default)", _layout(lambda t: t.to_html), ".html"),
    "folder": Format(
        "the template as a folder: HTML, style sheets, images and fonts, each a file",
        _layout(lambda t: t.to_folder),
        "",
    ),
    "jinja": Format(
        "the template as a layout for Jinja2, with a block where each piece of content goes",
        _layout(lambda t: t.to_jinja),
        ".html",
    ),
    "jinja-folder": Format(
        "the same layout with style sheets, images and fonts beside it", _layout(lambda t: t.to_jinja_folder), ""
    ),
    "annotated": Format(
        "the whole page, with class template_node on every template element",
        lambda t, *_: t.to_annotated_html(),
        ".html",
    ),
    "content-html": Format(
        "the main content alone, as a page",
        _content(lambda t: t.content_html),
        ".html",
        is_content=True,
    ),
    "markdown": Format(
        "the main content as Markdown, below front matter with the page's metadata",
        lambda t, asked, _: t.content_markdown(
            around=asked.with_around, without=asked.without, front_matter=not asked.no_front_matter
        ),
        ".md",
        is_content=True,
    ),
    "text": Format(
        "the main content as plain text, one line for each block",
        _content(lambda t: t.content_text),
        ".txt",
        is_content=True,
    ),
    "selectors": Format(
        "CSS selectors of template and main content, one per line: the kind, a tab, the selector",
        _content(lambda t: t.selectors),
        ".tsv",
    ),
    "json": Format(
        "the page's metadata, element numbers and scores, compared pages, times", lambda t, *_: t.to_json(), ".json"
    ),
    "jsonl": Format(
        "one line of JSON for each element: url, tag, selector, score, verdict",
        lambda t, *_: t.to_json_lines(),
        ".jsonl",
    ),
    "why": Format(
        "the tree of the elements, one per line, with the score and the share of compared pages that have it",
        lambda t, *_: t.to_reasons(),
        ".txt",
    ),
}


@dataclass(frozen=True, slots=True)
class Extraction:
    """The extraction of one page, with the options of `extract` that it needs, by their names.

    Attributes:
        page: the page.
        rules: a person's corrections.
        answers: the pages that extractions before this one loaded.
    """

    page: NamedPage
    format: str
    detector: str
    timeout: float | None = None
    most_pages: int | None = None
    all_links: bool = False
    headers: Sequence[tuple[str, str]] = ()
    cookie_file: Path | None = None
    rules: "Rules | None" = None
    with_around: bool = False
    without: "tuple[Part, ...]" = ()
    no_front_matter: bool = False
    offline: bool = False
    own_scripts: bool = False
    all_styles: bool = False
    quiet: bool = False
    render: bool = False
    browser: str | None = None
    answers: "Answers" = field(default_factory=OrderedDict, repr=False)

    def template(self, report: "Report") -> "Template":
        """Return the page's template, and tell doubts about it.

        Raises:
            SitestencilError: the base of all errors; its message tells the cause and the remedy.
        """
        from sitestencil.detectors.stencil.doubts import doubt_of_one_sided
        from sitestencil.extraction import extract
        from sitestencil.site.loading import MOST_PAGES

        template = extract(
            self.page.page,
            url=self.page.url,
            source=self._source(),
            detector=self.detector,
            progress=report,
            timeout=self._seconds_in_all(),
            most_pages=MOST_PAGES if self.most_pages is None else self.most_pages,
            all_links=self.all_links,
        )
        if self.rules is not None:
            template = self.rules.correct(template)
        doubt = template.doubt or doubt_of_one_sided(template.document, template.detection)
        if doubt is not None and not (self.page.is_without_address and doubt in _OF_PAGES_ALONE):
            complain(f"sitestencil: {self.page.name}: {doubt.sentence}")
        return template

    def output(self, template: "Template", report: "Report") -> Output:
        """Return a template in the wanted format; `report` receives the loaded files.

        Raises:
            NothingFound: there is nothing to write.
        """
        from sitestencil.detectors.stencil.doubts import shows_nothing

        form = FORMATS[self.format]
        if not form.streams and shows_nothing(template.document):
            raise NothingFound("The page shows no text and no picture, so nothing is written.")
        output = form.write(template, self, report)
        if output == "" or (form.is_content and not self._has_content(template)):
            raise NothingFound("No main content was found on this page, so nothing is written.")
        if (form.is_content or self.format == "json") and (doubt := template.main.doubt):
            complain(f"sitestencil: {self.page.name}: {doubt.sentence}")
        return output

    def _has_content(self, template: "Template") -> bool:
        from sitestencil.detectors.stencil.doubts import PICTURES

        if template.content_text(around=self.with_around, without=self.without).strip():
            return True
        tags, main = template.document.tags, template.main.elements
        return any(is_main and tag in PICTURES for tag, is_main in zip(tags, main, strict=True))

    def outcome(self) -> "Output | SitestencilError":
        """Return the output, or the error as a value for other processes."""
        try:
            with memory_limit():
                return self.output(self.template(silent), silent)
        except SitestencilError as error:
            return SitestencilError(str(error))

    def files(self, template: "Template", report: "Report") -> "Mapping[str, File] | None":
        """Return the template's files if wanted."""
        if not self.offline and not FORMATS[self.format].is_folder:
            return None
        from sitestencil.offline import SECONDS_IN_ALL, load_files
        from sitestencil.site.sources.messages import cookies_in

        return load_files(
            template,
            headers=dict(self.headers),
            cookies=None if self.cookie_file is None else cookies_in(self.cookie_file),
            progress=report,
            timeout=SECONDS_IN_ALL if self.timeout is None else self.timeout,
            all_styles=self.all_styles,
        )

    def tell_styles(self, used: int, total: int) -> None:
        """Tell how much of the style sheets is written."""
        from sitestencil.saving.layout_comment import kilobytes

        if used < total and not self.quiet:
            complain(
                f"sitestencil: {self.page.name}: {kilobytes(used)} of {kilobytes(total)} kB of styles are used "
                "(--all-styles keeps all)."
            )

    def _seconds_in_all(self) -> float:
        from sitestencil.site.loading import SECONDS_IN_ALL

        if self.timeout is not None:
            return self.timeout
        return SECONDS_IN_ALL * (_PATIENCE_WITH_A_BROWSER if self.render else 1)

    def _source(self) -> "Source | None":
        """Return a special source of pages; None for the default one."""
        if self.render:
            from sitestencil.site.sources.rendered import PAGE_SECONDS, RenderedSource

            page_seconds = PAGE_SECONDS if self.timeout is None else self.timeout * _SHARE_OF_A_PAGE
            return RenderedSource(browser=self.browser, page_seconds=page_seconds)
        if isinstance(self.page.page, Path) or self.page.is_without_address:
            return None
        from sitestencil.site.sources.messages import cookies_in
        from sitestencil.site.sources.polite import LoadedOnce

        return LoadedOnce(
            self.answers,
            self.page.url,
            headers=dict(self.headers),
            cookies=None if self.cookie_file is None else cookies_in(self.cookie_file),
            page_seconds=None if self.timeout is None else self.timeout * _SHARE_OF_A_PAGE,
        )
