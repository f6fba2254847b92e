"""A saved page gives no secret away."""

from collections.abc import Callable

from tests.support.judged_pages import all_content, judged
from tests.support.tables import table

from sitestencil.outputs.content import content_html, content_markdown
from sitestencil.outputs.files import File
from sitestencil.outputs.judged_page import Choices, JudgedPage
from sitestencil.outputs.safe_addresses import action_address, link_address
from sitestencil.outputs.secrets import field_value, is_secret_name, is_token, without_secrets, without_tokens
from sitestencil.page.parsing import parse
from sitestencil.saving.folder import folder_of
from sitestencil.saving.jinja_layout import jinja_layout
from sitestencil.saving.standalone_html import annotated_html, template_html

SECRET_NAMES = """csrf csrf_token csrfmiddlewaretoken __RequestVerificationToken _wpnonce authenticity_token
    xsrf-token access_token id_token
    sessionid PHPSESSID jsessionid sid api_key apikey X-Amz-Signature sig password pwd auth
    data-auth data-csrf-token data-session-id data-api-key nonce __VIEWSTATE SAMLResponse otp
    pass passcode otpcode resetKey tokenid invite""".split()
PLAIN_NAMES = """page q id author category sort lang inside side design signal resident assignee data-id data-page
    data-target data-sidebar key code state consider obsidian tokyo compass passage invited""".split()
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


HEX, JWT = TOKENS[0], "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N"
LINKS_WITH_SECRETS = (
    (f"/unsubscribe/{HEX}", "/unsubscribe/"),
    (f"/%75nsubscribe/{HEX}?a=1", "/%75nsubscribe/?a=1"),
    (f"/unsubscribe-{HEX}", "/"),
    (f"/verify/email/{HEX[:16]}", "/verify/email/"),
    (f"/accounts/reset/MQ/cgq8lt-{HEX}/", "/accounts/reset/MQ//"),
    ("/reset-password/123e4567-e89b-12d3-a456-426614174000", "/reset-password/"),
    ("/Account/ConfirmEmail/kT3vQ9fLw0XzY7bN2mR5pC8sD1gH4jKq", "/Account/ConfirmEmail/"),
    (f"/verify#{HEX}", "/verify#"),
    (f"/login?{HEX}", "/login?"),
    (f"/go?{HEX}", "/go?"),
    (f"/app#/reset/{HEX}?x=1", "/app#/reset/?x=1"),
)
LOADED_WITH_SECRETS = (
    (f"/magic/{JWT}", "/magic/"),
    (f"/feed#{JWT}", "/feed#"),
    (f"/a/{JWT.replace('.', '%2E')}/b", "/a//b"),
    ("/cb?next=%2Fa%3Ftoken%3Dshort12&x=%20", "/cb?next=%2Fa%3Ftoken%3D&x=%20"),
    ("/cb?next=%252Fa%253Ftoken%253Dshort12", "/cb?next=%2Fa%3Ftoken%3D"),
    ("/cb?next=/a?token=short12", "/cb?next=/a?token="),
    ("/cb?state=a%3Db%26token%3Dshort12", "/cb?state=a%3Db%26token%3D"),
    (f"/cb?next=%2Fmagic%2F{JWT.replace('.', '%2E')}", "/cb?next=%2Fmagic%2F"),
    ("/?%74oken=a&%2574oken=b", "/?%74oken=&%2574oken="),
    ("/a;%73id=b/c", "/a;%73id=/c"),
    ("/?a=1#/b?token=c", "/?a=1#/b?token="),
)
ORDINARY_LINKS = (
    f"/articles/{HEX}",
    f"/How-to-reset-your-phone-{HEX}",
    f"/owner/session/commit/{HEX}00112233",
    "/token/0xdAC17F958D2ee523a2206206994597C13D831ec7",
    "/login/how-to-log-in-at-the-library-2026-11221",
    f"/classsf_1_1Session.html#a{HEX}",
    f"/tips/Login.html#comment-{HEX}",
    f"/forum/reset/#comment-{HEX}",
    "/?926bdda997f89847#GrjPpVqXkH3x9Cj8Gh9oW6cU2AqkHnBkL3tBqUpWnTz1",
    "/sharer?u=https%3A%2F%2Fsite.example%2Fa%3Fpage%3D2+b",
    "/plants%EF%B9%96_pos=1&_sid=1a180b644.html",
    "/image/eyJidWNrZXQiOiJhIiwia2V5IjoiYi5wbmcifQ.jpg",
    "/MonkeyJunction12.part.html",
)


@table(("address", "safe"), [*LINKS_WITH_SECRETS, *LOADED_WITH_SECRETS])
def test_a_link_has_no_secret_at_any_place(address: str, safe: str) -> None:
    assert link_address(address, "https://site.example/") == f"https://site.example{safe}"
    assert action_address(address, "https://site.example/") == f"https://site.example{safe}"


@table(("address", "safe"), LOADED_WITH_SECRETS)
def test_the_address_of_a_file_has_no_secret_with_a_name_and_no_jwt(address: str, safe: str) -> None:
    assert without_tokens(f"https://site.example{address}") == f"https://site.example{safe}"
    written = template_html(judged(parse(f"<!doctype html><img src='{address}'>", "https://site.example/")))
    assert f'src="https://site.example{safe.replace("&", "&amp;")}"' in written


@table("address", [*ORDINARY_LINKS, *(address for address, _ in LINKS_WITH_SECRETS)])
def test_random_signs_in_the_address_of_a_file_are_its_name(address: str) -> None:
    assert without_tokens(address) == address


@table("address", ORDINARY_LINKS)
def test_ordinary_links_stay(address: str) -> None:
    assert link_address(address, "https://site.example/") == f"https://site.example{address}"


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
