"""A saved page gives no secret away."""

from collections.abc import Callable

from tests.support.judged_pages import all_content, judged
from tests.support.tables import table

from sitestencil.outputs.content import content_html, content_markdown
from sitestencil.outputs.files import File
from sitestencil.outputs.judged_page import Choices, JudgedPage
from sitestencil.outputs.secrets import field_value, is_secret_name, is_token, without_secrets, without_tokens
from sitestencil.page.parsing import parse
from sitestencil.saving.folder import folder_of
from sitestencil.saving.jinja_layout import jinja_layout
from sitestencil.saving.standalone_html import annotated_html, template_html

SECRET_NAMES = """csrf csrf_token csrfmiddlewaretoken __RequestVerificationToken _wpnonce authenticity_token
    xsrf-token access_token id_token
    sessionid PHPSESSID jsessionid sid api_key apikey X-Amz-Signature sig password pwd auth
    data-auth data-csrf-token data-session-id data-api-key nonce __VIEWSTATE SAMLResponse otp""".split()
PLAIN_NAMES = """page q id author category sort lang inside side design signal resident assignee data-id data-page
    data-target data-sidebar key code state consider obsidian tokyo""".split()
TOKENS = (
    "d41d8cd98f00b204e9800998ecf8427e",
    "123e4567-e89b-12d3-a456-426614174000",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x",
    "kT3vQ9fLw0XzY7bN2mR5pC8sD1gH4jKq",
)
WORDS = (
    "how-to-tie-a-bowline-in-ten-seconds-or-less",
    "2026-11-22",
    "/news/2026/11/22/the-harbour-is-open-again.html",
    "dQw4w9WgXcQ",
    "menu-item-menu-item-type-post_type-menu-item-1234",
)


@table("name", SECRET_NAMES)
def test_names_of_secrets_are_known(name: str) -> None:
    assert is_secret_name(name)


@table("name", PLAIN_NAMES)
def test_other_names_are_not_taken_for_secrets(name: str) -> None:
    assert not is_secret_name(name)


@table("value", TOKENS)
def test_tokens_are_known_by_their_looks(value: str) -> None:
    assert is_token(value)
    assert without_tokens(f"https://example.org/?a=1&b={value}") == "https://example.org/?a=1&b="
    assert without_secrets("data-x", value) == ""


@table("value", WORDS)
def test_words_are_no_tokens(value: str) -> None:
    assert not is_token(value)
    assert without_secrets("data-x", value) == value


def test_secrets_within_data_are_known() -> None:
    assert without_secrets("data-config", '{"page": 3, "csrfToken": "ab"}') == ""
    assert without_secrets("data-config", '{"page": 3}') == '{"page": 3}'


@table(
    ("attributes", "saved", "asked_for"),
    [
        ({"type": "hidden", "value": "x"}, None, None),
        ({"type": "password", "value": "x"}, None, None),
        ({"type": "HIDDEN", "value": "x"}, None, None),
        ({"type": "text", "value": "Ida"}, None, "Ida"),
        ({"value": "Ida"}, None, "Ida"),
        ({"type": "email", "value": "a@b.c"}, None, "a@b.c"),
        ({"value": "4111", "autocomplete": "cc-number"}, None, None),
        ({"value": "x", "name": "csrf_token"}, None, None),
        ({"type": "submit", "value": "Search"}, "Search", "Search"),
        ({"type": "checkbox", "value": "news"}, "news", "news"),
    ],
)
def test_values_of_fields_are_saved_when_asked_for_and_secrets_never(
    attributes: dict[str, str], saved: str | None, asked_for: str | None
) -> None:
    assert field_value(attributes, form_values=False) == saved
    assert field_value(attributes, form_values=True) == asked_for


def test_a_saved_page_gives_nothing_away() -> None:
    page = parse(
        """<!doctype html><meta name=csrf-token content=S3CRET><body data-token=S3CRET data-page=3>
        <form action="/login?session=S3CRET"><input type=hidden name=a value=S3CRET><input value=S3CRET>
        <textarea>S3CRET</textarea><input type=password value=S3CRET><button>Log in</button></form>
        <a href="/logout?sid=S3CRET&x=1">Out</a><a href="https://ida:S3CRET@example.org/">In</a>""",
        "https://example.org/",
    )
    html = template_html(judged(page))
    assert "S3CRET" not in html
    for kept in ('data-page="3"', 'action="/login"', "sid=&amp;x=1", "Log in"):
        assert kept in html
    asked = template_html(judged(page), Choices(form_values=True))
    assert asked.count("S3CRET") == 2


@table(
    ("attributes", "saved"),
    [("", False), ("readonly", True), ("disabled", False), ("readonly autocomplete=one-time-code", False)],
)
def test_a_text_field_that_is_read_only_keeps_its_text(attributes: str, saved: bool) -> None:
    page = parse(f"<!doctype html><p>A<textarea {attributes}>Cite me</textarea>", "https://example.org/")
    assert ("Cite me" in template_html(judged(page))) == saved


LOADED = (
    "<img src='/a.png?sig=s3cret'><img srcset='/b.png?auth=s3cret, /c.png?token=s3cret&w=2 2x'>"
    "<link rel=stylesheet href='/d.css?token=s3cret'><div style='background:url(/e.png?sig=s3cret)'>"
    "<style>p{background:url(/f.png?token=s3cret)}</style><p>x</p><video poster='/g.png?sig=s3cret'></video>"
    "<iframe src='https://other.example/?auth=s3cret'></iframe><svg><image href='/h.png?sig=s3cret'/></svg>"
)


@table(
    "write",
    [
        template_html,
        jinja_layout,
        lambda page: folder_of(page, Choices(), {}),
        content_html,
        content_markdown,
        lambda page: annotated_html(page, "t"),
    ],
)
def test_the_rule_of_links_holds_for_all_that_a_page_loads(write: Callable[[JudgedPage], object]) -> None:
    page = parse(f"<!doctype html>{LOADED}", "https://site.example/")
    for one in (judged(page), all_content(page)):
        written = str(write(one))
        assert "s3cret" not in written
    assert "/c.png?token=&amp;w=2 2x" in written or write is not content_html


def test_a_file_is_found_by_its_address_with_a_token() -> None:
    page = judged(parse("<!doctype html><img src='/a.png?sig=s3cret'>", "https://site.example/"))
    address = "https://site.example/a.png?sig=s3cret"
    assert "data:image/gif" in template_html(page, files={address: File(address, b"GIF89a")})
