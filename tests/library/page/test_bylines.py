"""Authors and dates near a page's title: what counts, and what belongs to something else."""

import pytest
from tests.support.tables import table

from sitestencil import extract
from sitestencil.page.metadata import Metadata, metadata
from sitestencil.page.near_title import heading_text, text_around
from sitestencil.page.page_facts import document_facts
from sitestencil.page.parsing import parse

URL = "https://www.ropes.example/knots/bowline"
BODY = "<p>A bowline makes a loop that neither slips nor jams, and it comes undone after it has held a load.</p>"
CARD = "<a href=/hitch><h3>The hitch</h3></a><p>By Kim Lee</p><time datetime=2020-01-01>old</time>"


def near(around: str, before: str = "") -> Metadata:
    """Return the metadata of a page with this around its title."""
    html = f"<title>The bowline | Ropes</title><main>{before}<h1>The bowline</h1>{around}{BODY}</main>"
    return metadata(parse(html, URL))


AUTHORS = {
    "<p>By Jo Marsh</p>": "Jo Marsh",
    "<p>Von <a href=/jo>Jo van der Marsh</a></p>": "Jo van der Marsh",
    "<div>Par&nbsp;: <b>Jo Marsh</b> | Nœuds</div>": "Jo Marsh",
    "<p>Text: Jo Marsh, 3. Mai 2024</p>": "Jo Marsh",
    "<small>Written by</small><p><a>Jo Marsh</a></p>": "Jo Marsh",
    "<p>By <a>Jo Marsh</a>, <a>Ann Day</a> and <a>Kim Lee</a> on May 3, 2024</p>": "Jo Marsh, Ann Day, Kim Lee",
    "<p class=byline><span>Jo Marsh</span> <span>Ropes editor</span></p>": "Jo Marsh",
    "<div class='post-author'><img alt=x><a>jo_marsh</a></div>": "jo_marsh",
    "<span itemprop=author itemscope><b itemprop=name>Jo Marsh</b></span>": "Jo Marsh",
    "<p>in <a>Knots</a></p><a rel='nofollow author'>Jo Marsh</a>": "Jo Marsh",
    "<div class=author>Author</div><div class=author>Jo Marsh</div>": "Jo Marsh",
    "<p>By April Day</p>": "April Day",
    "<p class=byline>By <b>Jo Marsh</b>, <b>Ann Day</b>, <b>Kim Lee</b> and <b class=last-byline>Al Fox</b></p>": (
        "Jo Marsh, Ann Day, Kim Lee, Al Fox"
    ),
    "<p class=byline>vom <i class=author>Jo Marsh</i></p>": "Jo Marsh",
    "<p class=author>Oktober 3, 2024 | von <a class=author>jo_marsh</a></p>": "jo_marsh",
    "<p><i class=author>Veröffentlicht am</i> 3. Mai 2024 <i class=author>von <a>jo</a></i></p>": "jo",
    "<b class=author>Autoreninfo</b><p class=author><a>Jo Marsh</a></p>": "Jo Marsh",
    "<p>Posted on May 3, 2024 by Jo Marsh</p>": "Jo Marsh",
    "<p>Geschrieben von <a>Jo Marsh</a></p>": "Jo Marsh",
    "<p>作者\uff1a王小明</p>": "王小明",
    "<p>Autor: jo_marsh</p>": "jo_marsh",
    "<p><a href=/autoren/jo-marsh/>Jo Marsh</a></p>": "Jo Marsh",
    "<nav><a itemprop=author>Jo Marsh</a> in Knots</nav>": "Jo Marsh",
    "<div class='post category-popular'><p>By Jo Marsh</p></div>": "Jo Marsh",
    "<div class=teaser-text><p>By Jo Marsh</p></div>": "Jo Marsh",
    "<nav><p class=author>Kim Lee</p></nav>": None,
    "<p class=author>Dezember</p>": None,
    "<p>By the end of the day it was tied.</p>": None,
    "<p>By Monday 3 ropes were tied</p>": None,
    "<p>By Admin</p>": None,
    "<p>By Ropes</p>": None,
    "<p>By . .</p>": None,
    "<p class=author>jo@ropes.example</p>": None,
    "<p class=author>View all posts</p>": None,
    "<aside><p>By Kim Lee</p></aside>": None,
    "<div class=related><p class=author>Kim Lee</p></div>": None,
    "<section id=comments><b class=author>Kim Lee</b></section>": None,
    "<footer>By Kim Lee</footer>": None,
    "<figure><figcaption>By Kim Lee</figcaption></figure>": None,
    f"<ul><li>{CARD}</li></ul>": None,
    "<article><p>By Kim Lee</p><h2><a href=/hitch>The hitch</a></h2></article>": None,
    "".join(f"<p><a class=author>Person {name}</a></p>" for name in "ABCD"): None,
}


def test_an_author_is_found_near_the_title_and_nowhere_else() -> None:
    found = {around: near(around).author for around in AUTHORS}
    assert found == AUTHORS


