"""Addresses by the WHATWG rules."""

import ada_url
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.support.tables import table

from sitestencil.errors import InvalidAddress
from sitestencil.urls import directories, host, page_address, page_key, resolve, site_host, spelled_as, without_user

BASE = "https://user@example.org:8443/a/b?c#d"
OWN = "https://example.org:8443/a/b?c#d"


@table(
    ("text", "address"),
    [
        (" HTTP://Example.ORG:80/a/../b ", "http://example.org/b"),
        ("https://münchen.de/ä", "https://xn--mnchen-3ya.de/%C3%A4"),
        ("http://example.org", "http://example.org/"),
    ],
)
def test_a_pages_address_is_normalised_as_a_browser_does(text: str, address: str) -> None:
    assert page_address(text) == address


@table("text", ["", "example.org", "/a", "ftp://example.org/", "about:blank", "http://", "data:,x"])
def test_what_is_no_web_address_is_refused_in_words(text: str) -> None:
    with pytest.raises(InvalidAddress, match="address"):
        page_address(text)


@table("reference", ["mailto:a@b.c", "javascript:void 0", "ftp://x/", "http://[", "data:,"])
def test_links_that_lead_to_no_web_page_resolve_to_nothing(reference: str) -> None:
    assert resolve(reference, BASE) is None


@given(st.text(alphabet="/.?#abhtpsHTPS%2e=&-_~\\: \t\n\0\x1f\x7f\xa0\u00e4\u2028", max_size=12))
@example("http:?a")
@example(" https:")
@example("h\tTtps:\n#a")
@example("\0\0")
def test_every_reference_resolves_as_the_standard_says(reference: str) -> None:
    try:
        expected = ada_url.join_url(OWN, reference)
    except ValueError:
        expected = ""
    assert resolve(reference, BASE) == (expected if expected.startswith("http") else None)


def test_the_host_leaves_out_the_user_and_the_schemes_own_port() -> None:
    assert host(BASE) == "example.org:8443"
    assert host(page_address("https://example.org:443/")) == "example.org"


def test_a_page_in_a_directory_with_an_at_sign_is_not_that_of_another_directory() -> None:
    assert page_key("https://example.org/@ann/a") != page_key("https://example.org/@ben/@ann/a")
    assert page_key("https://example.org/@ann/a") != page_key("https://example.org/a")
    assert page_key("https://user:word@example.org/@ann/a") == page_key("https://example.org/@ann/a")


def test_addresses_of_one_page_are_the_same_page() -> None:
    one = page_key("https://example.org/a/index.html#top")
    assert one == page_key("http://example.org/a/") == page_key("https://example.org/a/INDEX.php")
    assert page_key("https://example.org/a") != one
    assert page_key("https://example.org/a/?x=1") != one
    assert page_key("https://example.org/a/index-of-plants.html") != one


def test_a_link_is_its_host_and_its_directories() -> None:
    assert directories("https://example.org") == ("example.org",)
    assert directories("https://example.org/a//b/c.html?d/e") == ("example.org", "a", "b")


@table(
    "text",
    [
        "http://ann:secret@example.org/",
        "http://ann@example.org/",
        "http://:secret@example.org",
        "http:\\\\a:b@example.org",
    ],
)
def test_user_and_password_are_taken_from_every_address(text: str) -> None:
    assert page_address(text) == "http://example.org/"
    assert resolve(text, BASE) == "http://example.org/"


@table("reference", ["/a", "a", "?q", "#f", "", "../x", "//example.org:8443/"])
def test_a_base_with_a_user_gives_links_without_one(reference: str) -> None:
    assert "user" not in str(resolve(reference, BASE))


@table("url", ["http://example.org/@ann", "http://example.org/?a@b", "http://example.org/#a@b", "mailto:a@b.c"])
def test_an_at_sign_behind_the_host_stays(url: str) -> None:
    assert without_user(url) == url


def test_www_and_the_bare_host_are_one_site() -> None:
    assert site_host("https://www.example.org/a") == site_host("http://example.org/")
    assert site_host("http://www.com/") != site_host("http://com/")
    assert site_host("http://www.example.org:8080/") != site_host("http://example.org/")


def test_an_address_is_spelled_as_the_sites_own_page() -> None:
    own = "https://www.example.org/start"
    assert spelled_as("http://example.org/a?b#c", own) == "https://www.example.org/a?b#c"
    assert spelled_as("http://www.example.org", own) == "https://www.example.org"
    assert spelled_as("http://other.org/a", own) == "http://other.org/a"
    assert spelled_as("https://example.org/a", "http://example.org/") == "https://example.org/a"


def test_a_reference_that_no_server_accepts_leads_nowhere() -> None:
    assert resolve("/" + "a" * 8_191, "https://example.org/") is not None
    assert resolve("/" + "a" * 8_192, "https://example.org/") is None
