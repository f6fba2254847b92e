"""What is no page that anybody made: refused before it is parsed, which takes minutes for some such pages.

The parser's time grows with the square of the depth, of the attributes of an element, and of the formatting
elements left open, which it repeats in each paragraph. Honest pages are far from all three: among 7,500 stored ones
the deepest has 147 levels, and no element more than 25 attributes. This is a first wall, not the last: markup can
be made that only a parser sees through, and what runs pages of strangers gives them a limit of time, too.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sitestencil.errors import PageUnavailable
from sitestencil.page.native import NATIVE

if TYPE_CHECKING or NATIVE:
    from sitestencil.page.native_limits import has_tag, look_through, may_be_deep_without

MOST_LEVELS = 512  # Chromium nests no deeper
MOST_ATTRIBUTES = 500
MOST_TAGS = 400_000
# To copy the chosen option into a select's button, the parser looks through all options after each.
MOST_COPIED_OPTIONS = 2_000
# Formatting elements left open times tags: the elements that a page may grow to, of which honest ones reach 52,000.
MOST_REPEATED = 1_000_000
_MOST_BODIES = 50
# Of so few tags no depth and no repetition takes the parser long: repeated, they make a million elements at most.
_FEW_TAGS = 2_000
_SLICE = 4096

ATTRIBUTE = r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+"""
# Comments and elements whose content is text, whatever it looks like; then tags with their attributes.
MARKUP = re.compile(
    rf"<!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|<(script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>])(?:{ATTRIBUTE})*+[\s/]*+>"
    rf".*?(?:</\1(?=[\s/>])|\Z)"
    rf"|<(/?[a-z][^\s/>]*+)((?:{ATTRIBUTE})*+[\s/]*+)",
    re.DOTALL | re.IGNORECASE,
)
_MANY_ATTRIBUTES = re.compile(rf"(?:{ATTRIBUTE}){{{MOST_ATTRIBUTES + 1}}}")
_LONGEST_TAG = 4 * MOST_ATTRIBUTES
# Between two attributes is one of these at the least: white space or a slash, or the sign before a value.
_BEFORE_ATTRIBUTES = " \t\n\r\f/="
_LONG_PIECE = re.compile(rf"<[^<]{{{_LONGEST_TAG + 1}}}")
_LONG_TAG = re.compile(rf"[a-zA-Z][^>]{{{_LONGEST_TAG}}}")
_TAG_OF_MANY_ATTRIBUTES = re.compile(rf"<[a-zA-Z][^\s/>]*+(?:{ATTRIBUTE}){{{MOST_ATTRIBUTES + 1}}}")
# Written out, as a pattern that begins with a plain letter is looked for many times faster than one without case.
_BODY = re.compile(r"<[bB][oO][dD][yY]")
_SELECTED_CONTENT = re.compile(r"<[sS][eE][lL][eE][cC][tT][eE][dD][cC]")
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
# These end where the next begins, so that they nest only where others do.
_ENDED_BY_NEXT = frozenset(
    "p li dd dt option optgroup tr td th tbody thead tfoot rp rt colgroup caption html head body".split()
)
_NOT_NESTING = re.compile(rf"</?(?:{'|'.join(sorted(_VOID | _ENDED_BY_NEXT))})(?=[\s/>])", re.IGNORECASE)
_NOT_NESTING_NAMES = frozenset(name.encode() for name in _VOID | _ENDED_BY_NEXT)
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_FOREIGN = ("svg", "math")


def check_markup(text: str) -> bool:
    """Refuse a page that the parser would need very long for; for an honest one this takes half a millisecond.

    Return whether a ``template`` or ``selectedcontent`` may be in it; else nothing needs to be asked of either.

    Raises:
        PageUnavailable: no honest page is nested so deep, or has elements of so many attributes.
    """
    if NATIVE:
        tags, may_be_deep, bodies, starts, is_special = look_through(
            text, _SLICE, MOST_LEVELS, _LONGEST_TAG, _BEFORE_ATTRIBUTES.encode(), MOST_ATTRIBUTES
        )
    else:
        tags, may_be_deep, bodies, starts = _look_through(text)
        is_special = True
    if tags > MOST_TAGS:
        raise PageUnavailable(f"This page has more than {MOST_TAGS} tags.")
    is_suspect = any(_TAG_OF_MANY_ATTRIBUTES.match(text, start) for start in starts)
    if tags > _FEW_TAGS and not is_suspect:
        # Old pages leave many elements open that the next one ends; to leave these out takes longer than to count.
        is_suspect = bodies > _MOST_BODIES or (may_be_deep and _may_be_deep_without(text))
    if is_suspect:
        _check_tags(text)
    return is_special


