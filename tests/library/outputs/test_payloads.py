"""No payload gets through the writer: what it writes is parsed and looked through."""

import pytest
from tests.support.payloads import static_payloads
from tests.support.saved_pages import faults

from sitestencil.outputs.standalone_html import annotated_html, template_html
from sitestencil.page.parsing import parse

PAYLOADS = dict(static_payloads())


@pytest.mark.parametrize("number", PAYLOADS)
@pytest.mark.parametrize("scripting", [False, True])
def test_a_page_that_runs_script_is_saved_without(number: int, scripting: bool) -> None:
    page = parse(PAYLOADS[number], "https://example.org/", scripting=scripting, checked=False)
    everything = [True] * len(page)
    assert faults(template_html(page, everything, [True] * len(page.texts), policy=None)) == []
    assert faults(annotated_html(page, everything, "marked", policy=None)) == []


def test_there_are_enough_payloads_and_each_is_another() -> None:
    assert len(set(PAYLOADS.values())) == len(PAYLOADS) >= 200


def test_the_judge_finds_fault_with_nearly_all_of_them_unsaved() -> None:
    unnoticed = [html for html in PAYLOADS.values() if not faults(html)]
    assert len(unnoticed) <= 12, unnoticed
