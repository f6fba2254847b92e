"""Mappings of whole trees, and the vote."""

from sitestencil.detectors.temex.detector import HYBEX_ADDON, THESIS, count_text_votes, raised_threshold
from sitestencil.detectors.temex.mapping import Mapper, is_crowded
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse

URL = "http://example.org/"


def _page(body: str) -> Document:
    return parse(f"<!doctype html><body>{body}", URL)


def _tags(page: Document, elements: object) -> set[str]:
    assert isinstance(elements, dict)
    return {page.tags[element] for element in elements}


def test_the_thesis_compares_the_bodies_and_the_addon_takes_them_as_given() -> None:
    key = parse("<body class='a'><nav>x</nav>", URL)
    other = parse("<body class='b' data-x=1><nav>x</nav><p><p><p><p><p><p>", URL)
    assert not Mapper(THESIS.mapping).map(key, other)
    assert "nav" in _tags(key, Mapper(HYBEX_ADDON.mapping).map(key, other))


def test_a_text_is_the_templates_where_the_mapped_elements_have_one_too() -> None:
    key = _page("<div>Slogan of the day<b>x</b></div><section>loose words<b>y</b></section>")
    other = _page("<div>Another slogan<b>x</b></div><section><b>y</b></section>")
    mapping = Mapper(THESIS.mapping).map(key, other)
    texts = {key.texts[run].text: votes for run, votes in enumerate(count_text_votes(key, [other], [mapping]))}
    assert texts["Slogan of the day"] == 1
    assert texts["loose words"] == 0


def test_the_addon_raises_the_threshold_for_twins_but_not_above_the_candidates() -> None:
    key = _page("<p>x</p>")
    whole = {element: element for element in range(key.body or 0, len(key))}
    assert raised_threshold(key, 2, [whole, {}, {}]) == 3
    assert raised_threshold(key, 2, [whole, whole, {}]) == 3
    assert raised_threshold(key, 2, [{}, {}, {}]) == 2


def test_the_addon_maps_long_lists_in_groups_of_twenty() -> None:
    key = _page("<ul>" + "<li>x</li>" * 205 + "</ul>")
    shorter = _page("<ul>" + "<li>x</li>" * 100 + "</ul>")
    longer = _page("<ul>" + "<li>x</li>" * 240 + "</ul>")
    items = next(children for children in key.children if len(children) == 205)
    assert is_crowded(key, items)
    mapper = Mapper(HYBEX_ADDON.mapping)
    assert "li" not in _tags(key, mapper.map(key, shorter))
    mapping = mapper.map(key, longer)
    assert sum(key.tags[element] == "li" for element in mapping) == 200


def test_the_two_named_configurations_are_those_of_the_papers() -> None:
    assert (THESIS.subdigraph_size, THESIS.votes) == (HYBEX_ADDON.subdigraph_size, HYBEX_ADDON.votes) == (3, 2)
    equality = HYBEX_ADDON.mapping.equality
    assert equality.threshold == 0.9
    assert (
        equality.classes_weight,
        equality.position_weight,
        equality.attributes_weight,
        equality.children_weight,
    ) == (0.1, 0.4, 0.0, 0.5)
    assert (equality.no_classes, equality.no_attributes, equality.no_children) == (1, 0.75, 1)
    assert not HYBEX_ADDON.mapping.keep_order
    assert THESIS.mapping.keep_order
