"""Find secrets in pages to save: tokens in addresses and data, and values of form fields."""

import re
from collections.abc import Mapping
from itertools import pairwise

# Words in names of parameters and attributes. `key` and `code` alone have too many other meanings.
_WORDS_OF_SECRETS = (
    "token|csrf|xsrf|nonce|session|sess|sid|sessid|sessionid|jsessionid|phpsessid|auth|authorization|"
    "authenticity|oauth|jwt|secret|password|passwd|pwd|passphrase|credential|credentials|apikey|api[-_.]?key|access[-_.]?key|"
    "private[-_.]?key|signature|sig|hmac|ticket|otp|pin|sso|saml|samlresponse|viewstate|wpnonce|form[-_.]?key"
)
_SECRET_NAME = re.compile(rf"(?:^|[^a-z])(?:[a-z]*(?:token|csrf|xsrf|sessid)|{_WORDS_OF_SECRETS})s?(?:$|[^a-z])")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SECRET_IN_DATA = re.compile(rf"(?:token|csrf|xsrf|{_WORDS_OF_SECRETS})[\"']?\s*[:=]", re.IGNORECASE)
# A long run of letters and digits that nobody typed: hexadecimal, base64, a UUID, a JWT.
_RUN = re.compile(r"[A-Za-z0-9_+/=.~-]{24,}")
_LONG_RUN = 32
_BEFORE_POINT = re.compile(r"(?<![A-Za-z0-9_-])([A-Za-z0-9_-]++)\.")
_JWT, _SHORTEST_JWT = "eyJ", 11
_LEAST_DIGITS = 5
_LONGEST_DATA = 500
_ADDRESS = re.compile(r"https?://[^\s\"<>]*[^\s\"<>,]")
_PATH_PARAMETER = re.compile(r";([A-Za-z_]+)=[^/;?#]*")

_BUTTONS = frozenset({"submit", "reset", "button", "image"})
_CHOICES = frozenset({"checkbox", "radio", "range", "color"})
_NEVER_KEPT = frozenset({"hidden", "password", "file"})
_SECRET_FIELD = re.compile(r"(?:^|\s)(?:(?:current|new)-password|one-time-code|cc-\S+)(?:\s|$)", re.IGNORECASE)


def is_secret_name(name: str) -> bool:
    """Return whether a parameter or attribute of this name carries a secret.

    >>> is_secret_name("csrfToken"), is_secret_name("data-session-id"), is_secret_name("author")
    (True, True, False)
    """
    return _SECRET_NAME.search(_CAMEL.sub("-", name).lower()) is not None


def is_token(value: str) -> bool:
    """Return whether a value looks like a token: a long run of letters and digits, not words.

    >>> is_token("d41d8cd98f00b204e9800998ecf8427e"), is_token("how-to-tie-a-bowline-in-ten-seconds-or-less")
    (True, False)
    """
    for run in _BEFORE_POINT.findall(value):
        start = run.find(_JWT)
        if 0 <= start <= len(run) - _SHORTEST_JWT:
            return True
    return any(_is_random(run) for run in _RUN.findall(value))


def _is_random(run: str) -> bool:
    letters_and_digits = [c for c in run if c.isalnum()]
    digits = sum(c.isdigit() for c in letters_and_digits)
    if len(letters_and_digits) < _LONG_RUN or ("/" in run.strip("/") and "." in run):
        return False
    if digits >= _LEAST_DIGITS and len(letters_and_digits) - digits >= _LEAST_DIGITS:
        return True
    # With few digits, count the changes from small letters to capitals: words have few.
    changes = sum(a.islower() and b.isupper() for a, b in pairwise(run))
    return changes > len(run) // 6 and "-" not in run


def without_tokens(address: str) -> str:
    """Return an address with empty values for parameters that look like secrets.

    >>> without_tokens("https://example.org/vote?id=7&csrf_token=ab12")
    'https://example.org/vote?id=7&csrf_token='
    """
    if "=" not in address:
        return address
    head, hash_mark, fragment = address.partition("#")
    path, question_mark, query = head.partition("?")
    path = _PATH_PARAMETER.sub(lambda found: f";{found[1]}=" if is_secret_name(found[1]) else found[0], path)
    if "=" in fragment:
        fragment = _parameters(fragment)
    return f"{path}{question_mark}{_parameters(query)}{hash_mark}{fragment}"


def text_without_tokens(text: str) -> str:
    """Return a text whose web addresses have no tokens."""
    return _ADDRESS.sub(lambda found: without_tokens(found[0]), text)


def _parameters(query: str) -> str:
    return "".join(part if part in "&;" else _parameter(part) for part in re.split("([&;])", query) if part)


def _parameter(part: str) -> str:
    name, equals, value = part.partition("=")
    return f"{name}=" if equals and (is_secret_name(name) or is_token(value)) else part


def without_secrets(name: str, value: str) -> str:
    """Return an attribute's value for scripts; empty if it is long or may hold a secret."""
    if len(value) > _LONGEST_DATA or is_secret_name(name) or _SECRET_IN_DATA.search(value) or is_token(value):
        return ""
    return value


def field_value(attributes: Mapping[str, str], *, form_values: bool) -> str | None:
    """Return the value to write for an ``input``, or None.

    Args:
        attributes: the field's attributes.
        form_values: whether to write the values of text fields.
    """
    value = attributes.get("value", "")
    kind = attributes.get("type", "text").strip().lower()
    if kind in _NEVER_KEPT or _SECRET_FIELD.search(attributes.get("autocomplete", "")):
        return None
    if is_secret_name(attributes.get("name", "")) or is_token(value):
        return None
    return value if form_values or kind in _BUTTONS or kind in _CHOICES else None


def keeps_typed_text(attributes: Mapping[str, str], *, form_values: bool) -> bool:
    """Return whether to write the text of a ``textarea``: nobody types into one that is read only."""
    return (form_values or "readonly" in attributes) and not _SECRET_FIELD.search(
        attributes.get("autocomplete", "")
    )
