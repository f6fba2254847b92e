"""A learned template: the same answer to the last bit, as bytes and back, and what a page of another kind gets."""

import asyncio
import os
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import ROOT
from tests.support.hostile_pages import HOSTILE_MARKUP
from tests.support.memory_source import MemorySource
from tests.support.small_site import HOME, PAGES, page
from tests.support.tables import table

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import MAPPING_FITS_FROM, LearnedTemplate
from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.errors import UnusableLearnedTemplate
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources import Source
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import labelled_sites

KEY_PAGE = parse(PAGES[HOME], HOME)


def learn(key_page: Document, source: Source) -> LearnedTemplate:
    return asyncio.run(Stencil().learn(key_page, PageLoader(key_page, source)))


LEARNED = learn(KEY_PAGE, MemorySource(PAGES))


def template_tags(detection: Detection, document: Document) -> set[str]:
    return {tag for tag, is_template in zip(document.tags, detection.template, strict=True) if is_template}


def test_a_further_page_of_the_kind_gets_its_template_and_nothing_is_loaded() -> None:
    further = parse(page("D", '<article class="story"><p>Another <b>story</b></p></article>'), f"{HOME}d")
    applied = LEARNED.apply(further)
    assert {"html", "body", "header", "nav", "a", "main", "footer"} <= template_tags(applied, further)
    assert not {"article", "p", "b"} & template_tags(applied, further)
    assert applied.fit >= MAPPING_FITS_FROM


def test_the_texts_of_content_are_content_and_those_of_the_template_stay() -> None:
    further = parse(page("D", '<article class="story"><p>Another story</p></article>'), f"{HOME}d")
    applied = LEARNED.apply(further)
    by_text = {
        run.text: is_template for run, is_template in zip(further.texts, applied.template_texts, strict=True)
    }
    assert by_text["Imprint"]
    assert not by_text["Another story"]


def test_a_menu_with_an_entry_more_is_template_as_a_whole() -> None:
    html = PAGES[HOME].replace('<a href="/c">C</a>', '<a href="/c">C</a><a href="/e">New</a>')
    further = parse(html, f"{HOME}e")
    applied = LEARNED.apply(further)
    entries = [
        is_template
        for tag, parent, is_template in zip(further.tags, further.parents, applied.template, strict=True)
        if tag == "a" and further.tags[parent] == "nav"
    ]
    assert entries == [True] * 5


def test_a_page_of_another_kind_fits_less() -> None:
    other = parse('<!doctype html><body id="error"><h1>404</h1><p>Not found</p><ol><li>a<li>b</ol>', f"{HOME}404")
    further = parse(page("D", '<article class="story"><p>Another story</p></article>'), f"{HOME}d")
    assert LEARNED.apply(other).fit < MAPPING_FITS_FROM < LEARNED.apply(further).fit


def test_bytes_and_tree_of_a_page_get_the_same_answer(benchmark_sites: Path) -> None:
    for folder in labelled_sites(benchmark_sites)[::6]:
        site = StoredSite(folder)
        key_page = site.load_key_page().document()
        learned = learn(key_page, site)
        for file in sorted(site.pages.rglob("*.html"))[:4]:
            loaded = LoadedPage(site.url_of(file.relative_to(site.pages).as_posix()), file.read_bytes(), "stored")
            of_bytes, of_tree = learned.apply(loaded), learned.apply(loaded.document())
            assert list(of_bytes.template) == list(of_tree.template)
            assert of_bytes.scores == of_tree.scores
            assert list(of_bytes.template_texts) == list(of_tree.template_texts)
            assert of_bytes.fit == of_tree.fit


def test_a_learned_template_takes_at_most_60_bytes_for_an_element(benchmark_sites: Path) -> None:
    for folder in labelled_sites(benchmark_sites):
        site = StoredSite(folder)
        key_page = site.load_key_page().document()
        learned = learn(key_page, site)
        assert len(learned.to_bytes()) <= 60 * len(key_page), folder.name


def test_the_bytes_do_not_depend_on_the_hash_seed_of_the_process() -> None:
    program = "from tests.library.detectors.test_learned_template import LEARNED; print(LEARNED.to_bytes().hex())"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        command = [sys.executable, "-c", program]
        told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        assert told.strip() == LEARNED.to_bytes().hex()


def test_it_is_pickled_by_its_bytes() -> None:
    again = pickle.loads(pickle.dumps(LEARNED))
    assert again.to_bytes() == LEARNED.to_bytes()
    assert len(pickle.dumps(LEARNED)) < len(LEARNED.to_bytes()) + 200


def test_a_version_to_come_is_refused_in_a_sentence() -> None:
    data = bytearray(LEARNED.to_bytes())
    data[data.index(b"\0") + 1] = 3
    with pytest.raises(UnusableLearnedTemplate, match="version 3"):
        LearnedTemplate.from_bytes(bytes(data))


