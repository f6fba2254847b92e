"""Addresses of saved pages."""

from time import process_time

from tests.support.tables import table

from sitestencil.outputs.safe_addresses import (
    Base,
    Growth,
    action_address,
    image_address,
    link_address,
    source_set,
    web_address,
)

URL = "https://example.org/news/today"


@table(
    ("reference", "safe"),
    [
        ("../about", "https://example.org/about"),
        ("#top", "#top"),
        ("", ""),
        ("?q=1", "https://example.org/news/today?q=1"),
        ("mailto:a@b.c", "mailto:a@b.c"),
        ("tel:+1", "tel:+1"),
        ("javascript:x", "#"),
        (" java\nscript:x", "#"),
        ("\x01javascript:x", "#"),
        ("data:text/html,x", "#"),
        ("blob:https://example.org/x", "#"),
        ("file:///etc/passwd", "#"),
        ("http://[", "#"),
        ("https://user:secret@example.org/", "https://example.org/"),
        ("/vote?id=7&csrf_token=ab", "https://example.org/vote?id=7&csrf_token="),
        ("/a;jsessionid=0123?b=c", "https://example.org/a;jsessionid=?b=c"),
        ("/#access_token=ab&x=1", "https://example.org/#access_token=&x=1"),
        ('/a"b', "https://example.org/a%22b"),
    ],
)
def test_links_lead_to_web_pages_and_tell_no_secret(reference: str, safe: str) -> None:
    assert link_address(reference, URL) == safe


def test_a_base_that_is_no_web_address_resolves_nothing() -> None:
    assert link_address("a", "javascript:/x/") == "#"
    assert web_address("a", "about:blank") is None


def test_forms_and_images_have_their_own_schemes() -> None:
    assert action_address("javascript:x", URL) is None
    assert action_address("mailto:a@b.c", URL) is None
    assert image_address("data:image/gif;base64,AA==", URL) == "data:image/gif;base64,AA=="
    assert image_address("data:text/html,x", URL) is None


@table(
    ("value", "safe"),
    [
        (
            "a.png, b.png 2x ,c.png 640w",
            "https://example.org/news/a.png, https://example.org/news/b.png 2x, "
            "https://example.org/news/c.png 640w",
        ),
        ("i.png 1x, /j,k.png 2x", "https://example.org/news/i.png 1x, https://example.org/j,k.png 2x"),
        ("data:image/png;base64,AA== 1x", "data:image/png;base64,AA== 1x"),
        ("javascript:x 1x, b.png 2x", "https://example.org/news/b.png 2x"),
        ("a.png (1, x) 2x", "https://example.org/news/a.png 2x"),
        (" , ,", ""),
        ("", ""),
    ],
)
def test_a_source_set_is_read_by_the_standards_rules(value: str, safe: str) -> None:
    assert source_set(value, URL) == safe


@table("value", ["a " + "(" * 100_000, "a (," * 30_000, "," * 100_000, "a" + " " * 100_000 + "x"])
def test_a_long_source_set_takes_no_time(value: str) -> None:
    started = process_time()
    source_set(value, "https://example.org/")
    assert process_time() - started < 2


@table(
    ("reference", "written"),
    [
        ("walk.html", "walk.html"),
        ("../a b.html", "../a%20b.html"),
        ("/a?b=c", "/a?b=c"),
        ("https://example.org/", "https://example.org/"),
        ("//example.org/a", "https://example.org/a"),
        ("\\\\example.org\\a", "https://example.org/a"),
        ("/\t/example.org/a", "https://example.org/a"),
        ("java\nscript:alert(1)", None),
        ("https:example.org", None),
        ("file:///etc/passwd", None),
        ("c:/secrets", None),
    ],
)
def test_without_a_base_only_a_relative_address_stays_as_it_is(reference: str, written: str | None) -> None:
    assert web_address(reference, "") == written
    assert web_address(reference, Base("", Growth())) == written
