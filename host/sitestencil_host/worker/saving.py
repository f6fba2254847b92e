"""Saving: the extension captures the page, the library writes the file, and the host returns it in parts.

Rules of the page's site are such a text, too. They need the pages that were compared, which are loaded again.
"""

import io
import zipfile
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from sitestencil_host.errors import NO_RULES, HostError
from sitestencil_host.messaging.frames import decode
from sitestencil_host.messaging.messages import PageRequest
from sitestencil_host.messaging.results import pieces
from sitestencil_host.worker.job import WorkerJob

if TYPE_CHECKING:
    from sitestencil.outputs.files import File
    from sitestencil.outputs.judged_page import Choices, JudgedPage
    from sitestencil.saving.captured_page import CapturedPage

# A control character takes six bytes of JSON, the most of all.
CHARACTERS_PER_PART = 160_000
# Less than a worker's time for a request.
_SECONDS_FOR_FILES = 25.0
_MOST_PAGES = 20  # learning takes time
_FOLDERS = frozenset({"folder", "jinja-folder"})
# A zip has times of its files; ours are constant.
_TIME = (1980, 1, 1, 0, 0, 0)


class FileChoices(msgspec.Struct, frozen=True):
    """The person's choices for a file.

    Attributes:
        format: of the template HTML, a Jinja2 layout, or either as a zip with its files beside it; of the content
            Markdown, HTML or plain text. With rules it is those of the site.
        pages: for rules, the addresses of the pages that the page was compared with.
        offline: whether the file itself holds style sheets, images and fonts.
        own_scripts: whether scripts and forms that the person adds run.
        all_styles: whether rules of style sheets stay that match nothing on the page.
        front_matter: whether Markdown begins with the page's metadata.
    """

    format: Literal["html", "folder", "jinja", "jinja-folder", "markdown", "content-html", "text", "rules"] = "html"
    pages: list[str] = []
    offline: bool = False
    own_scripts: bool = False
    all_styles: bool = False
    front_matter: bool = True


class SaveRequest(PageRequest, frozen=True, tag="save"):
    """Asks for the template or content of a captured page as a file; the text is the capture's JSON."""

    choices: FileChoices = FileChoices()


class SavedPart(msgspec.Struct, frozen=True, tag="saved"):
    """One part of a saved page's text.

    Attributes:
        styles: the numbers of characters of the rules in a template's file, and of all.
        proved: the number of pages that prove the rules of a site.
    """

    id: int
    part: int
    parts: int
    text: str
    styles: tuple[int, int] | None = None
    proved: int | None = None


async def save(job: WorkerJob, request: SaveRequest) -> list[SavedPart]:
    """Return the messages that answer a request.

    Raises:
        HostError, SitestencilError: the page was not written.
    """
    from sitestencil.outputs.judged_page import Choices
    from sitestencil.saving.captured_page import Capture, captured_page

    page = captured_page(decode(request.text.encode(), Capture))
    choices = request.choices
    if choices.format == "rules":
        return await _rules(job, page.judged, choices.pages)
    styles: list[tuple[int, int]] = []
    chosen = Choices(
        own_scripts=choices.own_scripts,
        all_styles=choices.all_styles,
        on_styles=lambda used, total: styles.append((used, total)),
    )
    files: Mapping[str, File] | None = page.made
    if choices.offline or choices.format in _FOLDERS:
        from sitestencil.offline import load_files_of
        from sitestencil.site.sources.http import FileSource

        source = FileSource(page.judged.document.url)
        with job.progress() as report:  # the capture has some files, and the web the others
            files = await load_files_of(page.judged, source, chosen, report, _SECONDS_FOR_FILES, page.files)
    text = _written(page, choices, chosen, files)
    return saved_parts(request.id, text, styles[0] if styles else None)


async def _rules(job: WorkerJob, page: "JudgedPage", addresses: Sequence[str]) -> list[SavedPart]:
    """Return the rules that a page and those that it was compared with have in common."""
    from sitestencil.detectors.detection import Detection
    from sitestencil.rules.formats import text_of
    from sitestencil.rules.site_rules import rules_of_pages
    from sitestencil.site.links import link_to
    from sitestencil.site.loading import PageLoader, passing_over
    from sitestencil.site.sources.http import HttpSource

    others = []
    async with HttpSource(page.document.url) as source:
        with job.progress() as report:
            loader = PageLoader(page.document, source, report=report)
            for loaded in await loader.load_round([link_to(url) for url in addresses[:_MOST_PAGES]]):
                with passing_over(loaded.url if loaded else ""):
                    others += [loader.read(loaded)] if loaded else []
    answer = Detection(page.template, page.template_texts, tuple(addresses))
    text, proved = text_of(rules_of_pages(page.document, answer, others))
    if not text:
        raise HostError(NO_RULES, f"{len(others)} pages")
    return saved_parts(job.id, text, proved=proved)


def _written(  # noqa: PLR0911 - a table
    page: "CapturedPage", choices: FileChoices, chosen: "Choices", files: "Mapping[str, File] | None"
) -> str:
    from sitestencil.outputs.content import content_html, content_markdown
    from sitestencil.outputs.plain_text import document_text
    from sitestencil.page.metadata import metadata
    from sitestencil.saving.folder import folder_of, jinja_folder_of
    from sitestencil.saving.jinja_layout import jinja_layout
    from sitestencil.saving.standalone_html import template_html

    match choices.format:
        case "jinja":
            return jinja_layout(page.judged, chosen, files)
        case "folder":
            return _as_zip(folder_of(page.judged, chosen, files or {}))
        case "jinja-folder":
            return _as_zip(jinja_folder_of(page.judged, chosen, files or {}))
        case "html":
            return template_html(page.judged, chosen, files)
        case "content-html":
            return content_html(page.judged)
        case "text":
            return document_text(page.judged.document, page.judged)
        case _:
            stated = metadata(page.judged.document) if choices.front_matter else None
            return content_markdown(page.judged, stated)


def _as_zip(contents: Mapping[str, bytes]) -> str:
    """Return files, by their paths, as a zip in base64."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in contents.items():
            archive.writestr(zipfile.ZipInfo(path, _TIME), content, zipfile.ZIP_DEFLATED)
    return b64encode(output.getvalue()).decode("ascii")


def saved_parts(
    request_id: int, text: str, styles: tuple[int, int] | None = None, proved: int | None = None
) -> list[SavedPart]:
    """Return a saved page as messages, each within a browser's limit."""
    parts = pieces(text, CHARACTERS_PER_PART)
    return [
        SavedPart(request_id, number, len(parts), part, styles, proved)
        for number, part in enumerate(parts, start=1)
    ]
