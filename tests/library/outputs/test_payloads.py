"""No payload gets through the writer: what it writes is parsed and looked through."""

from tests.support.judged_pages import all_content, judged
from tests.support.markdown_pages import markdown_faults
from tests.support.payloads import static_payloads
from tests.support.saved_pages import faults
from tests.support.tables import table

from sitestencil.outputs.content import content_html, content_markdown
from sitestencil.outputs.judged_page import Choices
from sitestencil.outputs.safe_addresses import action_address
from sitestencil.page.parsing import parse
from sitestencil.saving.standalone_html import annotated_html, template_html

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
    assert markdown_faults(content_markdown(all_content(page))) == []
