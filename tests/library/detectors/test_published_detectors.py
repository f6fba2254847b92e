"""HybEx, ConEx, SiteLevel and Alignment as detectors, on a small site and on real ones."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.support.memory_source import MemorySource

from sitestencil.detectors import Detector, load_detector
from sitestencil.detectors.alignment.detector import Alignment
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.hybex.detector import content_elements
from sitestencil.detectors.sitelevel.detector import SiteLevel
from sitestencil.errors import NoCandidates, NothingLoaded, TimeOut
from sitestencil.extraction import extract
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader

HOME = "http://site.test/"
SITE_LEVEL = ["hybex", "sitelevel", "alignment"]
SITES = ["040code", "aikido-cotiere", "pycon-2015"]


def page(number: int, pages: int = 20) -> str:
    menu = "".join(f'<li><a href="/{other}">Page {other}</a></li>' for other in range(1, pages))
    return (
        f'<!doctype html><title>Page {number}</title><body><header id="top"><ul id="menu">{menu}</ul></header>'
        f'<main id="main"><article id="story{number}"><p>Story number {number} is told here.</p></article></main>'
        '<footer id="foot">Imprint</footer>'
    )


PAGES = {HOME: page(0), **{f"{HOME}{number}": page(number) for number in range(1, 20)}}


def detect(detector: Detector, pages: Mapping[str, str] = PAGES) -> tuple[Document, Detection, list[str]]:
    source = MemorySource(pages)
    key = parse(pages[HOME], HOME)
    detection = asyncio.run(detector.detect(key, PageLoader(key, source)))
    return key, detection, source.asked


def ids(key: Document, detection: Detection) -> set[str]:
    return {key.id(element) for element, template in enumerate(detection.template) if template and key.id(element)}


def test_sitelevel_finds_what_recurs_and_not_the_container_of_what_does_not() -> None:
    key, detection, asked = detect(SiteLevel())
    assert ids(key, detection) == {"top", "menu", "foot"}
    assert len(asked) == len(detection.candidates) == 19
    texts = {run.text: template for run, template in zip(key.texts, detection.template_texts, strict=True)}
    assert texts["Imprint"]
    assert not texts["Story number 0 is told here."]


def test_sitelevel_takes_no_more_pages_than_it_is_told() -> None:
    _, detection, asked = detect(SiteLevel(most_pages=5))
    assert len(asked) == len(detection.candidates) == 4


def test_alignment_finds_the_containers_too() -> None:
    key, detection, asked = detect(Alignment())
    assert ids(key, detection) == {"top", "menu", "main", "foot"}
    assert len(asked) == len(detection.candidates) == 15
    texts = {run.text: template for run, template in zip(key.texts, detection.template_texts, strict=True)}
    assert texts["Imprint"]
    assert not texts["Story number 0 is told here."]


@pytest.mark.parametrize(("others", "compared"), [(1, 1), (2, 1), (3, 3), (9, 7)])
def test_alignment_takes_the_greatest_power_of_two_that_the_site_gives(others: int, compared: int) -> None:
    pages = {HOME: page(0), **{f"{HOME}{number}": page(number) for number in range(1, others + 1)}}
    key, detection, _ = detect(Alignment(), pages)
    assert len(detection.candidates) == compared
    assert {"top", "menu", "main", "foot"} <= ids(key, detection)


@pytest.mark.parametrize("pages", [0, 1, 3, 12])
def test_alignment_takes_nothing_else(pages: int) -> None:
    with pytest.raises(ValueError, match="power of two"):
        Alignment(pages=pages)


def test_alignment_with_one_seed_gives_one_answer() -> None:
    assert detect(Alignment(seed=5))[1] == detect(Alignment(seed=5))[1]
    assert detect(Alignment(seed=5))[1].candidates != detect(Alignment(seed=6))[1].candidates


@pytest.mark.parametrize("site", SITES)
def test_conex_loads_nothing_and_calls_all_but_the_content_template(benchmark_sites: Path, site: str) -> None:
    template = extract(benchmark_sites / site, detector="conex")
    document, content = template.document, content_elements(template.document)
    assert any(content)
    assert list(template.elements) == [not is_content for is_content in content]
    assert template.pages_loaded == 0
    for run, is_template in zip(document.texts, template.detection.template_texts, strict=True):
        assert is_template is not content[run.parent]


@pytest.mark.parametrize("site", SITES)
def test_hybex_is_the_addons_temex_without_conexs_content(benchmark_sites: Path, site: str) -> None:
    temex, hybex = (extract(benchmark_sites / site, detector=name) for name in ("temex-addon", "hybex"))
    content = content_elements(hybex.document)
    assert any(content)
    expected = [kept and not out for kept, out in zip(temex.elements, content, strict=True)]
    assert list(hybex.elements) == expected
    assert hybex.candidates == temex.candidates


@pytest.mark.parametrize("name", [*SITE_LEVEL, "conex"])
@pytest.mark.parametrize("site", SITES)
def test_no_text_of_a_content_element_is_template(benchmark_sites: Path, site: str, name: str) -> None:
    template = extract(benchmark_sites / site, detector=name)
    assert any(template.detection.template_texts)
    for run, is_template in zip(template.document.texts, template.detection.template_texts, strict=True):
        assert template.elements[run.parent] or not is_template


@pytest.mark.parametrize("name", SITE_LEVEL)
def test_a_page_without_links_is_told_so(name: str) -> None:
    with pytest.raises(NoCandidates, match="links to no other page"):
        detect(load_detector(name), {HOME: "<p>alone"})


@pytest.mark.parametrize("name", SITE_LEVEL)
def test_links_that_all_fail_are_told_so(name: str) -> None:
    with pytest.raises(NothingLoaded, match="None of the 19 linked pages"):
        detect(load_detector(name), {HOME: PAGES[HOME]})


@pytest.mark.parametrize("name", SITE_LEVEL)
def test_a_site_that_does_not_answer_is_told_so(name: str) -> None:
    class Stalling(MemorySource):
        async def load(self, link: Link) -> LoadedPage:
            await asyncio.sleep(60)
            return await super().load(link)

    key = parse(PAGES[HOME], HOME)
    with pytest.raises(TimeOut, match="did not answer in time"):
        asyncio.run(load_detector(name).detect(key, PageLoader(key, Stalling(PAGES), seconds=0.01)))


@pytest.mark.parametrize("name", [*SITE_LEVEL, "conex"])
@pytest.mark.parametrize("html", ["<frameset><frame src='/1'></frameset>", "<body>", '<body><a href="/1"></a>'])
def test_pages_with_little_in_them_get_an_answer(name: str, html: str) -> None:
    pages = {HOME: html, f"{HOME}1": page(1)}
    if name != "conex" and "/1" not in html:
        with pytest.raises(NoCandidates):
            detect(load_detector(name), pages)
        return
    key, detection, _ = detect(load_detector(name), pages)
    assert len(detection.template) == len(key)
    assert all(detection.template[: key.body])
