"""No payload gets through the writer: what it writes is parsed and looked through."""

from tests.support.judged_pages import all_content, judged
from tests.support.markdown_pages import markdown_faults
from tests.support.payloads import static_payloads
from tests.support.saved_pages import faults
from tests.support.tables import table

from sitestencil.outputs.content import content_body, content_html
from sitestencil.outputs.judged_page import Choices
from sitestencil.outputs.markdown import markdown
from sitestencil.outputs.safe_addresses import action_address
from sitestencil.outputs.standalone_html import annotated_html, template_html
from sitestencil.page.parsing import parse

PAYLOADS = dict(static_payloads())


@table("number", PAYLOADS)
@table("scripting", [False, True])
def test_a_page_that_runs_script_is_saved_without(number: int, scripting: bool) -> None:
    page = parse(PAYLOADS[number], "https://example.org/", scripting=scripting, checked=False)
    assert faults(template_html(judged(page), Choices(policy=None))) == []
    annotated = annotated_html(judged(page), "marked", Choices(policy=None))
    assert faults(annotated, own_base=action_address(page.base, page.url)) == []


@table("number", PAYLOADS)
@table("scripting", [False, True])
def test_the_content_of_a_page_that_runs_script_runs_none_as_html_and_as_markdown(
    number: int, scripting: bool
) -> None:
    page = parse(PAYLOADS[number], "https://example.org/", scripting=scripting, checked=False)
    assert faults(content_html(all_content(page), Choices(policy=None))) == []
    assert markdown_faults(markdown(content_body(all_content(page)))) == []


def test_there_are_enough_payloads_and_each_is_another() -> None:
    assert len(set(PAYLOADS.values())) == len(PAYLOADS) >= 200


def test_the_judge_of_markdown_finds_html_and_links_that_run() -> None:
    for text in (
        "a <b>c</b>",
        "<div>\n",
        "[a](javascript:b)",
        "![a](data:text/html,b)",
        "<javascript:a>",
        "`a <b> c",
    ):
        assert markdown_faults(text), text
    assert markdown_faults(r"a \<b>, `<i>` and [c](https://example.org/)") == []


def test_the_judge_finds_fault_with_nearly_all_of_them_unsaved() -> None:
    unnoticed = [html for html in PAYLOADS.values() if not faults(html)]
    assert len(unnoticed) <= 12, unnoticed
