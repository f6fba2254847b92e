"""PageLevel: features, classifier, smoothing, and the detector that loads nothing."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.memory_source import MemorySource

from sitestencil.detectors.pagelevel.features import FEATURES, element_features
from sitestencil.detectors.pagelevel.model import Band, Model, read_model, shipped_model
from sitestencil.detectors.pagelevel.templateness import Smoothing, classified_nodes, templateness
from sitestencil.errors import UnusableModel
from sitestencil.extraction import extract
from sitestencil.page.document import Box, Document
from sitestencil.page.geometry import page_boxes
from sitestencil.page.parsing import parse
from sitestencil_research.uses.segments import page_segments

MENU = "".join(f'<li><a href="/{name}/">{name}</a></li>' for name in ("news", "shop", "about", "contact", "jobs"))
STORY = "".join(
    f"<p>{'The harbour bridge opened again after a long winter of repairs. ' * 8}</p>" for _ in range(6)
)
PAGE = f"""<!doctype html><html><head><title>Harbour bridge opens - Gazette</title></head><body>
<div id=menu><ul>{MENU}</ul></div><div id=story><h1>Harbour bridge opens</h1>{STORY}</div>
<div id=footer><ul>{MENU}</ul></div></body></html>"""


@pytest.fixture
def page() -> Document:
    return parse(PAGE, "http://gazette.example/2024/bridge.html")


def _by_id(document: Document, name: str) -> int:
    return next(element for element in range(len(document)) if document.id(element) == name)


def _features(document: Document, element: int) -> dict[str, float]:
    return dict(zip(FEATURES, element_features(document, [element], page_boxes(document))[0], strict=True))


def test_a_menu_and_a_story_differ_as_the_paper_says(page: Document) -> None:
    menu, story = _features(page, _by_id(page, "menu")), _features(page, _by_id(page, "story"))
    for name in ("margin_top", "links_per_word", "anchor_text", "site_links"):
        assert menu[name] > story[name], name
    for name in ("visible", "title_found"):
        assert menu[name] < story[name], name


def test_every_feature_is_finite_on_a_page_with_nothing_on_it() -> None:
    document = parse("", "http://a.example/")
    assert all(0 <= value <= 10 for value in _features(document, 0).values())


def test_small_elements_are_not_classified_and_weigh_in_at_their_parent() -> None:
    document = parse("<body><div><p>a<p>b<i>c</i></div>", "http://a.example/")
    sizes = {"html": 100, "body": 100, "div": 100, "p": 40, "i": 100}
    boxes = [Box(0, 0, sizes.get(tag, 0), sizes.get(tag, 0)) for tag in document.tags]
    nodes = classified_nodes(document, boxes)
    body, div, italic = (document.tags.index(tag) for tag in ("body", "div", "i"))
    assert nodes.elements == [body, div, italic]
    assert nodes.parents == [-1, 0, 1]
    assert nodes.weights == [1, 3, 1]
    assert [nodes.position[element] for element in range(div, len(document))] == [1, 1, 1, 2]


def _model(*bands: tuple[float, dict[str, float], float]) -> Model:
    """A model that looks at single features, as they are."""
    ones, zeros = [1.0] * len(FEATURES), [0.0] * len(FEATURES)
    made = [
        Band(area, bias, [weights.get(name, 0.0) for name in FEATURES], zeros, ones, 1, 0.5)
        for area, weights, bias in bands
    ]
    return Model(1, list(FEATURES), made)


def test_small_elements_take_the_templateness_of_their_parent(page: Document) -> None:
    judged = templateness(page, _model((0, {"anchor_text": 8.0}, -4.0)))
    values = judged.of_elements(judged.values)
    link = page.tags.index("a")
    assert link not in judged.nodes.elements
    assert values[link] == values[page.parents[link]] > 0.9


def test_templateness_never_falls_from_parent_to_child(page: Document) -> None:
    judged = templateness(page, shipped_model())
    assert len(judged.nodes.elements) > 10
    for node, parent in enumerate(judged.nodes.parents):
        assert parent < 0 or judged.values[parent] <= judged.values[node]


def test_the_browser_s_geometry_has_bands_of_its_own(page: Document) -> None:
    source, browser = _model((0, {}, -800.0)), _model((0, {}, 800.0))
    model = Model(1, list(FEATURES), source.source, browser.source)
    rendered = replace(page, boxes=page_boxes(page))
    assert set(templateness(page, model).scores) == {0.0}
    assert set(templateness(rendered, model).scores) == {1.0}


def test_the_shipped_model_finds_the_menus_and_leaves_the_story(page: Document) -> None:
    source = MemorySource({})
    template = extract(page, source=source, detector="pagelevel")
    assert source.asked == []
    assert template.pages_loaded == 0
    assert template.candidates == ()
    assert template.elements[_by_id(page, "menu")]
    assert template.elements[_by_id(page, "footer")]
    assert not template.elements[_by_id(page, "story")]


def test_the_containers_of_template_elements_are_template_but_not_their_own_text() -> None:
    document = parse(PAGE.replace("<div id=story>", "Loose words of the story<div id=story>"), "http://a.example/")
    template = extract(document, pages={}, detector="pagelevel")
    assert template.elements[document.body or 0]
    loose = next(n for n, run in enumerate(document.texts) if "Loose" in run.text)
    assert not template.detection.template_texts[loose]


def test_a_page_without_a_body_has_only_its_frame() -> None:
    document = Document("http://a.example/", "http://a.example/", ["html"], [-1], [{}], [])
    template = extract(document, pages={}, detector="pagelevel")
    assert list(template.elements) == [True]


def test_the_segments_of_a_page_hold_each_of_its_elements_once(page: Document) -> None:
    segments = page_segments(page)
    held = [element for segment in segments for start, end in segment.elements for element in range(start, end)]
    assert sorted(held) == list(range(page.body or 0, len(page)))
    for segment in segments[1:]:
        assert segment.templateness > segments[segment.parent].templateness
        assert segment.top == segment.elements[0][0]


def test_a_greater_penalty_gives_fewer_segments(page: Document) -> None:
    few = set(templateness(page, shipped_model(), Smoothing(penalty=100.0)).segments)
    assert len(few) == 1 < len(page_segments(page))


def test_a_model_of_another_version_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "model.json"
    for text in (b"{}", b"not json", Model(1, ["other"], []).to_json(), Model(1, list(FEATURES), []).to_json()):
        file.write_bytes(text)
        with pytest.raises(UnusableModel, match="sitestencil train"):
            read_model(file)
    with pytest.raises(UnusableModel, match="sitestencil train"):
        read_model(tmp_path / "missing.json")
