"""Join style sheets into one: put imported rules in place, and files as ``data:`` URLs."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

import webencodings

from sitestencil.outputs.files import File
from sitestencil.outputs.safe_css import TOKEN, safe_css

_DEEPEST_IMPORT = 5
_SPACE = r"(?:[ \t\n\f\r]|/\*.*?\*/)*"
_ADDRESS = r"\"(?P<address>[^\"]*)\""
# `safe_css` has put each address of an import in double quotes.
_STATEMENT = re.compile(
    rf"{_SPACE}(?:@charset\s[^;]*;|@layer\s[^;{{]*;"
    rf"|(?P<import>@import{_SPACE}(?:url\({_SPACE}{_ADDRESS}{_SPACE}\)|{_ADDRESS.replace('address', 'quoted')})"
    rf"(?P<condition>[^;{{}}]*)(?:;|\Z)))",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(
    r"\s*(?:(?P<layer>layer)(?:\((?P<name>[^()]*)\))?)?\s*"
    r"(?:supports\((?P<supports>(?:[^()]|\([^()]*\))*)\))?\s*(?P<media>.*?)\s*",
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
_CLOSERS = {"{": "}", "(": ")", "[": "]"}


def sheet_text(sheet: File) -> str:
    """Return a style sheet's text, decoded as browsers do (CSS Syntax 3, 3.2)."""
    declared = _CHARSET.match(sheet.content[:1024])
    labels = (sheet.charset, declared[1].decode("latin-1") if declared else None)
    encoding = next(
        (known for label in labels if label and (known := webencodings.lookup(label))), webencodings.UTF8
    )
    text, _ = webencodings.decode(sheet.content, encoding)
    return str(text)


def joined_css(css: str, base: str, files: Mapping[str, File], address: Callable[[str], str]) -> str:
    """Return CSS with its imports and files in place, as far as they are given.

    Args:
        css: the sheet's text.
        base: the address that references resolve against.
        files: the files by address; an imported sheet replaces its import.
        address: returns the address to write for an image or a font.
    """
    return _joined(safe_css(css, base, address), files, address, (base,))


def _joined(css: str, files: Mapping[str, File], address: Callable[[str], str], above: tuple[str, ...]) -> str:
    """Replace the imports at the start of safe CSS by the rules that they import."""
    # The rest of a sheet's head has no effect after rules, so it goes before them.
    head, parts, position = [], [], 0
    while statement := _STATEMENT.match(css, position):
        position = statement.end()
        imported = statement["address"] or statement["quoted"]
        sheet = files.get(imported) if imported else None
        if sheet is None or imported in above or len(above) > _DEEPEST_IMPORT:
            head.append(statement[0])
        else:
            inner = safe_css(sheet_text(sheet), sheet.url, address)
            inner = _joined(inner, files, address, (*above, imported))
            parts.append(_under(statement["condition"], closed(inner)))
    return "".join(head + parts) + css[position:]


def _under(condition: str, css: str) -> str:
    """Wrap imported rules in the conditions of their import: layer, support, media."""
    found = _CONDITION.fullmatch(condition)
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
    end = last = ""
    for token in TOKEN.finditer(css):
        text, kind = token[0], token.lastgroup
        end = ""
        last = last if kind in {"comment", "space"} else text
        if kind == "comment" and (len(text) < 4 or not text.endswith("*/")):
            end = "*/"
        elif kind == "string" and token.end() == len(css) and not _ESCAPE.sub("", text[1:]).endswith(text[0]):
            end = text[0]
        elif kind == "function" or text in _CLOSERS:
            open_signs.append(")" if kind == "function" else _CLOSERS[text])
        elif text in _CLOSERS.values() and text in open_signs:
            while open_signs.pop() != text:
                pass
    if (len(css) - len(css.rstrip("\\"))) % 2:
        end = f"\n{end}"
    last = open_signs[0] if open_signs else last
    # A rule without a block would take the block of the next rule.
    return css + end + "".join(reversed(open_signs)) + ("" if last in {"", "}"} else "{}")


def imported_addresses(css: str) -> Iterator[str]:
    """Yield the addresses of the sheets that safe CSS imports."""
    position = 0
    while statement := _STATEMENT.match(css, position):
        position = statement.end()
        if address := statement["address"] or statement["quoted"]:
            yield address


def drawn_addresses(css: str, characters: set[int]) -> Iterator[str]:
    """Yield the web addresses of the images in safe CSS, and the best file of each needed font.

    Args:
        css: the output of `safe_css`.
        characters: the characters of the page's texts; other fonts are not needed.
    """
    without_fonts = _FONT_FACE.sub("", css)
    for block in _FONT_FACE.findall(css):
        codes = _RANGE.search(block)
        if codes is None or _holds_any(codes[1], characters):
            fonts = [address for address in _QUOTED.findall(block) if address.startswith("http")]
            modern = [address for address in fonts if _MODERN_FONT.search(address)]
            yield from modern or fonts
    imported = set(imported_addresses(css))
    of_sets = chain.from_iterable(_STRING.findall(images) for images in _IMAGE_SET.findall(without_fonts))
    for address in chain(_QUOTED.findall(without_fonts), of_sets):
        if address.startswith("http") and address not in imported:
            yield address


def _holds_any(ranges: str, characters: set[int]) -> bool:
    for start, end in _CODES.findall(ranges):
        first, last = int(start.replace("?", "0") or "0", 16), int(end or start.replace("?", "F"), 16)
        if any(first <= character <= last for character in characters):
            return True
    return False
