"""Pages that the caller has already."""

import asyncio

import pytest
from tests.support.tables import table

from sitestencil.errors import PageUnavailable
from sitestencil.page.parsing import parse
from sitestencil.site.links import link_to
from sitestencil.site.sources.stored import PagesInHand

TREE = parse("<p>tree", "https://site.example/tree")
SOURCE = PagesInHand(
    {
        "https://site.example/": "<p>Größe",
        "https://site.example/a?b=1": b"<p>bytes",
        "https://site.example/tree": TREE,
    }
)


@table(
    ("url", "text"),
    [
        ("https://site.example/", "Größe"),
        ("https://site.example/#top", "Größe"),
        ("https://site.example/index.html", "Größe"),
        ("http://site.example/", "Größe"),
        ("https://site.example/a?b=1", "bytes"),
        ("https://site.example/tree", "tree"),
    ],
)
def test_a_page_is_found_by_every_address_that_it_has(url: str, text: str) -> None:
    page = asyncio.run(SOURCE.load(link_to(url)))
    assert page.way == "given"
    assert [run.text for run in page.document().texts] == [text]


@table("url", ["https://site.example/a", "https://other.example/", "https://site.example/a?b=2"])
def test_a_page_that_was_not_given_is_unavailable(url: str) -> None:
    with pytest.raises(PageUnavailable, match="not among the pages that were given"):
        asyncio.run(SOURCE.load(link_to(url)))
