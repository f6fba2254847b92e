import pytest
from selectolax.lexbor import LexborHTMLParser
from tests.support.tables import table

from sitestencil.page import parsing
from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.parsing import parse
from sitestencil.site.loaded_page import LoadedPage

URL = "https://site.example/a"
HTML = b"<title>A</title><noscript><p>Off</p></noscript><nav>Menu</nav><p>Text"


def test_a_page_is_parsed_once_for_its_document_and_its_sketches(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []

    def counting(text: str, **options: object) -> LexborHTMLParser:
        parsed.append(options["scripting"])
        return LexborHTMLParser(text, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(parsing, "LexborHTMLParser", counting)
    page = LoadedPage(URL, HTML)
    for _ in range(2):
        page.sketch()
        page.sketch(shadow_hosts={"x-host"})
        page.document()
    assert parsed == [False]
    page.sketch(scripting=True)
    page.document(scripting=True)
    assert parsed == [False, True]


@table("scripting", [False, True])
def test_what_shares_a_root_is_what_is_read_alone(*, scripting: bool) -> None:
    page = LoadedPage(URL, HTML)
    page.sketch(scripting=not scripting)
    sketch = page.sketch(scripting=scripting)
    alone = CandidateSketch(HTML, URL, scripting=scripting)
    assert sketch.hashes == alone.hashes
    assert page.document(scripting=scripting).tags == parse(HTML, URL, scripting=scripting).tags