DATES = {
    "<p>May 3, 2024</p>": ("2024-05-03", None),
    "<p class=date>Friday, 3 May 2024, 10:15</p>": ("2024-05-03", None),
    "<p>Von Jo Marsh, 3. Mai 2024</p>": ("2024-05-03", None),
    "<p>Publié le 3 février 2024 à 10h</p>": ("2024-02-03", None),
    "<p>3 de mayo de 2024</p>": ("2024-05-03", None),
    "<p>Stand: 03.05.2024</p>": (None, "2024-05-03"),
    "<p>2024年5月3日</p>": ("2024-05-03", None),
    "<p>3 мая 2024</p>": ("2024-05-03", None),
    "<p>Published 2024-05-03 | Updated 2024-06-01</p>": ("2024-05-03", "2024-06-01"),
    "<span>Last updated</span><p>June 1, 2024</p>": (None, "2024-06-01"),
    "<time datetime=2024-05-03T10:00>a while ago</time>": ("2024-05-03T10:00:00", None),
    "<meta itemprop=datePublished content=2024-05-03><meta itemprop=dateModified content=2024-06-01>": (
        "2024-05-03",
        "2024-06-01",
    ),
    "<p>5/13/2024</p>": ("2024-05-13", None),
    "<p>03.05.24</p>": ("2024-05-03", None),
    "<p>úterý 3. května 2024</p>": ("2024-05-03", None),
    "<nav><b itemprop=datePublished content=2024-05-03>x</b></nav>": ("2024-05-03", None),
    "<i itemprop=dateModified>2024-06-01</i><i itemprop=datePublished>2024-05-03</i>": ("2024-05-03", "2024-06-01"),
    "Updated <time datetime=2024-06-01T10:00>x</time> Published <time datetime=2024-05-03>x</time>": (
        "2024-05-03",
        "2024-06-01T10:00:00",
    ),
    "<p>May 3, 2024</p><time datetime=2024-05-03T10:00>x</time>": ("2024-05-03T10:00:00", None),
    "<p>3.5.2024 - Sailors tie knots that hold for a long time and loosen them in an instant.</p>": (
        "2024-05-03",
        None,
    ),
    "<p>5/3/2024</p>": (None, None),
    "<p>Since May 3, 2024 we have tied more than a hundred knots</p>": (None, None),
    "<p>The knots of May 3, 2024 held.</p>": (None, None),
    "<aside><time datetime=2020-01-01>old</time></aside>": (None, None),
    "<nav>May 3, 2024</nav>": (None, None),
    f"<div class=teaser>{CARD}</div>": (None, None),
    f"<ul><li>{CARD}</li></ul>": (None, None),
    "".join(f"<p>May {day}, 2024</p>" for day in range(1, 6)): (None, None),
    "<p>May 33, 2024</p>": (None, None),
    "<time datetime=0001-01-01T00:00:00>never</time>": (None, None),
}


def test_dates_are_found_near_the_title_and_nowhere_else() -> None:
    found = {around: ((it := near(around)).published, it.modified) for around in DATES}
    assert found == DATES


def test_what_stands_before_the_title_counts_after_what_follows_it() -> None:
    header = "<p class=by>By Jo Marsh</p><p>May 3, 2024</p>"
    assert (near("", header).author, near("", header).published) == ("Jo Marsh", "2024-05-03")
    both = near("<p>By Kim Lee</p><p>June 1, 2024</p>", header)
    assert (both.author, both.published) == ("Kim Lee", "2024-06-01")


def test_the_title_is_the_heading_that_resembles_it() -> None:
    html = (
        "<title>The bowline | Ropes</title><h1><a href=/>Ropes</a></h1><p>By Kim Lee</p><h2>Menu</h2>"
        "<h2>The bowline</h2><p>By Jo Marsh</p>"
    )
    assert metadata(parse(html, URL)).author == "Jo Marsh"


def test_a_date_in_the_address_is_the_last_resort() -> None:
    address = "https://ropes.example/2024/05/03/bowline"
    assert metadata(parse("<title>The bowline</title>", address)).published == "2024-05-03"
    assert metadata(parse("<h1>The bowline</h1><p>May 1, 2024", address)).published == "2024-05-01"


def test_a_lower_heading_is_the_title_if_it_is_marked_so() -> None:
    html = "<title>The bowline | Ropes</title><h3 {}>The bowline</h3><p>By Jo Marsh</p>"
    found = [metadata(parse(html.format(mark), URL)).author for mark in ("itemprop=headline", "")]
    assert found == ["Jo Marsh", None]


@pytest.mark.parametrize("same", [True, False])
def test_a_date_that_the_pages_of_the_site_share_is_none_of_the_page(*, same: bool) -> None:
    def page(name: str, day: int) -> str:
        menu = "".join(f"<li><a href=/{one}>{one}</a>" for one in "abc")
        text = f"{name} is a knot that {name} sailors tie to hold {name} and more of {name}."
        date = f"<p class=date>May {3 if same else day}, 2024</p>"
        return f"<title>{name} - Ropes</title><ul>{menu}</ul><main><h1>{name}</h1>{date}<p>{text}</p></main>"

    pages = {f"https://ropes.example/{name}": page(name * 4, day) for day, name in enumerate("abc", 10)}
    found = extract(page("bowline", 9), url="https://ropes.example/bowline", pages=pages).metadata
    assert found.published == (None if same else "2024-05-09")


NESTED = "<span>" * 200 + "<b class=author>" * 200


@table(
    "html",
    [
        "<h1>" + "\N{NO-BREAK SPACE}x" * 50_000,
        "<h1>x</h1>" + "<br>\N{NO-BREAK SPACE}" * 50_000,
        f"<h1>x</h1>{NESTED}" + "By By By " * 20_000,
        "<h1>x</h1><nav>" + "<p>May 3, 2024</p>" * 20_000,
        "<h1>x</h1><p>" + "May 3 " * 40_000,
        "<h1>x</h1>" + "<p>1.1." * 20_000,
        "".join(f"<div><h1>{number}</h1>" for number in range(200)),
    ],
)
def test_little_is_read_of_a_page_without_end(html: str) -> None:
    document = parse(f"<title>x</title>{html}", URL)
    for heading in document_facts(document).headings:
        assert len(heading_text(document, heading)) < 20_000
        assert max(map(len, text_around(document, heading))) < 100_000
    assert metadata(document).author is None
