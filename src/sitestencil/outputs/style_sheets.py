"""Join style sheets into one: put imported rules in place, and files as ``data:`` URLs."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import webencodings

from sitestencil.outputs.files import File
from sitestencil.outputs.safe_addresses import Base
from sitestencil.outputs.safe_css import TOKEN, safe_css

_DEEPEST_IMPORT = 5
_LEAST_COUNTED = 100_000  # bytes of an import: small sheets may import each other many times
_STATEMENTS = frozenset({"@charset", "@layer", "@import"})
_CONDITION = re.compile(
    r"\s*(?:(?P<layer>layer)(?:\((?P<name>[^()]*)\))?)?\s*"
    r"(?:supports\((?P<supports>(?:[^()]|\([^()]*\))*)\))?\s*(?P<media>.*)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED = re.compile(r"url\([ \t\n\f\r]*\"([^\"]*)\"")
_IMAGE_SET = re.compile(r"image-set\(((?:[^()\"]|\"[^\"]*\"|\((?:[^()\"]|\"[^\"]*\")*\))*)\)", re.IGNORECASE)
_STRING = re.compile(r"\"([^\"]*)\"")
_FONT_FACE = re.compile(r"@font-face\s*\{([^{}]*)\}", re.IGNORECASE)
_RANGE = re.compile(r"unicode-range\s*:\s*([^;}]*)", re.IGNORECASE)
_CODES = re.compile(r"u\+([0-9a-f?]+)(?:-([0-9a-f]+))?", re.IGNORECASE)
_MODERN_FONT = re.compile(r"\.woff2(?:[?#]|$)", re.IGNORECASE)
_CHARSET = re.compile(rb'@charset "([^"]*)";')
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_SHORTEST_COMMENT = len("/**/")
_CLOSERS = {"{": "}", "(": ")", "[": "]"}
Takes = Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement of a sheet's head.

    Attributes:
        text: the statement, ended by a semicolon.
        end: the place behind it.
        address: of an import; empty for any other statement.
        condition: under which the import counts.
    """

    text: str
    end: int
    address: str
    condition: str


def sheet_text(sheet: File) -> str:
    """Return a style sheet's text, decoded as browsers do (CSS Syntax 3, 3.2)."""
    declared = _CHARSET.match(sheet.content[:1024])
    labels = (sheet.charset, declared[1].decode("latin-1") if declared else None)
    encoding = next(
        (known for label in labels if label and (known := webencodings.lookup(label))), webencodings.UTF8
    )
    text, _ = webencodings.decode(sheet.content, encoding)
    return str(text)


def joined_css(
    css: str,
    base: Base,
    files: Mapping[str, File],
    address: Callable[[str], str],
    takes: Takes = lambda _: True,
) -> str:
    """Return CSS that needs no other file, as far as these go.

    Args:
        css: the sheet's text.
        base: the address that its references resolve against.
        files: by their addresses; what an import names is put in its place.
        address: gives the address to write for one that the sheet draws with.
        takes: whether an imported sheet of so many bytes is still taken; one that is not keeps its address.
    """
    return _joined(safe_css(css, base, address), base, files, address, takes, (base,))


def _joined(
    css: str,
    base: Base,
    files: Mapping[str, File],
    address: Callable[[str], str],
    takes: Takes,
    above: tuple[str, ...],
) -> str:
    """Put what safe CSS imports in the place of its imports, which stand before all other rules."""
    # The head of a sheet that stays has no effect after rules, and so it stands before them.
    head, parts, position = [], [], 0
    while (statement := _statement(css, position)) is not None:
        position = statement.end
        sheet = files.get(statement.address)
        is_known = sheet is not None and statement.address not in above and len(above) <= _DEEPEST_IMPORT
        if sheet is None or not is_known or not takes(max(len(sheet.content), _LEAST_COUNTED)):
            head.append(statement.text)
        else:
            inner_base = Base(sheet.url, base.growth)
            inner = safe_css(sheet_text(sheet), inner_base, address)
            inner = _joined(inner, inner_base, files, address, takes, (*above, statement.address))
            parts.append(_under(statement.condition, closed(inner)))
    return "".join(head + parts) + css[position:]


def _statement(css: str, position: int) -> _Statement | None:
    """Return the statement of a sheet's head that begins at a place; None where other rules begin.

    It is read by its tokens, so that nothing in a comment, a string or brackets ends it. A statement that leaves
    anything open is none: its text would act on the text that is put beside it.
    """
    tokens: list[str] = []
    kinds: list[str | None] = []
    closers: list[str] = []
    for token in TOKEN.finditer(css, position):
        text, kind = token[0], token.lastgroup
        if text in {"{", "}"} or (kind in {"comment", "string"} and not _is_whole(text)):
            return None
        if kind in {"comment", "space"}:
            if tokens and kinds[-1] != "space":
                tokens.append(" ")
                kinds.append("space")
            continue
        if not tokens and (kind != "at" or text.lower() not in _STATEMENTS):
            return None
        if text == ";" and not closers:
            return _Statement(f"{''.join(tokens)};", token.end(), *_import_of(tokens, kinds))
        if kind == "function" or text in _CLOSERS:
            closers.append(")" if kind == "function" else _CLOSERS[text])
        elif text in _CLOSERS.values() and (not closers or closers.pop() != text):
            return None
        tokens.append(text)
        kinds.append(kind)
    is_whole = tokens and not closers and not css.endswith("\\")
    return _Statement(f"{''.join(tokens)};", len(css), *_import_of(tokens, kinds)) if is_whole else None


