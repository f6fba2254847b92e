"""One process reads many pages of strangers: none of them changes how a later one is read."""

from random import Random

from tests.support.hostile_documents import NAMES, document
from tests.support.tables import table

from sitestencil.page.candidate_sketch import CandidateSketch

ORDINARY = "<p class=a id=b href=c src=d style=e title=f lang=g type=h>text<svg xlink:href=i viewBox=j></svg>"
PAYLOADS = (
    '<math xmlns="" xmlns style \'>',
    "<math xmlns=a xmlns=b title href class id src>",
    "<svg xlink:href=a xlink:href=b xmlns:xlink=c xmlns:xlink=d class id title>",
    "<svg xml:lang=a xml:lang=b xmlns xmlns><foreignObject xmlns xmlns class id>",
)


def attributes_of(html: str) -> list[list[tuple[str, str | None]]]:
    sketch = CandidateSketch(html, "https://site.example/", scripting=False)
    return [list(sketch.attributes(element).items()) for element in range(len(sketch))]


@table("payload", PAYLOADS)
def test_a_hostile_page_changes_nothing_for_the_next(payload: str) -> None:
    for _ in range(3):
        attributes_of(payload)
    expected = [("class", "a"), ("id", "b"), ("href", "c"), ("src", "d"), ("style", "e"), ("title", "f")]
    assert attributes_of(ORDINARY)[2] == [*expected, ("lang", "g"), ("type", "h")]
    assert attributes_of(ORDINARY)[3] == [("xlink:href", "i"), ("viewBox", "j")]


def test_many_pages_in_one_process_change_nothing_for_the_next() -> None:
    random, before = Random(19), attributes_of(ORDINARY)
    pages = [document(random) for _ in range(400)]
    assert any("xmlns" in page for page in pages)
    assert set(NAMES) <= {name for name in NAMES if any(name in page for page in pages)}
    for page in pages:
        attributes_of(page)
    assert attributes_of(ORDINARY) == before
