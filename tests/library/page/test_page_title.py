"""A page's title, read from its source."""

from time import process_time

from tests.support.tables import table

from sitestencil.page.page_title import source_title


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