def _import_of(tokens: Sequence[str], kinds: Sequence[str | None]) -> tuple[str, str]:
    """Return the address and the condition of an import; empty texts for any other statement."""
    strings = [number for number, kind in enumerate(kinds) if kind == "string"]
    # A string or an escape in the condition could hide what ends it.
    if tokens[0].lower() != "@import" or len(strings) != 1:
        return "", ""
    before, behind = "".join(tokens[1 : strings[0]]).strip(), "".join(tokens[strings[0] + 1 :]).lstrip()
    if "\\" in behind or before.lower() not in {"", "url("} or (before and not behind.startswith(")")):
        return "", ""
    return tokens[strings[0]][1:-1], behind[1:] if before else behind


def _is_whole(text: str) -> bool:
    """Return whether a comment or a string ends with the sign that ends it."""
    if text.startswith("/*"):
        return len(text) >= _SHORTEST_COMMENT and text.endswith("*/")
    return _ESCAPE.sub("", text[1:]).endswith(text[0])


def _under(condition: str, css: str) -> str:
    """Wrap imported rules in the conditions of their import: layer, support, media."""
    found = _CONDITION.fullmatch(condition.strip())
    if found is None:
        return ""
    if found["media"]:
        css = f"@media {found['media']} {{\n{css}\n}}\n"
    if found["supports"]:
        css = f"@supports ({found['supports']}) {{\n{css}\n}}\n"
    if found["layer"]:
        css = f"@layer {found['name'] or ''} {{\n{css}\n}}\n"
    return css


def closed(css: str) -> str:
    """Close everything that CSS leaves open at its end, so that other rules may follow.

    >>> closed("a{b:c"), closed("a{b:'c"), closed("/* d")
    ('a{b:c}', "a{b:'c'}", '/* d*/')
    """
    open_signs: list[str] = []
    how_many: Counter[str] = Counter()
    end = last = ""
    for token in TOKEN.finditer(css):
        text, kind = token[0], token.lastgroup
        end = ""
        last = last if kind in {"comment", "space"} else text
        if kind == "comment" and not _is_whole(text):
            end = "*/"
        elif kind == "string" and token.end() == len(css) and not _is_whole(text):
            end = text[0]
        elif kind == "function" or text in _CLOSERS:
            open_signs.append(")" if kind == "function" else _CLOSERS[text])
            how_many[open_signs[-1]] += 1
        elif text in _CLOSERS.values() and how_many[text]:
            sign = ""
            while sign != text:
                sign = open_signs.pop()
                how_many[sign] -= 1
    if (len(css) - len(css.rstrip("\\"))) % 2:
        end = f"\n{end}"
    last = open_signs[0] if open_signs else last
    # A rule without a block would take the block of the next rule.
    return css + end + "".join(reversed(open_signs)) + ("" if last in {"", "}"} else "{}")


def imported_addresses(css: str) -> Iterator[str]:
    """Yield the addresses of the sheets that safe CSS imports."""
    position = 0
    while (statement := _statement(css, position)) is not None:
        position = statement.end
        if statement.address:
            yield statement.address


def drawn_addresses(css: str, characters: set[int]) -> Iterator[str]:
    """Yield the web addresses of the images in safe CSS, and the best file of each needed font.

    Args:
        css: the output of `safe_css`.
        characters: the characters of the page's texts; other fonts are not needed.
    """
    in_order = sorted(characters)
    without_fonts = _FONT_FACE.sub("", css)
    for block in _FONT_FACE.findall(css):
        codes = _RANGE.search(block)
        if codes is None or _holds_any(codes[1], in_order):
            fonts = [address for address in _QUOTED.findall(block) if address.startswith("http")]
            modern = [address for address in fonts if _MODERN_FONT.search(address)]
            yield from modern or fonts
    imported = set(imported_addresses(css))
    of_sets = chain.from_iterable(_STRING.findall(images) for images in _IMAGE_SET.findall(without_fonts))
    for address in chain(_QUOTED.findall(without_fonts), of_sets):
        if address.startswith("http") and address not in imported:
            yield address


def _holds_any(ranges: str, characters: Sequence[int]) -> bool:
    """Return whether a range holds any of some characters, which ascend."""
    for start, end in _CODES.findall(ranges):
        first, last = int(start.replace("?", "0") or "0", 16), int(end or start.replace("?", "F"), 16)
        place = bisect_left(characters, first)
        if place < len(characters) and characters[place] <= last:
            return True
    return False