def check_levels(parents: Sequence[int]) -> None:
    """Refuse an element tree that is deeper than browsers build one.

    Raises:
        PageUnavailable: it is.
    """
    if len(parents) <= MOST_LEVELS:
        return
    levels: list[int] = []
    add = levels.append
    for parent in parents:
        add(levels[parent] + 1 if parent >= 0 else 1)
    if max(levels) > MOST_LEVELS + 2:  # html and body
        raise _too_deep()


def copies_options(text: str) -> bool:
    """Return whether a page asks for the chosen option to be copied into the button of its list.

    Raises:
        PageUnavailable: it does, and has more options than the parser can do that for.
    """
    if not (has_tag(text, b"selectedc") if NATIVE else _SELECTED_CONTENT.search(text)):
        return False
    if text.lower().count("<option") > MOST_COPIED_OPTIONS:
        raise PageUnavailable(
            f"This page has more than {MOST_COPIED_OPTIONS} options in lists that copy one of them."
        )
    return True


def _may_be_deep(text: str) -> bool:
    """Return whether anywhere more tags have begun than ended, by a count that takes next to no time."""
    level = 0
    for start in range(0, len(text), _SLICE):
        end = start + _SLICE
        begun, ended = text.count("<", start, end), text.count("</", start, end)
        if level + begun - ended > MOST_LEVELS:
            return True
        level = max(0, level + begun - 2 * ended)
    return False


def _may_be_deep_without(text: str) -> bool:
    """Return the same for a text without the tags that do not nest."""
    if NATIVE:
        return may_be_deep_without(text, _SLICE, MOST_LEVELS, _NOT_NESTING_NAMES)
    return _may_be_deep(_NOT_NESTING.sub("", text))


def _look_through(text: str) -> tuple[int, bool, int, list[int]]:
    """Return how many tags may begin, whether they may be deep, how many bodies begin, and where long tags are."""
    tags = text.count("<")
    if tags > MOST_TAGS:
        return tags, False, 0, []
    if tags <= _FEW_TAGS:
        return tags, False, 0, _long_tags(text)
    return tags, _may_be_deep(text), len(_BODY.findall(text)), _long_tags(text)


def _long_tags(text: str) -> list[int]:
    """Return where tags may have very many attributes: they are long, and have as many places for them to begin.

    Long paths of pictures and addresses that hold data are on one honest page in seven.
    """
    if not _LONG_PIECE.search(f"<{text}"):
        return []
    starts: list[int] = []
    start = -1  # of the sign before a piece
    for number, piece in enumerate(text.split("<")):
        if (
            number
            and len(piece) > _LONGEST_TAG
            and _LONG_TAG.match(piece)
            and sum(map(piece.count, _BEFORE_ATTRIBUTES)) >= MOST_ATTRIBUTES
        ):
            starts.append(start)
        start += len(piece) + 1
    return starts


def _check_tags(text: str) -> None:
    opened: dict[str, int] = {}
    level = formatting = most_formatting = bodies = tags = 0
    for _, written, attributes in MARKUP.findall(text):
        if not written:
            continue
        tags += 1
        tag = written.lower()
        if len(attributes) > MOST_ATTRIBUTES and _MANY_ATTRIBUTES.match(attributes):
            raise PageUnavailable(f"This page has an element with more than {MOST_ATTRIBUTES} attributes.")
        bodies += tag in {"body", "html"}
        if tag[0] == "/":
            tag, step = tag[1:], -1
            if not opened.get(tag):
                continue
        elif tag in _VOID or tag in _ENDED_BY_NEXT or (attributes.endswith("/") and any(map(opened.get, _FOREIGN))):
            continue
        else:
            step = 1
        opened[tag] = opened.get(tag, 0) + step
        level += step
        if tag in _FORMATTING:
            formatting += step
            most_formatting = max(most_formatting, formatting)
        if level > MOST_LEVELS:
            raise _too_deep()
    if most_formatting * tags > MOST_REPEATED or bodies > _MOST_BODIES:
        raise PageUnavailable("This page repeats elements more often than any honest page does.")


def _too_deep() -> PageUnavailable:
    return PageUnavailable(f"This page is nested deeper than {MOST_LEVELS} levels, more than browsers show.")