def test_what_is_no_learned_template_is_refused() -> None:
    with pytest.raises(UnusableLearnedTemplate, match="no learned template"):
        LearnedTemplate.from_bytes(b"GIF89a")


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_damaged_bytes_are_refused_whatever_was_changed(data: st.DataObject) -> None:
    good = LEARNED.to_bytes()
    place = data.draw(st.integers(0, len(good) - 1))
    if data.draw(st.booleans()):
        bad = good[:place]
    else:
        bad = good[:place] + bytes([good[place] ^ data.draw(st.integers(1, 255))]) + good[place + 1 :]
    with pytest.raises(UnusableLearnedTemplate):
        LearnedTemplate.from_bytes(bad)


def lying(**changes: object) -> bytes:
    """Return the bytes of a learned template with other columns, and the right digest."""
    columns = msgspec.structs.replace(LEARNED.columns, **changes)
    return columns.to_bytes()


def test_a_key_page_whose_columns_lie_is_refused() -> None:
    columns, count = LEARNED.columns, len(LEARNED.columns.tags)
    changes: tuple[dict[str, object], ...] = (
        {"steps_back": [0] * count},
        {"steps_back": [*columns.steps_back[:-1], 2**40]},
        {"hashes": columns.hashes[:-1]},
        {"own_texts": [255] * len(columns.own_texts)},
        {"text_bytes": [7]},
        {"document_elements": [0] * count},
        {"document_elements": [*columns.document_elements[:-1], 99_999]},
        {"ids": {99_999: "x"}},
        {"tags": [255] * count},
        {"kinds": [-1] * count},
        {"answer": msgspec.structs.replace(columns.answer, score_numbers=[0])},
        {"answer": msgspec.structs.replace(columns.answer, values=[])},
        {"confidence": 1.5},
    )
    for change in changes:
        with pytest.raises(UnusableLearnedTemplate, match="malformed"):
            LearnedTemplate.from_bytes(lying(**change))


def test_a_file_with_the_hashes_of_another_pages_subtrees_gets_an_answer_for_every_element() -> None:
    further = parse(page("D", "<table><tr><td>Numbers<td>More</table>"), f"{HOME}d")
    size, lie = len(LEARNED.sketch), KeySketch(further).hashes
    for shift in range(len(lie)):
        hashes = b"".join((lie[shift:] + lie * 3)[:size])
        applied = LearnedTemplate.from_bytes(lying(hashes=hashes)).apply(further)
        assert len(applied.template) == len(further)
        assert len(applied.template_texts) == len(further.texts)


def learned_by_chance(html: str, seed: int) -> LearnedTemplate:
    """Return a template of a page of which chance says what is template."""
    document, random = parse(html, HOME), Random(seed)
    share = random.choice([0.2, 0.5, 0.9, 1.0])
    template = [random.random() < share for _ in range(len(document))]
    texts = [random.random() < share for _ in document.texts]
    return LearnedTemplate.of("stencil", KeySketch(document), Detection(template, texts, ()))


def check_whole(html: str | bytes, learned: LearnedTemplate) -> None:
    """Check that a template tells something of each element and text of a page."""
    document = parse(html, f"{HOME}other")
    applied = learned.apply(document)
    assert (len(applied.template), len(applied.template_texts)) == (len(document), len(document.texts))


@given(HOSTILE_MARKUP, HOSTILE_MARKUP, st.integers(0, 99))
def test_hostile_pages_are_answered_as_a_whole(key: str, other: str, seed: int) -> None:
    learned = learned_by_chance(key, seed)
    for html in (key, other, f"{key}{other}"):
        check_whole(html, learned)


@table(
    "html",
    [
        "<div>" * 480 + "deep" + "</div>" * 480,
        "<p>open" * 300 + "<b><i><font size=1>" * 9,
        "<script><!--<script></script>--></script>text<pre>\n\n\ta\r\tb</pre>",
        "<a>1<div>2</a>3<table>4<tr>5<td>6</table>7",
        "<svg><foreignObject><p class=a>x</p></foreignObject><title>t</title></svg><foreignobject>y",
        "<div><template shadowrootmode=open><p>in the shadow</p></template>light</div><template>kept</template>",
        "<div><template shadowrootmode=open><td>cell<li>item</template></div>",
        "<p>a\x00b</p><xmp><b>&amp;</xmp><iframe><p></iframe><noscript><p>no</noscript><plaintext><p>all</p>",
        "<math><mi><![CDATA[a<b]]></mi><annotation-xml encoding=text/html><p>p</annotation-xml></math>",
        f"<p {' '.join(f'a{number}=1' for number in range(400))} class='{'c ' * 5000}'>x",
        "<div><script type=math/tex>a</script><img alt=b></div><p hidden><math><mi>c</math>d<p><span class=katex>"
        "<math><mi>e</math><b>f</b></span>g",
        "<frameset><frame></frameset>",
        "",
    ],
)
def test_pages_made_to_confuse_a_reader_are_answered_as_a_whole(html: str) -> None:
    for seed in range(6):
        check_whole(html, learned_by_chance(html, seed))


def test_bytes_of_any_encoding_are_answered_as_a_whole() -> None:
    random, key = Random(14), b"<div class=a><p>one<p>two</div><ul><li>x<li>y</ul>"
    learned = learned_by_chance(key.decode(), 3)
    for _ in range(50):
        check_whole(key.replace(b"one", random.randbytes(200).replace(b"<", b" ")), learned)
