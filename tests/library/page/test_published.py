"""The day of publication where no text near the title tells it."""

from tests.support.tables import table

from sitestencil.page.metadata import metadata
from sitestencil.page.parsing import parse

URL = "https://ropes.example/knots/sheet-bend"
TEXT = "<p>A sheet bend joins two ropes of different thickness, and holds as long as there is a load on them.</p>"
OTHERS = "<div class=related><ul><li><a href=/a>The hitch</a> <time datetime=2019-01-02>x</time></ul></div>"


def published(html: str, url: str = URL) -> str | None:
    return metadata(parse(f"<title>The sheet bend</title>{html}", url)).published


@table(
    ("html", "date"),
    [
        ("<meta name=knots:publish-time content=2021-08-17>", "2021-08-17"),
        ("<meta property=knots:regDate content=20210817093000>", "2021-08-17T09:30:00"),
        ("<meta name=knots:publisher content=2021-08-17>", None),
        ("<meta name=publish-modified content=2021-08-17>", None),
        ('<meta name=parsely-page content=\'{"pub_date": "2021-08-17"}\'>', "2021-08-17"),
        ("<meta name=parsely-page content='[1]'>", None),
        ("<meta name=citation_date content=2021-08><meta name=dc.date content=2021-08-17>", "2021-08-17"),
        (
            '<script type=application/ld+json>{"@type": "Article", "datePublished": "1970-01-01"}</script>'
            "<meta property=article:published_time content=2021-08-17>",
            "2021-08-17",
        ),
        (f"<h1>Other</h1><h1>More</h1>{TEXT}<p class=itemPostDate>17.08.2021</p>{OTHERS}", "2021-08-17"),
        (f"<h1>Other</h1><h1>More</h1>{TEXT}<p>Jo<br>17 August 2021</p>{OTHERS}", "2021-08-17"),
        (f"{TEXT}<p class=date>17.08.2021</p><p class=date>18.08.2021</p>", None),
        (f"{TEXT}<div itemprop=datePublished>17.08.2021</div><p class=date>18.08.2021</p>", "2021-08-17"),
        (f"{TEXT}<div class=comments><p class=date>17.08.2021</p></div>", None),
        (f"{TEXT}<div><h3><a href=/a>The hitch</a></h3><p class=date>17.08.2021</p></div>", None),
        (f"<h1>The sheet bend</h1>{TEXT}<dl class=credits><dt>On air<dd>17 August 2021</dl>", "2021-08-17"),
        (f"<p>17 August 2021</p>{'<b>Menu</b>' * 20}<h1>The sheet bend</h1>{TEXT}", None),
        (f"<p>17 August 2021</p>{'<b>Menu</b>' * 2}<h1>The sheet bend</h1>{TEXT}", "2021-08-17"),
        (f"<h1>The sheet bend</h1>{TEXT * 6}<p>Last edited 17 August 2021</p>", None),
        (f"{TEXT}<p>The knot of 17 August 2021 held.</p>", None),
        (f"<h1>The sheet bend</h1>{TEXT}<p>Updated: 17.08.2021</p>", None),
    ],
)
def test_marks_anywhere_count_if_they_tell_one_day(html: str, date: str | None) -> None:
    assert published(html) == date


@table(
    ("path", "date"),
    [
        ("2021/8/17/bend", "2021-08-17"),
        ("2021-08-17-bend", "2021-08-17"),
        ("news/2021-08/17/bend", "2021-08-17"),
        ("20210817-bend", "2021-08-17"),
        ("~17-08-2021-bend", "2021-08-17"),
        ("2021/08/210817-bend", "2021-08-17"),
        ("web/20210817093000/bend", None),
        ("bend-2021", None),
        ("20218817-bend", None),
        ("?day=20210817", None),
    ],
)
def test_the_day_in_an_address(path: str, date: str | None) -> None:
    assert published(TEXT, f"https://ropes.example/{path}") == date
    assert published(f"{TEXT}<p class=date>3.5.2021</p>", f"https://ropes.example/{path}") == (date or "2021-05-03")


def test_the_day_that_is_a_part_of_the_title() -> None:
    assert metadata(parse("<title>The sheet bend | Ropes | 17.08.2021</title>", URL)).published == "2021-08-17"
