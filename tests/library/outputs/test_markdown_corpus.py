"""Small pages with the Markdown that people expect of them, in `markdown_corpus/`."""

from pathlib import Path

from tests.support.judged_pages import all_content
from tests.support.tables import table

from sitestencil.outputs.content import content_markdown
from sitestencil.page.parsing import parse

PAGES = sorted(Path(__file__).parent.glob("markdown_corpus/*.html"))


@table("page", PAGES)
def test_a_page_gives_the_markdown_beside_it(page: Path) -> None:
    written = content_markdown(all_content(parse(page.read_bytes(), "https://ropes.example/walk/page")))
    assert written == page.with_suffix(".md").read_text("utf-8")
