"""A page's title: read from its source, and without the site's name."""

from time import process_time

from tests.support.tables import table

from sitestencil import extract
from sitestencil.page.metadata import metadata
from sitestencil.page.page_title import shared_parts, source_title, title_alone
from sitestencil.page.parsing import parse


@table(
    ("source", "title"),
    [
        ("<title>A</title><title>B</title>", "A"),
        ("<titles>A</titles><TITLE lang=en>B\n C</TITLE >", "B C"),
        ("<title>A <title>B</title>", "A <title>B"),
        ("<title>A", ""),
        ("<title A", ""),
        ("</title><title>A</titles></title>", "A</titles>"),
    ],
)
def test_the_first_title_counts(source: str, title: str) -> None:
    assert source_title(source.encode()) == title


@table("part", ["<title>", "<title ", "<title>a</title "])
def test_many_titles_without_an_end_take_no_time(part: str) -> None:
    started = process_time()
    source_title((part * 20_000).encode())
    assert process_time() - started < 1


@table(
    ("title", "alone"),
    [
        ("Knots | Ropes & Co", "Knots"),
        ("Knots - ropes & co", "Knots"),
        ("Knots \N{EM DASH} Ropes & Co", "Knots"),
        ("Knots \N{MIDDLE DOT} Ropes & Co", "Knots"),
        ("Knots :: Ropes & Co", "Knots"),
        ("Knots : Ropes & Co", "Knots"),
        ("Ropes & Co: Knots", "Knots"),
        ("Knots:Ropes & Co", "Knots"),
        ("10:30", "10:30"),
        ("結び目\uff1aRopes & Co", "結び目"),
        ("結び目_Ropes & Co", "結び目"),
        ("結び目\uff5cRopes & Co", "結び目"),
        ("tie_ropes", "tie_ropes"),
        ("Ropes & Co | Knots - part 2", "Knots - part 2"),
        ("Knots | Ropes & Co | ropes.example", "Knots"),
        ("Knots | Ropes & Co - tied by hand", "Knots"),
        ("Knots of Ropes & Co", "Knots of Ropes & Co"),
        ("Knots-Ropes & Co", "Knots-Ropes & Co"),
        ("Ropes & Co", "Ropes & Co"),
        ("Ropes & Co | ropes.example", "Ropes & Co"),
        ("| Ropes & Co", "| Ropes & Co"),
        (".:: Ropes & Co", ".:: Ropes & Co"),
        ("", ""),
        ("Of the \xabbowline\xbb - Ropes & Co", "Of the \xabbowline\xbb"),
        ("The \xabbowline\xbb Ropes & Co", "The \xabbowline\xbb"),
    ],
)
def test_the_sites_name_goes_only_as_a_whole_part_at_an_end(title: str, alone: str) -> None:
    assert title_alone(title, {"ropesco", "ropesexample", "ropescotiedbyhand"}) == alone


@table(
    ("titles", "shared"),
    [
        ([], set()),
        (["", ""], set()),
        (["A | Ropes", "B | Ropes", "C"], {"ropes"}),
        (["A | Ropes", "B", "C"], set()),
        (["A | Help | Ropes", "B | Help | Ropes", "C | Ropes"], {"help", "ropes"}),
    ],
)
def test_most_titles_of_the_site_share_its_parts(titles: list[str], shared: set[str]) -> None:
    assert shared_parts(titles) == shared


@table(
    ("head", "title"),
    [
        ("<title>Knots | Ropes & Co</title><meta property=og:site_name content='Ropes & Co'>", "Knots"),
        ("<title>Knots | Ropes & Co</title><meta name=application-name content='Ropes & Co'>", "Knots"),
        ("<title>Knots | Rope-Shop</title>", "Knots"),
        ("<title>Knots | www.Rope-shop.example</title>", "Knots"),
        ("<title>Rope-Shop</title>", "Rope-Shop"),
        ("<title>Knots | Tied by hand</title>", "Knots | Tied by hand"),
        ("<title>Knots | Tied by hand</title><h1>Knots</h1>", "Knots"),
        ("<title>Knots: a book</title><h1>Knots</h1>", "Knots: a book"),
        ("<title>Knots : Tied by hand</title><h1>Knots</h1>", "Knots"),
        ("<title>結び目\uff1a山の店</title><h1>結び目</h1>", "結び目"),
        ("<svg><title>A knot</title></svg><title>Knots</title>", "Knots"),
        (
            "<title>Knots | Rope-Shop</title><meta property=og:title content='All you can tie'><h1>Knots</h1>",
            "Knots",
        ),
        ("<title>Knots | Rope-Shop</title><meta property=og:title content='All you can tie'>", "All you can tie"),
    ],
)
def test_a_page_alone_says_what_the_sites_name_is(head: str, title: str) -> None:
    assert metadata(parse(head, "https://www.rope-shop.example/knots")).title == title


def test_other_pages_say_what_their_titles_share() -> None:
    menu = "<nav><a href='/a'>A</a><a href='/b'>B</a></nav>"
    pages = {f"https://site.example/{name}": f"<title>{name} - Tied by hand</title>{menu}{name}" for name in "ab"}
    found = extract(f"<title>Knots - Tied by hand</title>{menu}Knots", url="https://site.example/", pages=pages)
    assert (found.metadata.title, found.site_title) == ("Knots", "Tied by hand")
