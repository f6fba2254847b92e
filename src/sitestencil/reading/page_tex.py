r"""Read TeX among a page's words: between signs that the page declares, `\(x\)`, `$$x$$` or `[tex]x[/tex]`."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sitestencil.page.document import Document, once

_LIBRARY = re.compile(r"mathjax|katex", re.IGNORECASE)
_LISTED = re.compile(r"\b(inline|display)Math[\"']?\s*:\s*\[")
_PAIR = re.compile(r"[\s,]*\[\s*([\"'])(.{1,12}?)\1\s*,\s*([\"'])(.{1,12}?)\3\s*\]")
_LEFT_RIGHT = re.compile(
    r"left[\"']?\s*:\s*([\"'])(.{1,12}?)\1\s*,\s*[\"']?right[\"']?\s*:\s*([\"'])(.{1,12}?)\3"
    r"(?:\s*,\s*[\"']?display[\"']?\s*:\s*(true|false))?"
)
_MOST_SCRIPT = 200_000  # characters
_LONGEST = 2_000
_IS_TEX = re.compile(r"[\\^_={]")  # otherwise two restaurants in the middle price range
_ENVIRONMENT = r"\\begin\{((?:align|alignat|eqnarray|equation|gather|multline)\*?)\}"
_IS_SIGN = re.compile(r"[^\w\s]")
_COMMENT = re.compile(r"(?<!\\)%")
_BRACE = re.compile(r"\\.|([{}])", re.DOTALL)
# Definitions, and what of them is in no braces.
_DEFINES = re.compile(
    r"\s*\\(?:(?:re|provide)?newcommand\*?|[gex]?def|let|DeclareMathOperator\*?|newenvironment|require|definecolor)(?![a-zA-Z])"
)
_OF_DEFINITION = re.compile(r"\s*(?:\\[a-zA-Z]+|#\d|\[[^\[\]]{0,200}\]|=)")
_SPACE = re.compile(r"\s*")
_BETWEEN = re.compile(r"(?:\s|\\[()\[\]]|\$)*")


class End(NamedTuple):
    """The sign that ends a formula, and whether the formula has lines of its own."""

    sign: str
    is_block: bool


class Found(NamedTuple):
    """A formula among words: where it begins and ends, and its TeX."""

    start: int
    end: int
    tex: str
    is_block: bool


_ALWAYS = {"\\(": End("\\)", is_block=False), "\\[": End("\\]", is_block=True), "$$": End("$$", is_block=True)}
_OF_FORUMS = {f"[{name}]": End(f"[/{name}]", is_block=False) for name in ("tex", "itex", "imath", "latex", "math")}
ENDS: Mapping[str, End] = {**_ALWAYS, **_OF_FORUMS}


class PageTex:
    """How a page writes formulas among its words.

    Attributes:
        is_drawn: whether its scripts draw formulas; environments need no signs around them then.
    """

    def __init__(self, ends: Mapping[str, End], *, is_drawn: bool) -> None:
        self.is_drawn = is_drawn
        self._ends = ends
        signs = [r"\\\$", *map(re.escape, sorted(ends, key=len, reverse=True))]
        self._begins = re.compile("|".join([*signs, *([_ENVIRONMENT] if is_drawn else [])]))

    def find(self, text: str) -> Iterator[Found]:
        r"""Yield the formulas in a text that has one space for each run of white space; one in doubt is left out.

        >>> [found.tex for found in PageTex(ENDS, is_drawn=False).find(r"Let \(x_1\) be $$ or [tex]y[/tex].")]
        ['x_1', 'y']
        """
        place = 0
        while begun := self._begins.search(text, place):
            ends = self._ends.get(begun[0])
            sign = ends.sign if ends else f"\\end{{{begun[1]}}}" if begun[0] != "\\$" else ""
            end = _end(text, sign, begun.end()) if sign else -1
            place = begun.end() if end < 0 else end  # a sign that ends none may begin one
            if end >= 0 and (found := self._found(text, begun, end, ends)):
                yield found
                place = found.end

    def _found(self, text: str, begun: re.Match[str], end: int, ends: End | None) -> Found | None:
        inside = text[begun.end() : end]
        if ends is None:
            after = end + len(f"\\end{{{begun[1]}}}")
            tex = inside.strip() if begun[1].startswith("equation") else text[begun.start() : after]
            return Found(begun.start(), after, tex, is_block=True) if _is_certain(inside) else None
        if ends.sign == "$" and (inside != inside.strip() or text[end + 1 : end + 2].isdigit()):  # prices
            return None
        if ends.sign == "$$" and not self.is_drawn and not _IS_TEX.search(inside):
            return None
        return Found(begun.start(), end + len(ends.sign), inside, ends.is_block) if _is_certain(inside) else None


@once
def page_tex(document: Document) -> PageTex:
    """Return how a page writes formulas: as MathJax and KaTeX know them, and as its scripts tell these."""
    ends, scripts = dict(ENDS), list(_scripts(document))
    for text in scripts:
        for kind in _LISTED.finditer(text):
            pair = _PAIR.match(text, kind.end())
            while pair:
                ends[_sign(pair[2])] = End(_sign(pair[4]), kind[1] == "display")
                pair = _PAIR.match(text, pair.end())
        for pair in _LEFT_RIGHT.finditer(text):
            ends[_sign(pair[2])] = End(_sign(pair[4]), pair[5] == "true")
    signs = {sign: end for sign, end in ends.items() if _IS_SIGN.search(sign)}
    return PageTex(signs, is_drawn=any(map(_LIBRARY.search, scripts)))


def _scripts(document: Document) -> Iterator[str]:
    """Yield the address and the text of each script."""
    for element in document.tagged("script"):
        yield f"{document.attributes[element].get('src', '')} {document.text_content(element)[:_MOST_SCRIPT]}"


def _sign(written: str) -> str:
    return written.replace("\\\\", "\\")


def _end(text: str, sign: str, begin: int) -> int:
    """Return the place of the sign that ends a formula, or -1; a dollar sign behind a backslash is one of words."""
    end = text.find(sign, begin, begin + _LONGEST)
    while sign == "$" and end > 0 and text[end - 1] == "\\":
        end = text.find(sign, end + 1, begin + _LONGEST)
    return end


def _is_certain(tex: str) -> bool:
    """Return whether this is TeX whose line ends do not count, and has both braces of each pair."""
    return bool(tex.strip()) and not _COMMENT.search(tex) and is_balanced(tex)


def is_balanced(tex: str) -> bool:
    """Return whether braces, fences and environments of TeX are pairs."""
    depth = 0
    for brace in _BRACE.finditer(tex):
        depth += (brace[1] == "{") - (brace[1] == "}")
        if depth < 0:
            return False
    pairs = ((r"\\left(?![a-zA-Z])", r"\\right(?![a-zA-Z])"), (r"\\begin\s*\{", r"\\end\s*\{"))
    return depth == 0 and all(len(re.findall(one, tex)) == len(re.findall(other, tex)) for one, other in pairs)


def only_defines(tex: str) -> bool:
    r"""Return whether TeX, with or without signs around it, defines commands and shows nothing.

    >>> only_defines(r"\( \newcommand{\id}{\mathrm{id}} \) \(\def\R#1{x}\)"), only_defines(r"\id")
    (True, False)
    """
    place, defined = 0, False
    while True:
        place = _matched(_BETWEEN, tex, place)
        begun = _DEFINES.match(tex, place)
        if not begun:
            return defined and place == len(tex)
        defined, place = True, begun.end()
        while (after := _matched(_OF_DEFINITION, tex, _after_group(tex, place))) > place:
            if _DEFINES.match(tex, place):
                break
            place = after


def _matched(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place


def _after_group(tex: str, place: int) -> int:
    """Return the place after a group in braces."""
    begin = _matched(_SPACE, tex, place)
    if not tex.startswith("{", begin):
        return place
    depth = 0
    for brace in _BRACE.finditer(tex, begin):
        depth += (brace[1] == "{") - (brace[1] == "}")
        if depth == 0:
            return brace.end()
    return place
