"""Which links may be followed, on a table of addresses as systems in use write them."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.tables import table

from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.document import Document, LinkLabel
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse
from sitestencil.site.followable import is_button, link_acts
from sitestencil.site.links import all_site_links, site_links

HOME = "http://x.test/"


class Row(NamedTuple):
    followable: bool
    url: str
    text: str
    attributes: Mapping[str, str]


def rows() -> Iterator[Row]:
    for line in Path(__file__).with_name("followable_addresses.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            answer, url, text, attributes = [*line.split("\t"), "", ""][:4]
            pairs = (pair.partition("=") for pair in filter(None, attributes.split("; ")))
            yield Row(answer == "yes", url, text, {name: value for name, _, value in pairs})


ROWS = list(rows())


@table("row", ROWS)
def test_a_link_of_the_table_may_be_followed_or_not(row: Row) -> None:
    acts = link_acts(row.url, LinkLabel(row.attributes, row.text)) or is_button(row.attributes)
    assert acts is not row.followable


@table(
    "link",
    [
        '<a href="/a?action=delete">x</a>',
        '<a href="/a"><span>Log <b>out</b></span></a>',
        '<a href="/a"><img src="x" alt="Delete"></a>',
        '<a href="/a" title="Unsubscribe">x</a>',
        '<a href="/a" data-method="delete">x</a>',
        '<a href="/a" role="button">x</a>',
        '<a href="/a" download>x</a>',
        '<a href="/a">Page</a><a href="/a">Delete</a>',
        '<a href="/a">Delete</a><a href="/a">Page</a>',
        '<map><area href="/a" alt="Log out"></map>',
    ],
)
def test_a_page_to_which_any_link_seems_to_act_is_no_candidate(link: str) -> None:
    document = parse(f'{link}<a href="/b">b</a>', HOME)
    candidate = CandidateSketch(f'{link}<a href="/b">b</a>', HOME, scripting=False)
    for page in (document, KeySketch(document), candidate):
        assert [found.page for found in site_links(page)] == ["x.test/b"]
        assert {found.page: found.acts for found in all_site_links(page)}["x.test/b"] is False


def test_a_button_to_a_page_that_a_menu_shows_does_not_hide_the_page() -> None:
    button, plain = '<a href="/a" role="button">Read more</a>', '<a href="/a">A</a>'
    for links in (f"{button}{plain}", f"{plain}{button}"):
        assert [link.page for link in site_links(parse(links, HOME))] == ["x.test/a"]
    assert not site_links(parse(f'{button}{plain}<a href="/a">Delete</a>{plain}', HOME))


def test_a_link_in_a_shadow_root_is_judged_by_its_own_words() -> None:
    attributes: list[dict[str, str]] = [
        {},
        {},
        {},
        {"shadowrootmode": "open"},
        {"href": "/a", "data-method": "delete"},
    ]
    document = Document(
        url=HOME,
        base=HOME,
        tags=["html", "body", "x-menu", "template", "a", "a"],
        parents=[-1, 0, 1, 2, 3, 1],
        attributes=[*attributes, {"href": "/b"}],
        texts=[],
    )
    assert [link.page for link in site_links(KeySketch(document))] == ["x.test/b"]


def test_fifty_thousand_links_take_no_second() -> None:
    links = "".join(f'<a href="/item/{n}?id={n}">Item {n}</a>' for n in range(50_000))
    page = parse(links, HOME)
    start = time.process_time()
    assert site_links(page)
    assert time.process_time() - start < 1
