"""The whole way, from a page in any of its forms to its template."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.memory_source import MemorySource
from tests.support.server import Server
from tests.support.small_site import HOME, PAGES, served
from tests.support.tables import table

from sitestencil.detectors import DETECTORS, Learner, load_detector
from sitestencil.detectors.detection import Detection, Doubt
from sitestencil.detectors.pagelevel import detector
from sitestencil.detectors.pagelevel.templateness import Templateness, templateness
from sitestencil.errors import (
    CannotLearn,
    InvalidAddress,
    NoCandidates,
    NothingLoaded,
    PageUnavailable,
    UnknownDetector,
    UnusableSite,
    WrongArgument,
)
from sitestencil.extraction import extract, extract_async, learn, learn_async
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.progress import Progress
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources.http import HttpSource
from sitestencil.site.sources.stored import StoredSite
from sitestencil.template import Template


def template_of(pages: Mapping[str, str], progress: list[Progress] | None = None) -> Template:
    report = progress.append if progress is not None else None
    return extract(HOME, pages=pages, detector="temex", progress=report)


@pytest.fixture
def stored_site(tmp_path: Path) -> Path:
    (tmp_path / "pages").mkdir()
    (tmp_path / "site.json").write_text(json.dumps({"base_url": HOME, "key_page": "index.html"}))
    for url, html in PAGES.items():
        (tmp_path / "pages" / f"{url.removeprefix(HOME) or 'index'}.html").write_text(html)
    return tmp_path


def answer_of(page: Any, **arguments: Any) -> list[bool]:
    return list(extract(page, detector="temex", **arguments).elements)


EXPECTED = list(template_of(PAGES).elements)


@table("form", [str, str.encode, lambda html: f"\ufeff  {html}"])
def test_html_is_taken_as_text_and_as_bytes(form: Callable[[str], str | bytes]) -> None:
    assert answer_of(form(PAGES[HOME]), url=HOME, pages=PAGES) == EXPECTED


def test_a_document_and_a_loaded_page_have_their_own_address() -> None:
    assert answer_of(parse(PAGES[HOME], HOME), pages=PAGES) == EXPECTED
    assert answer_of(LoadedPage(HOME, PAGES[HOME].encode()), pages=PAGES) == EXPECTED


def test_a_stored_site_is_taken_open_or_as_its_folder(stored_site: Path) -> None:
    assert answer_of(stored_site) == EXPECTED
    assert answer_of(StoredSite(stored_site)) == EXPECTED


def test_pages_in_hand_are_all_that_is_known_of_a_site() -> None:
    form = "<!doctype html><form class='login'><p>Who are you?</p><input name='who'></form>"
    others = {f"{HOME}{name}": form.replace("Who", name) for name in "ab"}
    template = extract(PAGES[HOME], url=HOME, pages={HOME: form, **others})
    assert template.candidates != ()
    assert template.doubt is not Doubt.NOT_THE_SERVED_PAGE
    served = extract(PAGES[HOME], url=HOME, source=MemorySource({HOME: form, **others}))
    assert served.doubt is Doubt.NOT_THE_SERVED_PAGE


def test_a_browser_that_loads_the_pages_itself_is_not_asked_for_the_one_it_shows() -> None:
    class Browser(MemorySource):
        loads_as_shown = True

    form = "<!doctype html><form class='login'><p>Who are you?</p><input name='who'></form>"
    browser = Browser({f"{HOME}{name}": form.replace("Who", name) for name in "ab"})
    assert extract(PAGES[HOME], url=HOME, source=browser).doubt is not Doubt.NOT_THE_SERVED_PAGE
    assert browser.asked != []
    assert HOME not in browser.asked


def test_an_address_is_loaded_over_http_as_are_the_pages_that_it_links_to(server: Server) -> None:
    for path, html in served().items():
        server.add(path, html.encode())
    template = extract(f"{server.base}/", detector="temex")
    assert list(template.elements) == EXPECTED
    assert sorted(template.candidates) == [f"{server.base}/{name}" for name in ("about", "blog", "contact")]
    assert answer_of(f"{server.base}/", source=HttpSource()) == EXPECTED
    assert answer_of(served()["/"], url=f"{server.base}/") == EXPECTED


def test_pages_in_hand_are_html_or_trees_and_addresses_of_one_page_are_one() -> None:
    pages: dict[str, str | bytes | Document] = {
        f"{HOME}a#top": PAGES[f"{HOME}a"].encode(),
        f"{HOME}b": parse(PAGES[f"{HOME}b"], f"{HOME}b"),
        f"{HOME.replace('http', 'https')}c": PAGES[f"{HOME}c"],
        f"{HOME}index.html": PAGES[HOME],
    }
    template = extract(HOME, pages=pages, detector="temex")
    assert list(template.elements) == EXPECTED
    assert template.pages_loaded == 3


def test_pages_in_hand_are_compared_though_the_key_page_links_to_none() -> None:
    unlinked = {url: html.replace("href=", "data-to=") for url, html in PAGES.items()}
    template = extract(unlinked[HOME], url=HOME, pages=unlinked)
    assert sorted(template.candidates) == sorted(set(PAGES) - {HOME})
    assert template.pages_loaded == 3


def test_text_in_hand_is_read_as_it_is_whatever_encoding_it_declares() -> None:
    html = "<meta charset='iso-8859-1'><p>Größe"
    assert extract(html, url=HOME, pages={}).document.texts[0].text == "Größe"


def test_pages_in_hand_may_stand_in_for_those_of_a_stored_site(stored_site: Path) -> None:
    with pytest.raises(NothingLoaded):
        extract(stored_site, pages={}, detector="temex")


def test_an_address_that_is_not_among_the_pages_in_hand_is_not_loaded() -> None:
    with pytest.raises(PageUnavailable, match="not among the pages that were given"):
        extract(f"{HOME}elsewhere", pages=PAGES)


def test_a_source_is_opened_before_it_is_asked_and_closed_in_the_end() -> None:
    told: list[str] = []

    class Telling(MemorySource):
        async def __aenter__(self) -> "Telling":
            told.append("open")
            return self

        async def __aexit__(self, *_: object) -> None:
            told.append("closed")

        async def load(self, link: Link) -> LoadedPage:
            told.append(link.url)
            return await super().load(link)

    assert answer_of(HOME, source=Telling(PAGES)) == EXPECTED
    assert told[:2] == ["open", HOME]
    assert told[-1] == "closed"
    told.clear()
    with pytest.raises(PageUnavailable):
        extract(HOME, source=Telling({}))
    assert told == ["open", HOME, "closed"]


def test_in_a_running_event_loop_the_answer_is_the_same() -> None:
    async def notebook() -> list[bool]:
        return answer_of(HOME, pages=PAGES)

    assert asyncio.run(notebook()) == EXPECTED


def test_in_a_running_event_loop_an_error_reaches_the_caller() -> None:
    async def notebook() -> None:
        extract("<p>alone", url=HOME, pages={}, detector="temex")

    with pytest.raises(NoCandidates):
        asyncio.run(notebook())


def test_a_coroutine_takes_the_same_arguments() -> None:
    async def program() -> tuple[list[bool], list[bool]]:
        template = await extract_async(PAGES[HOME], url=HOME, pages=PAGES, detector="temex")
        learned = await learn_async(PAGES[HOME], url=HOME, pages=PAGES, detector="temex")
        return list(template.elements), list(learned.apply(template.document).template)

    assert asyncio.run(program()) == (EXPECTED, EXPECTED)


@table(
    ("arguments", "options", "error", "sentence"),
    [
        ((42,), {}, WrongArgument, r"A page is an address, HTML .* not 42 \(int\)\."),
        ((PAGES,), {}, WrongArgument, r"\(dict\)\."),
        (("site.test",), {}, InvalidAddress, "'site.test' is neither a web address nor HTML"),
        (("ftp://site.test/",), {}, InvalidAddress, "is not an http or https address"),
        (("",), {"url": HOME}, WrongArgument, "url= is the address of HTML; '' is none"),
        (("<p>",), {}, WrongArgument, "HTML needs the address it came from"),
        ((b"x",), {}, WrongArgument, "HTML needs the address it came from"),
        (("<p>",), {"url": "site.test"}, InvalidAddress, "'site.test' is not a web address"),
        (("<p>",), {"url": 42}, WrongArgument, r"An address is a str, .* not 42 \(int\)"),
        ((HOME,), {"url": HOME}, WrongArgument, "url= is the address of HTML; 'http://site.test/' is none"),
        ((parse("<p>", "about:blank"),), {}, InvalidAddress, "'about:blank' is not an http or https address"),
        ((HOME,), {"pages": [HOME]}, WrongArgument, r"pages= takes a dictionary .* given \['http://site.test/'\]"),
        ((HOME,), {"pages": {HOME: 42}}, WrongArgument, r"that of http://site.test/ is 42 \(int\)"),
        ((HOME,), {"pages": {42: "<p>"}}, WrongArgument, r"An address is a str, .* not 42 \(int\)"),
        ((HOME,), {"pages": {"a": "<p>"}}, InvalidAddress, "'a' is not a web address"),
        ((HOME,), {"pages": PAGES, "source": MemorySource(PAGES)}, WrongArgument, "give one of them"),
        ((HOME,), {"source": PAGES}, WrongArgument, "source= takes something with the methods of a Source"),
        ((HOME,), {"source": MemorySource}, WrongArgument, "source= takes something with the methods of a Source"),
        ((HOME,), {"detector": 3}, WrongArgument, r"detector= takes a name \(temex, .* not 3 \(int\)"),
        ((HOME,), {"detector": type(load_detector("temex"))}, WrongArgument, "detector= takes a name"),
        ((HOME,), {"detector": "magic"}, UnknownDetector, "no detector 'magic'. Choose one of: temex"),
        ((HOME,), {"pages": PAGES, "progress": 3}, WrongArgument, "progress= takes a function"),
        ((HOME,), {"pages": PAGES, "timeout": "3"}, WrongArgument, "timeout= takes a number of seconds"),
        ((HOME,), {"pages": PAGES, "seconds": 3}, WrongArgument, "There is no argument seconds=."),
    ],
)
def test_a_wrong_argument_is_told_in_a_sentence(
    arguments: tuple[Any, ...], options: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    for function in (extract, learn):
        with pytest.raises(error, match=sentence):
            function(*arguments, **options)


def test_a_wrong_argument_is_a_type_error_too_and_says_no_more_than_is_read() -> None:
    with pytest.raises(TypeError) as caught:
        extract(["x" * 10_000])
    assert len(str(caught.value)) < 300


@table("name", [info.name for info in DETECTORS.values() if info.learns])
def test_a_learned_template_gives_the_key_page_the_detectors_own_answer(name: str) -> None:
    learned = learn(HOME, pages=PAGES, detector=name)
    template = extract(HOME, pages=PAGES, detector=name)
    assert list(learned.apply(template.document).template) == list(template.elements)
    assert template.fit == 1.0


@table("name", [info.name for info in DETECTORS.values() if not info.learns])
def test_a_detector_that_does_not_learn_says_so_and_names_those_that_do(name: str) -> None:
    with pytest.raises(CannotLearn, match=f"detector {name} .* Those that learn: temex, temex-addon, stencil"):
        learn(HOME, pages=PAGES, detector=name)


@table("name", DETECTORS)
def test_the_list_of_detectors_says_which_of_them_learn(name: str) -> None:
    assert isinstance(load_detector(name), Learner) == DETECTORS[name].learns


def test_a_learned_template_is_applied_to_trees_and_loaded_pages_alone() -> None:
    learned = learn(HOME, pages=PAGES)
    with pytest.raises(WrongArgument, match=r"Document, such as parse\(html, url\) returns"):
        learned.apply(PAGES[HOME])  # type: ignore[arg-type]


def test_the_menu_and_the_containers_are_template_and_the_story_is_not() -> None:
    template = template_of(PAGES)
    is_template = dict(zip(template.document.tags, template.elements, strict=True))
    assert all(is_template[tag] for tag in ("html", "head", "body", "header", "nav", "a", "main", "footer"))
    assert not is_template["article"]
    assert not is_template["p"]


def test_the_json_output_has_every_field_and_ranges_of_elements() -> None:
    template = template_of(PAGES)
    answer = json.loads(template.to_json())
    assert answer["url"] == HOME
    assert answer["detector"] == "temex"
    assert len(answer["candidates"]) == answer["pages_loaded"] == 3
    assert answer["elements"] == len(template.document)
    inside = {number for start, end in answer["template"] for number in range(start, end)}
    assert inside == {number for number, is_template in enumerate(template.elements) if is_template}
    assert answer["confidence"] is answer["more_pages"] is answer["scores"] is None
    assert set(answer["timings_ms"]) == {"fetch", "parse", "candidates", "mapping", "total"}


def test_the_reasons_are_a_line_for_each_judged_element() -> None:
    key = parse(PAGES[HOME], HOME)
    template = extract(key, pages=PAGES, detector="stencil")
    lines = template.to_reasons().splitlines()
    assert lines[0].startswith("T   body.site  1.00: in place 100%")
    assert any(line.startswith("M ") and "article" in line for line in lines)
    assert len(lines) < len(key)
    assert len(json.loads(template.to_json())["scores"]) == len(key)


def test_a_detector_of_ones_own_needs_no_name() -> None:
    class Nothing:
        async def detect(self, key: Document, site: PageLoader) -> Detection:
            return Detection([False] * len(key), [False] * len(key.texts), ())

    template = extract(HOME, pages=PAGES, detector=Nothing())
    assert template.detector == "nothing"
    assert not any(template.elements)


def test_a_detector_without_reasons_still_tells_template_from_content() -> None:
    lines = template_of(PAGES).to_reasons().splitlines()
    assert "T   body.site" in lines
    assert any(line.startswith("M ") and "article" in line for line in lines)


def test_the_annotated_output_is_the_page_with_a_class_on_template_elements() -> None:
    template = template_of(PAGES)
    annotated = parse(template.to_annotated_html(), HOME)
    added = {"meta", "base"}  # the policy, the encoding and the page's address
    own = [element for element, tag in enumerate(annotated.tags) if tag not in added]
    assert [annotated.tags[element] for element in own] == template.document.tags
    marked = ["template_node" in annotated.classes[element] for element in own]
    assert marked == list(template.elements)
    assert annotated.classes[annotated.tags.index("header")] == {"top", "template_node"}


def test_progress_is_told_page_by_page() -> None:
    told: list[Progress] = []
    template_of(PAGES, told)
    assert [progress.pages_loaded for progress in told if progress.stage == "loading"] == [0, 1, 2, 3]
    assert told[-1].stage == "mapping"


def test_a_folder_that_is_no_site_is_told_what_a_site_is(tmp_path: Path) -> None:
    with pytest.raises(UnusableSite, match=r"site\.json"):
        extract(tmp_path)


def test_the_main_content_of_a_page_alone_does_not_wait_for_its_template(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()

    def counted(document: Document, *rest: Any) -> Templateness:
        asked.append(document.url)
        return templateness(document, *rest)

    monkeypatch.setattr(detector, "templateness", counted)
    template = extract("<h1>Knots</h1><p>A bowline holds.", url=HOME, pages={})
    assert template.content_text() == "Knots\nA bowline holds.\n"
    assert not asked
    assert template.elements == list(template.elements)
    assert template.scores is not None and len(template.scores) == len(template.document)
    assert asked == [HOME]


def test_where_no_page_is_given_none_is_asked_for_and_no_link_ranked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sitestencil.detectors.stencil.comparison.PageChoice", None)
    template = extract("<p>Knots<a href=/ropes>Ropes</a><a href=/tides>Tides</a>", url=HOME, pages={})
    assert (template.loads, template.pages_loaded, template.candidates) == (0, 0, ())
