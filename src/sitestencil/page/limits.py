"""Reject pathological markup before parsing, which would take minutes.

The parser's time grows with the square of three numbers: the depth, the attributes of an element, and the open
formatting elements, which it repeats in each paragraph. Honest pages are far below: among 7,500 stored ones the
deepest has 147 levels, and no element more than 25 attributes. This is only a first wall: callers that parse
untrusted pages also need a timeout.
"""

import re
from collections.abc import Iterable, Sequence

from sitestencil.errors import PageUnavailable
from sitestencil.page.markup import ATTRIBUTE, tags

MOST_LEVELS = 512  # Chromium nests no deeper
MOST_ATTRIBUTES = 500
MOST_TAGS = 400_000
# To copy the chosen option into a select's button, the parser scans all options after each.
MOST_COPIED_OPTIONS = 2_000
# Open formatting elements times tags: the elements that a page may grow to. Honest pages reach 52,000.
MOST_REPEATED = 1_000_000
# The same for opened ones, closed or not: pages of code have many, and are checked closely.
_MOST_BEGUN = 8_000_000
_MOST_BODIES = 50
# So few tags are harmless at any depth: repeated, they make at most a million elements.
_FEW_TAGS = 2_000
# With more tags, a depth that the quick count misses takes the parser seconds. One honest page in 2,000 has more.
_MANY_TAGS = 20_000
# Pieces that may be text or markup: each may hide the maximum number of levels.
_MOST_UNCLEAR = 100
_SLICE = 4096

_MANY_ATTRIBUTES = re.compile(rf"(?:{ATTRIBUTE}){{{MOST_ATTRIBUTES + 1}}}")
_TAG_OF_MANY_ATTRIBUTES = re.compile(rf"</?[a-zA-Z][^\t\n\f\r />]*+(?:{ATTRIBUTE}){{{MOST_ATTRIBUTES + 1}}}")
# Written out, because a pattern without IGNORECASE is searched many times faster.
_BODY = re.compile(r"<[bB][oO][dD][yY]")
_SELECTED_CONTENT = re.compile(r"<[sS][eE][lL][eE][cC][tT][eE][dD][cC]")
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
# The next one ends these, so they nest only where others do.
_ENDED_BY_NEXT = frozenset(
    "p li dd dt option optgroup tr td th tbody thead tfoot rp rt colgroup caption html head body".split()
)
_NOT_NESTING_NAMES = _VOID | _ENDED_BY_NEXT
_NOT_NESTING = re.compile(rf"</?(?:{'|'.join(sorted(_NOT_NESTING_NAMES))})(?=[\s/>])", re.IGNORECASE)
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_FORMATTING_TAG = re.compile(
    "<(?:[bisuBISU]|[tT][tT]|[eE][mM]|[bB][iI][gG]|[cC][oO][dD][eE]|[fF][oO][nN][tT]|[sS][mM][aA][lL][lL]"
    "|[sS][tT][rR][iI][kK][eE]|[sS][tT][rR][oO][nN][gG])[\\t\\n\\f\\r />]"
)


def check_markup(text: str, *, scripting: bool = False) -> bool:
    """Refuse a page that would take the parser very long; an honest page takes half a millisecond.

    Args:
        text: the page.
        scripting: as in `sitestencil.page.parsing.parse`.

    Returns:
        Whether its tags were counted one by one; if not, it needs no check for the other way of parsing.

    Raises:
        PageUnavailable: the page is nested too deeply, or an element has too many attributes.
    """
    count = text.count("<")
    if count > MOST_TAGS:
        raise PageUnavailable(f"This page has more than {MOST_TAGS} tags.")
    # Scripts are searched too, so some tags may be false.
    is_suspect = _TAG_OF_MANY_ATTRIBUTES.search(text) is not None
    if count > _FEW_TAGS and not is_suspect:
        # Old pages omit many end tags; ignoring these elements takes longer than counting.
        is_suspect = (
            count > _MANY_TAGS
            or len(_BODY.findall(text)) > _MOST_BODIES
            or len(_FORMATTING_TAG.findall(text)) * count > _MOST_BEGUN
            or (_may_be_deep(text) and _may_be_deep(_NOT_NESTING.sub("", text)))
        )
    if is_suspect:
        _check_tags(text, scripting=scripting)
    return is_suspect


def check_repeated(parts: Iterable[str]) -> None:
    """Refuse parts of a page that are parsed one by one, and would together grow as no honest page does.

    Raises:
        PageUnavailable: they would; or as for `check_markup`.
    """
    begun = 0
    for part in parts:
        begun += len(_FORMATTING_TAG.findall(part)) * part.count("<")
        if begun > _MOST_BEGUN:
            raise _repeats()
        check_markup(part)


def check_levels(parents: Sequence[int]) -> None:
    """Refuse an element tree that is deeper than any in a browser.

    Raises:
        PageUnavailable: the tree is too deep.
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
    """Return whether a page copies the chosen option into a list's button.

    Raises:
        PageUnavailable: it does, and has too many options.
    """
    if not _SELECTED_CONTENT.search(text):
        return False
    if text.lower().count("<option") > MOST_COPIED_OPTIONS:
        raise PageUnavailable(
            f"This page has more than {MOST_COPIED_OPTIONS} options in lists that copy one of them."
        )
    return True


def _may_be_deep(text: str) -> bool:
    """Return whether the tags may nest too deeply anywhere, by a very fast count."""
    level = 0
    for start in range(0, len(text), _SLICE):
        end = start + _SLICE
        begun, ended = text.count("<", start, end), text.count("</", start, end)
        if level + begun - ended > MOST_LEVELS:
            return True
        level = max(0, level + begun - 2 * ended)
    return False


def _check_tags(text: str, *, scripting: bool) -> None:
    opened: dict[str, int] = {}
    level = formatting = most_formatting = bodies = count = unclear = 0
    for _, tag, attributes, is_empty, may_be_foreign, is_raw, is_unclear, opens_unclear in tags(
        text, scripting=scripting
    ):
        unclear += opens_unclear
        if unclear > _MOST_UNCLEAR:
            break
        if not tag:
            continue
        count += 1
        name, step = tag, 1
        if len(attributes) > MOST_ATTRIBUTES and _MANY_ATTRIBUTES.match(attributes):
            raise PageUnavailable(f"This page has an element with more than {MOST_ATTRIBUTES} attributes.")
        bodies += name in {"body", "html"}
        if name[0] == "/":
            name, step = name[1:], -1
            if is_unclear or not opened.get(name):
                continue
        elif is_raw or name in _NOT_NESTING_NAMES or (is_empty and may_be_foreign):
            continue
        opened[name] = opened.get(name, 0) + step
        level += step
        if name in _FORMATTING:
            formatting += step
            most_formatting = max(most_formatting, formatting)
        if level > MOST_LEVELS:
            raise _too_deep()
    if most_formatting * count > MOST_REPEATED or bodies > _MOST_BODIES or unclear > _MOST_UNCLEAR:
        raise _repeats()


def _repeats() -> PageUnavailable:
    return PageUnavailable("This page repeats elements more often than any honest page does.")


def _too_deep() -> PageUnavailable:
    return PageUnavailable(f"This page is nested deeper than {MOST_LEVELS} levels, more than browsers show.")
