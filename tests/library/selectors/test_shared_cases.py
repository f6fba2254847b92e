"""The library and the extension read selectors, names and boxes alike.

``tests/extension/selectors.test.js`` reads the same table.
"""

import json
from contextlib import suppress
from pathlib import Path

from tests.support.tables import table

from sitestencil import parse
from sitestencil.errors import UnusableRules
from sitestencil.selectors.boxes import has_boxes, is_box
from sitestencil.selectors.element_selectors import lasting
from sitestencil.selectors.matching import Selector

CASES = json.loads(Path(__file__).parents[2].joinpath("support", "selector_cases.json").read_text(encoding="utf-8"))


@table(("boxes", "has"), CASES["boxes of the page"].items())
def test_each_box_has_the_tag_and_at_least_half_of_the_names(boxes: str, *, has: bool) -> None:
    assert has_boxes(parse(CASES["page"], "https://site.example/"), boxes.split()) is has


@table(("text", "is_box_"), CASES["boxes"].items())
def test_a_box_is_a_tag_with_ids_and_classes(text: str, *, is_box_: bool) -> None:
    assert is_box(text) is is_box_


@table(("name", "lasts"), CASES["names that last"].items())
def test_a_name_that_is_a_number_or_a_hash_does_not_last(name: str, *, lasts: bool) -> None:
    assert lasting(name) is lasts


@table(("text", "is_one"), CASES["selectors of rules"].items())
def test_a_rule_has_selectors_that_both_sides_read_alike(text: str, *, is_one: bool) -> None:
    selector = None
    with suppress(UnusableRules):
        selector = Selector(text)
    assert (selector is not None) is is_one
