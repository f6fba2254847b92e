"""Clean CSS for saved pages: absolute addresses of allowed schemes, no end tag, no code of old browsers.

The code reads tokens of CSS Syntax 3 (4.3), so escapes and comments hide no address. A string in a function counts
as an address, unless the function is known to take words. Address functions accept only literal addresses: no
variable, attribute or condition may supply one.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from sitestencil.outputs.names import NAMES
from sitestencil.outputs.safe_addresses import css_address, web_address

_ESCAPE = r"\\(?:[0-9a-fA-F]{1,6}(?:\r\n|[ \t\n\f\r])?|[^\n\r\f0-9a-fA-F])"
_NAME = rf"(?:[a-zA-Z0-9_-]|[^\x00-\x7f]|{_ESCAPE})++"
TOKEN = re.compile(
    rf"""
    (?P<comment>/\*.*?(?:\*/|\Z))
    |(?P<space>[ \t\n\f\r]+)
    |(?P<string>"(?:[^"\\\n\f\r]|\\(?:\r\n|.))*+(?:"|\\?\Z|(?=[\n\f\r]))|'(?:[^'\\\n\f\r]|\\(?:\r\n|.))*+(?:'|\\?\Z|(?=[\n\f\r])))
    |(?P<function>{_NAME}\()
    |(?P<at>@{_NAME})
    |(?P<name>{_NAME})
    |(?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_BARE_ADDRESS = re.compile(rf"[ \t\n\f\r]*+((?:[^\"'()\\ \t\n\f\r]|{_ESCAPE})*+)[ \t\n\f\r]*+(?:\)|\Z)")
_QUOTE_FOLLOWS = re.compile(r"[ \t\n\f\r]*[\"']")
_END_OF_BAD_ADDRESS = re.compile(r"(?:[^)\\]|\\.)*(?:\)|\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\n\f\r])?|(\r\n|.))", re.DOTALL)
# Scripts that a file lacks define the page's own elements: they count as defined.
_UNDEFINED = re.compile(r":not\(\s*:defined\s*\)", re.IGNORECASE)
# The capture writes a custom element's state as an attribute.
_STATE = re.compile(r"(?<!:is\():state\(\s*([a-z][\w-]*)\s*\)", re.IGNORECASE)
_END_TAG = re.compile(r"<(?=/)")
ADDRESS_FUNCTIONS = NAMES["CSS functions of addresses"].keys()
_IN_ADDRESS_FUNCTIONS = ADDRESS_FUNCTIONS | NAMES["CSS functions inside them"].keys()
# Custom functions (--f) take words, too: none may replace an address.
_WORD_FUNCTIONS = NAMES["CSS functions of words"]
# Two forms of attr() give no address: the value as a string, or as a number with a unit.
_PLAIN_ATTRIBUTE = re.compile(
    r"[ \t\n\f\r]*[a-zA-Z_][\w-]*(?:[ \t\n\f\r]+(?:raw-string|string|number|px|%))?[ \t\n\f\r]*[,)]"
)
_NOT_PLAIN = re.compile(r"[^a-z0-9-]")
_RAN_ONCE = frozenset({"behavior", "-ms-behavior", "-moz-binding"})
_NOWHERE = "about:invalid"


def safe_css(css: str, base: str, address: Callable[[str], str] | None = None) -> str:
    r"""Clean CSS for a ``style`` element or attribute of a saved page.

    Args:
        css: any text.
        base: the address that references resolve against.
        address: returns the address to write for an image or a font; by default the absolute one.

    >>> safe_css(r"a { background: u\72l(b.png) }", "https://example.org/")
    'a { background: url("https://example.org/b.png") }'
    """
    css = _STATE.sub(r":is(:state(\1), [state--\1])", _UNDEFINED.sub(":not(*)", css))
    if not _needs_reading(css):
        return css
    return _END_TAG.sub(r"<\\", "".join(_cleaned(css, base, address or str)))


def _needs_reading(css: str) -> bool:
    lower = css.lower()
    return any(sign in lower for sign in ("\\", "(", "@import", "</", "behavior", "binding", "expression"))


def _cleaned(css: str, base: str, written: Callable[[str], str]) -> Iterator[str]:
    functions = _Open()
    importing = False
    before = ""
    position = 0
    while position < len(css):
        token = TOKEN.match(css, position)
        assert token is not None  # `other` takes any character
        position, kind, text = token.end(), token.lastgroup, token[0]
        if kind in {"space", "comment"}:
            yield text
            continue
        if kind == "function":
            name = _unescaped(text[:-1]).lower()
            if name == "url" and not _QUOTE_FOLLOWS.match(css, position):
                address, position = _bare_address(css, position)
                yield f"url({_quoted(address, base, written, sheet=importing)})"
            else:
                is_known = _is_allowed(name, functions, css, position, importing=importing)
                functions.enter(name if is_known else f"x-{name}")
                yield f"{name}(" if is_known and name in ADDRESS_FUNCTIONS else _harmless(text, name, not is_known)
        elif kind == "string" and (importing or _takes_addresses(functions)):
            yield _quoted(_unescaped(text[1:].removesuffix(text[0])), base, written, sheet=importing)
        elif kind == "name":
            name = _unescaped(text).lower()
            yield _harmless(text, name, name in _RAN_ONCE and before in {"", "{", ";"})
        else:
            if text in {"(", "["}:
                # Brackets in a function of addresses change nothing; elsewhere they hold words.
                functions.enter(functions[-1] if functions and functions[-1] in ADDRESS_FUNCTIONS else text)
            elif text in {")", "]"} and functions:
                functions.leave()
            yield text
        importing = (kind == "at" and _unescaped(text[1:]).lower() == "import") or (
            importing and kind == "function" and functions[-1:] == ["url"]
        )
        before = text


class _Open(list[str]):
    """The functions and brackets that are open.

    Attributes:
        of_addresses: how many of them are functions of addresses.
    """

    of_addresses = 0

    def enter(self, name: str) -> None:
        """Open one more."""
        self.append(name)
        self.of_addresses += name in ADDRESS_FUNCTIONS

    def leave(self) -> None:
        """Close the last."""
        self.of_addresses -= self.pop() in ADDRESS_FUNCTIONS


def _is_allowed(name: str, around: _Open, css: str, position: int, *, importing: bool) -> bool:
    """Return whether a function may stand where it stands."""
    if name.lstrip("/").startswith("x-"):  # as it is written here
        return True
    if name == "expression" or (importing and name != "url"):
        return False
    if name == "attr" and not _PLAIN_ATTRIBUTE.match(css, position):
        return False
    return name in _IN_ADDRESS_FUNCTIONS or name.lstrip("/").startswith("x-") or not around.of_addresses


def _takes_addresses(functions: Sequence[str]) -> bool:
    """Return whether a string in the last of these functions is an address."""
    if not functions or functions[-1] in {"(", "["} or functions[-1].startswith("--"):
        return False
    return functions[-1] not in _WORD_FUNCTIONS


def _harmless(text: str, name: str, is_unwanted: bool) -> str:
    if not is_unwanted:
        return text
    return f"x-{_NOT_PLAIN.sub('', name)}{'(' if text.endswith('(') else ''}"


def _bare_address(css: str, position: int) -> tuple[str, int]:
    """Return the address of an unquoted ``url(``, and the position after it."""
    found = _BARE_ADDRESS.match(css, position)
    if found is not None:
        return _unescaped(found[1]), found.end()
    end = _END_OF_BAD_ADDRESS.match(css, position)
    return "", end.end() if end is not None else len(css)


def _quoted(reference: str, base: str, written: Callable[[str], str], *, sheet: bool) -> str:
    address = (web_address if sheet else css_address)(reference, base) if reference else None
    if address is None:
        return f'"{_NOWHERE}"'
    return f'"{address if sheet else written(address)}"'


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text

    def character(found: re.Match[str]) -> str:
        if found[1]:
            number = int(found[1], 16)
            return "\ufffd" if not 0 < number < 0x110000 or 0xD800 <= number < 0xE000 else chr(number)
        return "" if found[2] in {"\n", "\r", "\f", "\r\n"} else found[2]

    return _ESCAPED.sub(character, text)
