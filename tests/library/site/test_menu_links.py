"""Only links that look like pages are loaded where a request may act for the person."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

from tests.library.site.test_followable import ROWS
from tests.support.tables import table

from sitestencil.page.parsing import parse
from sitestencil.site.menu_links import MOST, may_be_asked_again, menu_links, near_links

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
WORDS = Path(__file__).with_name("acting_names.txt")  # log out, then orders of devices


@table(("key_url", "url", "text"), ACTING)
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


@table(
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


@table("around", ["<p>See {} for more.</p>", "{}", "<main><div>{}</div></main>"])
def test_links_in_the_midst_of_a_text_or_by_themselves_are_not(around: str) -> None:
    assert paths(around.format("<a href=/about>A</a>")) == []


@table(
    ("key_path", "path"),
    [
        ("/x", "/"),
        ("/x", "/about-us/"),
        ("/x", "/de/impressum"),
        ("/2023/11/02/a-day-on-the-river/", "/2024/05/17/the-council-votes-on-the-bridge/"),
        ("/the-ropewalk-of-the-old-harbour", "/a-story-of-knots-and-ropes"),
        ("/questions/41/a-knot-that-holds-well", "/questions/42/a-rope-of-three-strands"),
        ("/news", "/news/page/2"),
        ("/news", "/news/2024/5"),
        ("/x", "/2024/program"),
        ("/tags/ropes", "/tags/knots"),
        ("/index.html", "/introduction.html"),
        ("/guide/start.html", "/guide/examples.html"),
        ("/guide/ch01.html", "/guide/ch02.html"),
        ("/shop/ropes/index.html", "/shop/index.html"),
        ("/shop/ropes/blue", "/shop/ropes"),
        ("/node/41", "/node/42"),
        ("/news/41", "/news/42"),
        ("/index.php?id=5", "/index.php?id=6"),
        ("/index.php?id=5&lang=en", "/index.php?id=6&lang=en"),
        ("/news?page=1", "/news?page=2"),
        ("/view?id=55", "/view?id=66"),
    ],
)
def test_an_address_like_the_key_pages_or_of_words_for_pages_looks_like_a_page(key_path: str, path: str) -> None:
    assert paths(f"<nav><a href='{path}'>Read</a></nav>", URL[:-1] + key_path) == [path]


@table(
    ("key_path", "names"),
    [
        (
            "/",
            ["/2024/05/17/rain-in-the-port", "/2024/06/01/a-rope-for-each-hand", "/2024/06/02/how-knots-are-made"],
        ),
        ("/", ["/blog/knots-of-the-old-port", "/blog/a-rope-for-each-hand", "/blog/rain-in-the-old-port"]),
        ("/", ["/tags/knots", "/tags/ropes", "/tags/rain"]),
        ("/book/index.html", [f"/guide/{name}.html" for name in ("news", "history", "contact")]),
    ],
)
def test_titles_files_and_names_in_collections_pass_in_company_only(key_path: str, names: list[str]) -> None:
    def passing(*hrefs: str) -> list[str]:
        items = "".join(f"<li><a href={href}>Read</a>" for href in ("/blog", *hrefs))
        return [path for path in paths(f"<ul>{items}</ul>", URL[:-1] + key_path) if path != "/blog"]

    assert passing(*names) == names
    assert passing(*names[:2]) == []


@table("key_path", ["/", "/index.html", "/start.html", "/de/index.html"])
def test_no_lone_word_that_may_log_out_or_switch_a_device_looks_like_a_page(key_path: str) -> None:
    log_out, orders = (block.split() for block in WORDS.read_text(encoding="utf-8").split("\n\n"))
    assert len(set(log_out)) >= 90
    assert len(set(orders)) >= 200
    items = "".join(f"<li><a href='{word}.html'>Chapter</a>" for word in (*log_out, *orders))
    assert paths(f"<ul>{items}</ul>", URL[:-1] + key_path) == []


def test_a_file_with_links_to_several_of_its_places_looks_like_a_page() -> None:
    def passing(*hrefs: str) -> list[str]:
        return paths("".join(f"<ul><li><a href='{href}'>1</a></ul>" for href in hrefs), f"{URL}index.html")

    assert passing("hemp.html", "hemp.html#a", "hemp.html#b", "sisal.html") == ["/hemp.html"]
    assert passing("hemp.html", "hemp.html#a", "hemp.html#a", "hemp.html#") == []
    assert passing("hemp.html", "//else.example/hemp.html#a", "//else.example/hemp.html#b") == []
    assert passing("reboot.html", "reboot.html#a", "reboot.html#b") == []


def test_the_same_order_for_several_records_is_no_company() -> None:
    items = "".join(f"<li><a href=/story/{number}/fence-this-cluster-node>Go</a>" for number in range(9))
    assert paths(f"<ul>{items}</ul>") == []


@table("links", [["/about", "/about/team"], ["/blog", "/blog/archive", "/blog/2024"]])
def test_words_for_pages_below_a_linked_page_name_pages(links: list[str]) -> None:
    assert paths(f"<nav>{''.join(f'<a href={link}>Read</a>' for link in links)}</nav>") == links
    assert paths(f"<nav>{''.join(f'<a href={link}>Read</a>' for link in links[1:])}</nav>") == []


@table(
    "path",
    [
        *("/pump?start=1", "/unbolt", "/doorbell?id=1", "/cm?t=1", "/light/1?p=1", "/unbolt.html"),
        *("/unbolt-the-front-gate", "/tags/unbolt", "/news?page=1&page=2", "/item/42/archive"),
    ],
)
def test_an_address_that_names_no_page_by_itself_is_not_asked_for_again(path: str) -> None:
    assert not may_be_asked_again(URL[:-1] + path)


@table("path", ["/", "/about", "/news?page=2", "/page.html", "/de/impressum", "/story/42"])
def test_an_address_that_names_a_page_by_itself_may_be_asked_for_again(path: str) -> None:
    assert may_be_asked_again(URL[:-1] + path)


@table(
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


def test_a_person_chooses_among_links_without_an_order_to_other_pages() -> None:
    links = {"/led-on": "LED", "/x7": "Open valve", "/pump/start": "Pump", "/net/dhcp/": "DHCP", "/net/lan": "LAN"}
    menu = "".join(f"<li><a href='{path}'>{text}</a>" for path, text in links.items())
    found = near_links(parse(f"<ul>{menu}</ul>", f"{URL}net/dhcp"))
    assert [link.url for link in found] == [f"{URL}net/lan"]


def test_there_are_no_more_than_a_person_may_read() -> None:
    items = "".join(f"<li><a href=/page/{number}>{number}</a>" for number in range(500))
    assert len(paths(f"<ul>{items}</ul>")) == MOST
