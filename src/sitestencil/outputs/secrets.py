"""Find secrets in pages to save: tokens in addresses and data, and values of form fields."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from urllib.parse import quote, unquote

# Words in names of parameters and attributes. `key` and `code` alone have too many other meanings.
_WORDS_OF_SECRETS = (
    "token|csrf|xsrf|nonce|session|sess|sid|sessid|sessionid|jsessionid|phpsessid|auth|authorization|"
    "authenticity|oauth|jwt|secret|password|passwd|pwd|passphrase|credential|credentials|apikey|api[-_.]?key|access[-_.]?key|"
    "private[-_.]?key|signature|sig|hmac|ticket|otp|pin|sso|saml|samlresponse|viewstate|wpnonce|form[-_.]?key|"
    "passcode|(?:otp|reset|invite|activation|confirm|confirmation|verify|verification)[-_.]?(?:key|code)"
)
# Within data these are parts of too many other words.
_WORDS_OF_NAMES = "pass|invite|invitation"
_SECRET_NAME = re.compile(
    rf"(?:^|[^a-z])(?:[a-z]*(?:token|csrf|xsrf|sessid)(?:id)?|{_WORDS_OF_SECRETS}|{_WORDS_OF_NAMES})s?(?:$|[^a-z])"
)
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
_PATH_PARAMETER = re.compile(r"(?<![^/;])([^/;?#&=]+)=[^/;?#]*")
_WHOLE_JWT = re.compile(rf"(?<![A-Za-z0-9]){_JWT}[\w-]{{8,}}+\.(?:{_JWT}[\w-]++|[\w-]*+(?=\.))(?:\.[\w-]*+)*+")
_DEEPEST = 3  # so many times an address stands within another, and signs are encoded again

# A path's words behind which a random run is a key, and words that stand beside these.
_ACTING = frozenset(
    "unsubscribe optout magic verify verification confirm confirmation reset recover recovery invite invitation "
    "login signin auth authenticate activate activation".split()
)
_BESIDE_ACTING = frozenset(
    "account accounts address asp aspx change code email forgot form html in index key link log mail member new "
    "newsletter one out opt password php register registration set sign signup subscription time user users".split()
)
# As searched for in each link: faster than a pattern.
_BEGINNINGS = tuple("unsub optout magic verif confirm reset recover invit login signin auth activat".split())
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# Numbers of blockchains begin with 0x, and are public.
_PIECE = re.compile(r"(?<![A-Za-z0-9])(?!0x)[A-Za-z0-9]{16,}")
_WORD = re.compile(r"[A-Za-z]?[a-z]{3,}|[a-z]{2}")
_BETWEEN_WORDS = re.compile(r"[^A-Za-z0-9]+")

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


def without_tokens(address: str, *, followed: bool = False) -> str:
    """Return an address with empty values for parameters that look like secrets, and without JWTs.

    Args:
        address: the address.
        followed: whether a person follows it. Then random letters and digits go, too, behind a word that acts.
            Elsewhere in a path they are the name of a page or a file.

    >>> without_tokens("https://example.org/vote?id=7&csrf_token=ab12")
    'https://example.org/vote?id=7&csrf_token='
    >>> without_tokens("https://example.org/unsubscribe/d41d8cd98f00b204e9800998ecf8427e", followed=True)
    'https://example.org/unsubscribe/'
    """
    return _cleaned(address, followed, _DEEPEST) if _may_hold_token(_decoded(address), followed) else address


def text_without_tokens(text: str) -> str:
    """Return a text whose web addresses have no tokens."""
    return _ADDRESS.sub(lambda found: without_tokens(found[0]), text)


def _may_hold_token(plain: str, followed: bool) -> bool:
    return "=" in plain or _JWT in plain or (followed and ("?" in plain or _may_act(plain)))


def _may_act(plain: str) -> bool:
    lower = plain.lower()
    return any([beginning in lower for beginning in _BEGINNINGS])  # noqa: C419 - faster than a generator


def _cleaned(address: str, followed: bool, depth: int, acts: bool = False) -> str:
    head, hash_mark, fragment = _WHOLE_JWT.sub("", address).partition("#")
    path, question_mark, query = head.partition("?")
    path, acts = _path(path, followed, acts)
    if query:
        query = _query(query, followed, depth, acts)
    if "=" in fragment and "?" not in fragment:
        fragment = _query(fragment, followed, depth, acts)
    elif fragment and depth:
        fragment = _cleaned(fragment, followed, depth - 1, acts)
    return f"{path}{question_mark}{query}{hash_mark}{fragment}"


def _path(path: str, followed: bool, acts: bool) -> tuple[str, bool]:
    """Return a path without secrets, and whether its last word acts."""
    if "=" in path:
        path = _PATH_PARAMETER.sub(
            lambda part: f"{part[1]}=" if is_secret_name(_decoded(part[1])) else part[0], path
        )
    plain = _decoded(path)
    if _JWT not in plain and not (followed and (acts or _may_act(plain))):
        return path, acts
    segments = path.split("/")
    for number, segment in enumerate(segments):
        plain = _decoded(segment)
        rest = _PIECE.sub(lambda piece: "" if _is_mixed(piece[0]) else piece[0], _UUID.sub("", plain))
        words = [one for one in _BETWEEN_WORDS.split(_CAMEL.sub("-", rest)) if _WORD.fullmatch(one)]
        if words:
            acts = _act(words, acts)
        if (followed and acts and rest != plain) or _WHOLE_JWT.search(plain):
            segments[number] = ""
    return "/".join(segments), acts


def _act(words: Sequence[str], acted: bool) -> bool:
    """Return whether the last words of a path act; other words than those beside acting ones name a page."""
    found = {word.lower() for word in words}
    return found <= _ACTING | _BESIDE_ACTING and (acted or not found.isdisjoint(_ACTING))


def _is_mixed(piece: str) -> bool:
    """Return whether letters and digits change so often that nobody chose them."""
    changes = sum(a.isdigit() != b.isdigit() or (a.islower() and b.isupper()) for a, b in pairwise(piece))
    is_both = any(map(str.isdigit, piece)) and any(map(str.isalpha, piece))
    return (is_both and changes > len(piece) // 5) or _is_random(piece)


def _query(query: str, followed: bool, depth: int, acts: bool) -> str:
    if "=" not in _decoded(query):
        return _path(query, followed, acts or is_token(query))[0]
    parts = re.split("([&;])", query)
    return "".join(part if part in "&;" else _parameter(part, followed, depth, acts) for part in parts if part)


def _parameter(part: str, followed: bool, depth: int, acts: bool) -> str:
    name, equals, value = part.partition("=")
    if not equals:
        return _path(part, followed, acts)[0]
    plain = _decoded(value)
    if is_secret_name(_decoded(name)) or is_token(value) or ("/" not in plain and is_token(plain)):
        return f"{name}="
    if not depth or not _may_hold_token(plain, followed):
        return part
    within = (_cleaned if "/" in plain or "?" in plain else _query)(plain, followed, depth - 1, acts=False)
    if within == plain:
        return part
    return f"{name}={within if plain == value else quote(within, safe='+')}"


def _decoded(text: str) -> str:
    for _ in range(_DEEPEST):
        if "%" not in text:
            break
        text = unquote(text)
    return text


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
