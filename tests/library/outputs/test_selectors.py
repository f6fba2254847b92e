"""CSS selectors name what they say, judged by a CSS engine of another make on the page itself."""

import json
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.random_pages import DOCUMENTS
from tests.support.small_site import HOME, PAGES
from tests.support.tables import table

from sitestencil import Template, extract
from sitestencil.detectors.detection import Detection
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.outputs.selectors import selectors
from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT
from sitestencil.page.parsing import parse
from sitestencil.selectors.element_selectors import ElementSelectors

SITES = ("040code", "pandas", "twisted-api", "meat-shed", "pycon-2015")


def selected(answer: Template, group: tuple[str, ...]) -> list[int]:
    tree = answer.tree()
    number = {element: index for index, element in enumerate(tree.elements)}
    return [number[element] for selector in group for element in tree.root.cssselect(selector)]


def within(answer: Template, elements: list[int]) -> set[int]:
    return {part for element in elements for part in range(element, answer.document.ends[element])}


@table("name", SITES)
def test_on_real_pages_each_selector_names_what_it_says(benchmark_sites: Path, name: str) -> None:
    answer = extract(benchmark_sites / name, detector="temex")
    named = answer.selectors(around=True)
    template, content = selected(answer, named.template), selected(answer, named.content)
    assert all(answer.elements[element] for element in within(answer, template))
    assert not any(answer.elements[element] for element in content)
    assert all(answer.elements[element] for element in selected(answer, named.content_texts))
    missed = set(range(len(answer.elements))) - within(answer, content)
    unseen = {"script", "noscript", "style", "link", "meta", "title", "template"}
    left = {answer.document.tags[e] for e in missed if not answer.elements[e]}
    assert left <= unseen


@table("name", SITES)
def test_on_real_pages_the_selector_of_an_element_names_it_alone(benchmark_sites: Path, name: str) -> None:
    answer = extract(benchmark_sites / name, detector="temex")
    lines = [json.loads(line) for line in answer.to_json_lines().splitlines()]
    assert len(lines) == len(answer.document)
    for element in range(1, len(lines), 13):
        assert selected(answer, (lines[element]["selector"],)) == [element]


@settings(deadline=None)
@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_on_any_page_selectors_name_what_they_say_and_nothing_else(page: Document, chance: Random) -> None:
    template = [chance.random() < 0.6 for _ in range(len(page))]
    texts = [chance.random() < 0.6 for _ in page.texts]
    answer = Template(page, Detection(template, texts, ()))
    named = answer.selectors(around=True)
    whole = [all(template[element : page.ends[element]]) for element in range(len(page))]
    for number, run in enumerate(page.texts):
        if not texts[number] and not run.text.isspace() and page.tags[run.parent] not in NO_PAGE_TEXT:
            for above in page.path(run.parent):
                whole[above] = False
    unseen = NO_PAGE_TEXT | {"link", "meta", "base"}
    body = range(page.body or 0, len(page))
    topmost = [e for e in body if page.tags[e] not in unseen and whole[e] and not whole[page.parents[e]]]
    assert sorted(selected(answer, named.template)) == topmost
    content = [e for e in body if page.tags[e] not in unseen and not template[e] and template[page.parents[e]]]
    assert sorted(selected(answer, named.content)) == content
    names = ElementSelectors(page)
    for element in range(len(page)):
        if names.can_select(element):
            assert selected(answer, (names[element] or "",)) == [element]


def test_each_line_of_json_has_tag_selector_score_and_verdict() -> None:
    lines = [json.loads(line) for line in extract(HOME, pages=PAGES).to_json_lines().splitlines()]
    assert [set(line) for line in lines] == [{"url", "tag", "selector", "score", "verdict"}] * len(lines)
    story = next(line for line in lines if line["tag"] == "article")
    assert (story["selector"], story["verdict"]) == ("article", "main")
    assert 0 <= story["score"] < 0.5


def test_siblings_of_one_kind_share_a_selector_where_all_are_meant() -> None:
    page = parse("<ul id=list><li class=x>1<li class=x>2<li class=y>3</ul>", "https://example.org/")
    content = [tag == "li" for tag in page.tags]
    texts = [True] * len(page.texts)
    found = selectors(JudgedPage(page, [not is_content for is_content in content], texts))
    assert found.content == ("#list > li",)
    template = [tag != "li" or "y" in page.classes[element] for element, tag in enumerate(page.tags)]
    found = selectors(JudgedPage(page, template, texts))
    assert str(found) == "template\tli.y\ncontent\t#list > li.x\n"


def test_names_that_css_would_have_to_escape_or_that_number_a_page_are_not_used() -> None:
    page = parse(
        '<p id="a:b">1<p id="post-1234">2<p class="md:flex">3<p id="4">4<p id=twice>5<i id=twice></i>',
        "http://e.org/",
    )
    names = ElementSelectors(page)
    paragraphs = [names[element] for element, tag in enumerate(page.tags) if tag == "p"]
    assert paragraphs == [f"body > p:nth-of-type({number})" for number in range(1, 6)]


def test_what_stands_in_a_shadow_root_has_no_selector() -> None:
    tags, parents = ["html", "body", "div", "template", "p", "p"], [-1, 0, 1, 2, 3, 1]
    attributes = [{"shadowrootmode": "open"} if tag == "template" else {} for tag in tags]
    page = Document("https://example.org/", "https://example.org/", tags, parents, attributes, [])
    names = ElementSelectors(page)
    assert [names.can_select(element) for element in range(len(page))] == [True, True, True, False, False, True]


def test_the_selectors_of_a_very_wide_page_are_made_at_once() -> None:
    page = parse("<p>x" * 20_000, "https://example.org/")
    names = ElementSelectors(page)
    assert len({names[element] for element in range(len(page))}) == len(page)
