"""The whole way, from a site to its template."""

import asyncio
import json
from collections.abc import Mapping

import pytest
from tests.support.memory_source import MemorySource
from tests.support.small_site import HOME, PAGES

import sitestencil
from sitestencil.detectors.detection import Detection
from sitestencil.errors import NoCandidates, NothingLoaded, SiteError, TimeOut, UnknownDetector
from sitestencil.extraction import extract_document, extract_site
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.page.ranges import ranges
from sitestencil.progress import Progress
from sitestencil.site.loading import Site
from sitestencil.site.sources import Response
from sitestencil.template import Template


def template_of(pages: Mapping[str, str], progress: list[Progress] | None = None) -> Template:
    key = parse(pages[HOME], HOME)
    report = progress.append if progress is not None else None
    return asyncio.run(extract_document(key, source=MemorySource(pages), detector="temex", progress=report))


def test_the_menu_and_the_containers_are_template_and_the_story_is_not() -> None:
    template = template_of(PAGES)
    found = dict(zip(template.document.tags, template.elements, strict=True))
    assert all(found[tag] for tag in ("html", "head", "body", "header", "nav", "a", "main", "footer"))
    assert not found["article"]
    assert not found["p"]


def test_the_json_output_has_every_field_and_ranges_of_elements() -> None:
    template = template_of(PAGES)
    answer = json.loads(template.to_json())
    assert answer["url"] == HOME
    assert answer["detector"] == "temex"
    assert len(answer["candidates"]) == answer["pages_loaded"] == 3
    assert answer["elements"] == len(template.document)
    inside = {number for start, end in answer["template"] for number in range(start, end)}
    assert inside == {number for number, is_template in enumerate(template.elements) if is_template}
    assert answer["sureness"] is answer["more_pages"] is answer["scores"] is None
    assert set(answer["timings_ms"]) == {"fetch", "parse", "candidates", "mapping", "total"}


def test_the_reasons_are_a_line_for_each_judged_element() -> None:
    key = parse(PAGES[HOME], HOME)
    template = asyncio.run(extract_document(key, source=MemorySource(PAGES), detector="stencil"))
    lines = template.to_text().splitlines()
    assert lines[0].startswith("T   body.site  1.00: in place 100%")
    assert any(line.startswith("C ") and "article" in line for line in lines)
    assert len(lines) < len(key)
    assert len(json.loads(template.to_json())["scores"]) == len(key)


def test_a_detector_of_ones_own_needs_no_name() -> None:
    class Nothing:
        async def detect(self, key: Document, site: Site) -> Detection:
            return Detection([False] * len(key), [False] * len(key.texts), ())

    key = parse(PAGES[HOME], HOME)
    template = asyncio.run(extract_document(key, source=MemorySource(PAGES), detector=Nothing()))
    assert template.detector == "nothing"
    assert not any(template.elements)


def test_a_detector_without_reasons_still_tells_template_from_content() -> None:
    lines = template_of(PAGES).to_text().splitlines()
    assert "T   body.site" in lines
    assert any(line.startswith("C ") and "article" in line for line in lines)


def test_the_annotated_output_is_the_page_with_a_class_on_template_elements() -> None:
    template = template_of(PAGES)
    annotated = parse(template.to_annotated_html(), HOME)
    own = [element for element, tag in enumerate(annotated.tags) if tag != "meta"]  # policy and encoding are added
    assert [annotated.tags[element] for element in own] == template.document.tags
    marked = ["template_node" in annotated.classes[element] for element in own]
    assert marked == list(template.elements)
    assert annotated.classes[annotated.tags.index("header")] == {"top", "template_node"}


def test_the_html_output_is_the_template_alone() -> None:
    html = template_of(PAGES).to_html()
    assert "Imprint" in html
    assert "Key story" not in html


def test_progress_is_told_page_by_page() -> None:
    told: list[Progress] = []
    template_of(PAGES, told)
    assert [progress.pages_loaded for progress in told if progress.stage == "loading"] == [1, 2, 3]
    assert told[-1].stage == "mapping"


def test_the_default_detector_has_an_answer_also_for_a_page_without_links() -> None:
    key = parse("<nav>Menu</nav><main>" + "<p>A long story about something</p>" * 9, HOME)
    template = asyncio.run(extract_document(key, source=MemorySource({})))
    assert template.detector == "stencil"
    assert len(template.elements) == len(key)


def test_a_page_without_links_is_told_so() -> None:
    with pytest.raises(NoCandidates, match="links to no other page"):
        template_of({HOME: "<p>alone"})


def test_links_that_all_fail_are_told_so() -> None:
    with pytest.raises(NothingLoaded, match="None of the 3 linked pages"):
        template_of({HOME: PAGES[HOME]})


def test_a_site_that_does_not_answer_is_told_so() -> None:
    class Stalling(MemorySource):
        async def fetch(self, url: str) -> Response:
            await asyncio.sleep(60)
            return await super().fetch(url)

    key = parse(PAGES[HOME], HOME)
    with pytest.raises(TimeOut, match="did not answer in time"):
        asyncio.run(extract_document(key, source=Stalling(PAGES), detector="temex", seconds=0.05))


def test_an_unknown_detector_is_told_with_the_known_ones() -> None:
    key = parse(PAGES[HOME], HOME)
    with pytest.raises(UnknownDetector, match="temex"):
        asyncio.run(extract_document(key, source=MemorySource(PAGES), detector="magic"))


def test_a_folder_that_is_no_site_is_told_what_a_site_is(tmp_path: object) -> None:
    with pytest.raises(SiteError, match=r"site\.json"):
        extract_site(str(tmp_path))


def test_ranges_are_half_open_and_do_not_touch() -> None:
    assert ranges([0, 1, 2, 5, 7, 8]) == [(0, 3), (5, 6), (7, 9)]
    assert ranges([]) == []


def test_every_public_name_can_be_had() -> None:
    for name in sitestencil.__all__:
        assert getattr(sitestencil, name) is not None
    with pytest.raises(AttributeError, match="no attribute"):
        _ = sitestencil.nothing_of_the_kind
