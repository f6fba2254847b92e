"""Only links that look like pages are loaded where a request may act for the person."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from tests.library.site.test_followable import ROWS

from sitestencil.page.parsing import parse
from sitestencil.site.menu_links import MOST, menu_links

URL = "https://site.example/"


def paths(html: str, url: str = URL) -> list[str]:
    return [link.url.removeprefix(URL[:-1]) for link in menu_links(parse(html, url))]


def acting_links() -> Iterator[tuple[str, str, str]]:
    key_url = ""
    for line in Path(__file__).with_name("acting_links.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            first, second = line.split("\t")
            if first == "@":
                key_url = second
            else:
                yield key_url, urljoin(key_url, first), second


ACTING = list(acting_links())


def test_the_table_has_two_hundred_acting_links_none_of_them_twice() -> None:
    assert len(set(ACTING)) == len(ACTING) >= 200


@pytest.mark.parametrize(("key_url", "url", "text"), ACTING, ids=lambda part: part)
def test_a_link_that_acts_does_not_look_like_a_page(key_url: str, url: str, text: str) -> None:
    assert paths(f"<nav><ul><li><a href='{url}'>{text}</a></ul></nav>", key_url) == []


def test_links_that_say_that_they_act_do_not_look_like_pages() -> None:
    acting = [row for row in ROWS if not row.followable]
    passed = []
    for row in acting:
        attributes = " ".join(f'{name}="{value}"' for name, value in row.attributes.items())
        page = f"<nav><ul><li><a href='{row.url}' {attributes}>{row.text}</a></ul></nav>"
        passed += paths(page, urljoin(row.url, "/"))
    assert passed == []


@pytest.mark.parametrize(
    "around",
    [
        "<nav>{}</nav>",
        "<ul><li>{}</ul>",
        "<header><p>{}</p></header>",
        "<footer><div><span>{}</span></div></footer>",
        "<div role=navigation>{}</div>",
        "<dl><dd>{}</dl>",
    ],
)
def test_links_of_menus_and_lists_are_taken(around: str) -> None:
    assert paths(around.format("<a href=/about>A</a>")) == ["/about"]


@pytest.mark.parametrize("around", ["<p>See {} for more.</p>", "{}", "<main><div>{}</div></main>"])
def test_links_in_the_midst_of_a_text_or_by_themselves_are_not(around: str) -> None:
    assert paths(around.format("<a href=/about>A</a>")) == []


@pytest.mark.parametrize(
    ("key_path", "path"),
    [
        ("/x", "/"),
        ("/x", "/about-us/"),
        ("/x", "/de/impressum"),
        ("/x", "/2024/05/17/the-council-votes-on-the-bridge/"),
        ("/x", "/a-story-of-knots-and-ropes"),
        ("/x", "/news/page/2"),
        ("/x", "/tags/knots"),
        ("/guide/start.html", "/guide/knots.html"),
        ("/guide/ch01.html", "/guide/ch02.html"),
        ("/shop/ropes/index.html", "/shop/index.html"),
        ("/shop/ropes/blue", "/shop/ropes"),
        ("/node/41", "/node/42"),
        ("/news/41", "/news/42"),
        ("/index.php?id=5", "/index.php?id=6"),
        ("/index.php?id=5&lang=en", "/index.php?id=6&lang=en"),
    ],
)
def test_an_address_like_the_key_pages_or_of_words_for_pages_looks_like_a_page(key_path: str, path: str) -> None:
    assert paths(f"<nav><a href='{path}'>Read</a></nav>", URL[:-1] + key_path) == [path]


@pytest.mark.parametrize(
    "link",
    [
        "<a href=/news?token=8f14e45fceea167a>A</a>",
        "<a href=/news data-method=delete>A</a>",
        "<a href=/news role=button>A</a>",
        "<a href=/news title='Delete this'>A</a>",
        "<a href=/news aria-label=Remove>A</a>",
        "<a href=https://other.example/news>A</a>",
        "<a href=javascript:alert(1)>A</a>",
        "<a href=/file.pdf>A</a>",
        "<a href=/news;kill=1>A</a>",
        "<a href=/k%69ll/7>A</a>",
        "<a href=/%256bill/7>A</a>",
        "<a href=/news/../kill>A</a>",
        "<a href='/news\\..\\kill'>A</a>",
        "<a href=/news%2f..%2fkill>A</a>",
        "<a href=/KILL/about-us>A</a>",
    ],
)
def test_links_with_a_role_a_secret_or_a_hidden_order_do_not_look_like_pages(link: str) -> None:
    assert paths(f"<nav><ul><li>{link}</ul></nav>") == []


def test_there_are_no_more_than_a_person_may_read() -> None:
    items = "".join(f"<li><a href=/page/{number}>{number}</a>" for number in range(500))
    assert len(paths(f"<ul>{items}</ul>")) == MOST
