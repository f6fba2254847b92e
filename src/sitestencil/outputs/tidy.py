"""Take runs of blank lines out of a page's tree: removed content leaves many."""

import re

from sitestencil.outputs.tree import WHITE_SPACE, ContentText, Element, PageTree

_RUN_OF_BLANK_LINES = re.compile(r"\n(?:[ \t\f\r]*\n){2,}")
# White space in them may show.
_AS_TYPED = frozenset({"pre", "textarea", "code", "samp", "kbd"})


def tidy(page: PageTree) -> None:
    """Shorten the white space around elements to one line break each, where a browser shows none of it."""
    open_elements = [page.html]
    while open_elements:
        element = open_elements.pop()
        if element.name == "style":
            element.children = [
                _RUN_OF_BLANK_LINES.sub("\n\n", child) if isinstance(child, str) else child
                for child in element.children
            ]
        elif element.name not in _AS_TYPED and "white-space" not in element.attributes.get("style", ""):
            element.children = [
                _tidied(child) if type(child) in {str, ContentText} else child for child in _joined(element)
            ]
            open_elements += (child for child in element.children if isinstance(child, Element))


def _joined(element: Element) -> "list[Element | str]":
    joined = Element(element.name)
    joined.set_children(element.children)
    return joined.children


def _tidied(text: "Element | str") -> "Element | str":
    """Return a text with at most one line break at its start, and at its end."""
    assert isinstance(text, str)
    words = text.strip(WHITE_SPACE)
    if not words:
        return type(text)(_without_blank_lines(text))
    before, after = text[: text.index(words)], text[text.index(words) + len(words) :]
    return type(text)(f"{_without_blank_lines(before)}{words}{_without_blank_lines(after)}")


def _without_blank_lines(space: str) -> str:
    r"""Return white space with one line break for all of its lines; the last line's indent stays.

    Example:
        >>> _without_blank_lines("  \n\n  "), _without_blank_lines(" \n ")
        ('\n  ', ' \n ')
    """
    lines = space.split("\n")
    return f"\n{lines[-1]}" if len(lines) > 2 else space
