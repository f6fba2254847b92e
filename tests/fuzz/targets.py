"""The fuzz targets: functions that take any bytes and return. Any exception is a defect."""

import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import ada_url
from tests.fuzz.choices import Choices
from tests.support.small_site import HOME, PAGES, page

from sitestencil.crawl.input.crawled import Skipped
from sitestencil.crawl.input.reading import read_unit
from sitestencil.crawl.input.units import parts_of, units_of
from sitestencil.detectors import learned_columns
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.errors import PageUnavailable, SitestencilError, UnusableInput
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.page.document import Document, ranges
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse
from sitestencil.page.serialization import to_html
from sitestencil.page.sketch import Sketch
from sitestencil.page.snapshot import Snapshot, document_from_snapshot
from sitestencil.saving.jinja_layout import jinja_layout
from sitestencil.saving.standalone_html import template_html
from sitestencil.site.links import site_links, sort_links
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.urls import directories, directory, host, page_address, page_key, resolve
from sitestencil_host.errors import HostError
from sitestencil_host.messaging.frames import LONGEST_OUT, FrameReader, decode
from sitestencil_host.messaging.messages import (
    RequestParts,
    Work,
    encode,
    error_answer,
    read_request,
    whole_request,
)
from sitestencil_host.worker.extractions import ExtractRequest

Target = Callable[[bytes], None]

CHARSETS = (None, "utf-8", "windows-1252", "shift_jis", "utf-16le", "koi8-r", "gb18030", "iso-2022-jp", "nonsense")
CRAWL_FILES = (
    *("a.warc", "a.warc.gz", "a.warc.zst", "a.arc", "a.arc.gz", "a.wacz", "a.jsonl", "a.jsonl.gz", "a.jsonl.zst"),
    "a.parquet",
)
SKETCH_COLUMNS = ("tags", "parents", "own_texts", "ends", "hashes", "goes_with", "document_elements", "base")
# Names that the code asks for, and one that it does not.
NAMES = (
    *("html", "head", "body", "frameset", "frame", "title", "style", "script", "noscript", "template", "base"),
    *("link", "meta", "a", "area", "div", "p", "ul", "li", "img", "input", "svg", "iframe", "pre", "x-other"),
)
ATTRIBUTES = tuple("class id href src srcset style alt value placeholder name rel onclick".split())


def documents(data: bytes) -> None:
    """HTML in some encoding: to a document, to what pages are compared by, and to HTML again."""
    choices = Choices(data)
    scripting, charset = bool(choices.number(2)), CHARSETS[choices.number(len(CHARSETS))]
    html = choices.rest()
    loaded = LoadedPage(HOME, html, charset=charset)
    try:
        document = loaded.document(scripting=scripting)
    except PageUnavailable:  # beyond what an honest page has
        return
    _use(document)
    of_bytes, of_tree = loaded.sketch(scripting=scripting), KeySketch(document)
    _check_sketch(of_bytes, document)
    for column in SKETCH_COLUMNS:
        assert list(getattr(of_bytes, column)) == list(getattr(of_tree, column)), column
    parse(to_html(document), HOME, scripting=scripting)


def snapshots(data: bytes) -> None:
    """A snapshot as the extension might send it, or one that another program makes up."""
    choices = Choices(data)
    with suppress(SitestencilError, HostError):
        snapshot = decode(choices.rest(), Snapshot) if choices.number(2) else _snapshot(choices)
        _use(document_from_snapshot(snapshot))


def frames(data: bytes) -> None:
    """Bytes on the host's standard input."""
    parts = RequestParts(tuple)
    for frame in FrameReader(io.BytesIO(data)):
        try:
            if isinstance(frame, HostError):
                raise frame
            request = read_request(frame)
            work = parts.add(request) if isinstance(request, Work) else None
            if work is not None:
                decode(whole_request([*work.payloads], ExtractRequest).text.encode(), Snapshot, work.id)
        except HostError as error:
            assert len(encode(error_answer(error))) <= LONGEST_OUT


def addresses(data: bytes) -> None:
    """The address of a page in one line, a reference on it in the next."""
    text, _, reference = data.decode("utf-8", "replace").partition("\n")
    try:
        base = page_address(text)
    except SitestencilError:
        return
    assert page_address(base) == base
    for url in (base, resolve(reference, base)):
        if url is not None:
            assert url.startswith(("http://", "https://"))
            assert resolve(url, base) == url
            assert host(url) == directories(url)[0]
            assert page_key(url).startswith(host(url))
            assert url.startswith(directory(url))
    _check_resolved(reference, base)


