"""Stored sites: folders that answer as a web server of static files would."""

import asyncio
import errno
from pathlib import Path

import msgspec
import pytest

from sitestencil.errors import PageUnavailable, UnusableSite
from sitestencil.site.links import link_to
from sitestencil.site.sources.stored import StoredSite


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    (pages / "news" / "späť").mkdir(parents=True)
    (pages / "news" / "index.html").write_text("news")
    (pages / "about.html").write_text("about")
    (pages / "news" / "späť" / "a b.html").write_text("encoded")
    (pages / "index.html").write_text("home")
    (tmp_path / "secret.html").write_text("secret")
    site = {"base_url": "https://x.test/sub/", "key_page": "news/späť/a b.html"}
    (tmp_path / "site.json").write_bytes(msgspec.json.encode(site))
    return tmp_path


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("", "home"),
        ("news/", "news"),
        ("news", "news"),
        ("news/index.html", "news"),
        ("about", "about"),
        ("about.html?x=1#top", "about"),
        ("news/sp%C3%A4%C5%A5/a%20b", "encoded"),
    ],
)
def test_an_address_is_the_file_or_its_index_or_with_html(folder: Path, path: str, text: str) -> None:
    page = asyncio.run(StoredSite(folder).load(link_to(f"https://x.test/sub/{path}")))
    assert page.document().texts[-1].text == text


@pytest.mark.parametrize(
    "url",
    [
        "https://x.test/sub/none",
        "https://x.test/about",
        "https://y.test/sub/about",
        "https://x.test/sub/../../secret.html",
        "https://x.test/sub/%2e%2e/secret.html",
        "https://x.test/sub/news/sp%C3%A4%C5%A5",
    ],
)
def test_what_is_not_below_the_site_is_not_found(folder: Path, url: str) -> None:
    with pytest.raises(PageUnavailable):
        asyncio.run(StoredSite(folder).load(link_to(url)))


def test_the_key_pages_address_is_percent_encoded_and_leads_to_its_file(folder: Path) -> None:
    site = StoredSite(folder)
    assert site.key_url == "https://x.test/sub/news/sp%C3%A4%C5%A5/a%20b.html"
    assert asyncio.run(site.load(link_to(site.key_url))).content == b"encoded"


@pytest.mark.parametrize(
    "path", ["x" * 5_000, "a%00b", "loop", "loop/a", "about.html/b", "%2e%2e/" * 2_000, "%ff%fe"]
)
def test_what_can_be_no_file_is_not_found(folder: Path, path: str) -> None:
    (folder / "pages" / "loop").symlink_to("loop")
    with pytest.raises(PageUnavailable, match="not among the stored pages"):
        asyncio.run(StoredSite(folder).load(link_to(f"https://x.test/sub/{path}")))


@pytest.fixture
def unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file that is read be one of a bad disk."""

    def read_bytes(self: Path) -> bytes:
        raise OSError(errno.EIO, "Input/output error", str(self))

    monkeypatch.setattr(Path, "read_bytes", read_bytes)


def test_a_page_that_cannot_be_read_is_unavailable_and_the_key_page_an_error_in_words(
    folder: Path, request: pytest.FixtureRequest
) -> None:
    site = StoredSite(folder)
    request.getfixturevalue("unreadable")
    with pytest.raises(PageUnavailable, match=r"about\.html cannot be read: Input/output error\."):
        asyncio.run(site.load(link_to("https://x.test/sub/about")))
    with pytest.raises(UnusableSite, match=r"a b\.html cannot be read: Input/output error\."):
        site.load_key_page()


@pytest.mark.usefixtures("unreadable")
def test_a_site_file_that_cannot_be_read_is_an_error_in_words(folder: Path) -> None:
    with pytest.raises(UnusableSite, match=r"site\.json cannot be read"):
        StoredSite(folder)


@pytest.mark.parametrize("key_page", ["x" * 5_000, "a\0b", "news"])
def test_a_key_page_that_can_be_no_file_is_an_error_in_words(folder: Path, key_page: str) -> None:
    site = {"base_url": "https://x.test/sub/", "key_page": key_page}
    (folder / "site.json").write_bytes(msgspec.json.encode(site))
    with pytest.raises(UnusableSite, match="does not exist"):
        StoredSite(folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "cannot be read"),
        (b'{"base_url": "https://x.test/"}', "key_page"),
        (b'{"base_url": "https://x.test/", "key_page": "none.html"}', "does not exist"),
        (b'{"base_url": "ftp://x.test/", "key_page": "index.html"}', "no http address"),
    ],
)
def test_a_malformed_site_is_refused_in_words(folder: Path, content: bytes, message: str) -> None:
    (folder / "site.json").write_bytes(content)
    with pytest.raises(UnusableSite, match=message):
        StoredSite(folder)