def learned_templates(data: bytes) -> None:
    """Saved bytes of a learned template with the right mark and digest, as one who means harm would make them."""
    try:
        learned = LearnedTemplate.from_bytes(signed(data))
    except SitestencilError:
        return
    assert LearnedTemplate.from_bytes(learned.to_bytes()).to_bytes() == learned.to_bytes()
    for further in _pages_to_apply():
        detection = learned.apply(further)
        document = further.document(scripting=learned.columns.scripting)
        assert len(detection.template) == len(document)
        assert len(detection.template_texts) == len(document.texts)
        _check_ranges(detection.template)


def crawls(data: bytes) -> None:
    """A file of a crawl: a letter for its format, then its bytes."""
    choices = Choices(data)
    with TemporaryDirectory() as folder:
        file = Path(folder, CRAWL_FILES[choices.number(len(CRAWL_FILES))])
        file.write_bytes(choices.rest())
        try:
            units = parts_of(units_of([file]), 1 << 25)
        except UnusableInput:  # a WACZ of no WARC, given alone
            return
        records = [record for unit in units for record in read_unit(unit)]
        assert records or not file.stat().st_size
    assert all(record.detail for record in records if isinstance(record, Skipped))


TARGETS: dict[str, Target] = {
    target.__name__: target for target in (documents, snapshots, frames, addresses, learned_templates, crawls)
}


def signed(payload: bytes) -> bytes:
    """Return the columns of a learned template as the bytes of a file."""
    head = learned_columns._MARK + bytes([learned_columns.VERSION])
    return head + learned_columns._digest(payload) + payload


@cache
def _pages_to_apply() -> tuple[LoadedPage, ...]:
    further = page("D", '<article class="story"><p>Another <b>story</b></p></article>')
    return LoadedPage(HOME, PAGES[HOME].encode()), LoadedPage(f"{HOME}d", further.encode())


def _snapshot(choices: Choices) -> Snapshot:
    tags, parents, attributes, texts = [0], [-1], [[choices.text(), choices.text()]], [(0, -1, choices.text())]
    while choices.left:
        parent = len(tags) - 1 - choices.number(8)
        tags.append(choices.number(len(NAMES) + 1))
        parents.append(parent)
        name = ATTRIBUTES[choices.number(len(ATTRIBUTES))]
        attributes.append([name, choices.text()] if choices.number(2) else [])
        texts.append((len(tags) - 1 - choices.number(3), choices.number(16) - 1, choices.text()))
    return Snapshot(
        url=HOME,
        base=HOME,
        names=list(NAMES),
        tags=tags,
        parents=parents,
        attributes=attributes,
        texts=texts,
        doctype=("html", None)[len(tags) % 2],
        boxes=[(0.0, 1.0, 2.0, float(tag)) for tag in tags] if len(tags) % 3 else None,
    )


def _use(document: Document) -> None:
    """Do with a document what an extraction does, and check what holds of every document."""
    _check_document(document)
    _check_sketch(KeySketch(document), document)
    links = site_links(document)
    assert sorted(link.url for link in sort_links(document, links)) == sorted(link.url for link in links)
    answers = [element % 3 > 0 for element in range(len(document))]
    texts = [True] * len(document.texts)
    _check_ranges(answers)
    page = JudgedPage(document, answers, texts)
    assert isinstance(template_html(page), str)
    assert isinstance(jinja_layout(page), str)


def _check_document(document: Document) -> None:
    count = len(document)
    assert len(document.parents) == len(document.attributes) == len(document.ends) == count > 0
    assert document.parents[0] == -1
    for element in range(1, count):
        parent = document.parents[element]
        assert 0 <= parent < element < document.ends[element] <= document.ends[parent]
    assert all(0 <= run.parent < count and -1 <= run.after < count for run in document.texts)


def _check_sketch(sketch: Sketch, document: Document) -> None:
    assert len(sketch.goes_with) == len(document)
    assert len(sketch.hashes) == len(sketch.ends) == len(sketch) == len(sketch.document_elements)
    assert all(-1 <= element < len(sketch) for element in sketch.goes_with)


def _check_ranges(answers: Sequence[bool]) -> None:
    made = ranges(element for element, answer in enumerate(answers) if answer)
    assert all(0 <= start < end <= len(answers) for start, end in made)
    assert all(before[1] < after[0] for before, after in pairwise(made))


def _check_resolved(reference: str, base: str) -> None:
    """Check that the quick way to resolve gives what the rules of the standard give, name and password apart."""
    try:
        by_the_rules = str(ada_url.join_url(base, reference))
    except ValueError:
        by_the_rules = ""
    expected = _without_user(by_the_rules) if by_the_rules.startswith(("http://", "https://")) else ""
    assert _without_user(resolve(reference, base) or "") == expected


def _without_user(url: str) -> str:
    if not url:
        return ""
    parsed = ada_url.URL(url)
    parsed.username = parsed.password = ""
    return str(parsed.href)
