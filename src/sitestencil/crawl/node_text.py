"""Read the text of content elements straight from the parser's nodes."""

from collections.abc import Callable, Iterator, Mapping

from selectolax.lexbor import LexborNode

from sitestencil.crawl.page_nodes import count_elements
from sitestencil.outputs.allowed_markup import DROPPED, VOID
from sitestencil.outputs.plain_text import Lines
from sitestencil.page.html_names import BLOCKS, NO_TEXT
from sitestencil.page.parsing import element_name

# The text of a template element counts only inside shadow trees.
SILENT = (NO_TEXT | DROPPED | {"head", "svg", "math"}) - {"template"}
BREAKS = BLOCKS | {"br"}


def take_text(  # noqa: PLR0912, PLR0915 - no calls
    node: LexborNode,
    lines: Lines,
    names: dict[int, str | None],
    hides: Callable[[LexborNode], bool],
    first: int,
    formulas: Mapping[int, str],
) -> int:
    """Add all text below an element to the lines; return the size of its subtree.

    Args:
        node: the element.
        lines: receives the text.
        names: the known tags of the parser's tag numbers; None for nodes that are not elements.
        hides: returns whether an element hides its text.
        first: the element's number.
        formulas: the text to write for each formula, by the number of its element.
    """
    tag = node.tag or ""
    if first in formulas or hides(node):
        elements = count_elements(node)
        lines.add(text_instead(formulas, first, first + elements))
        return elements
    if tag == "img":
        lines.add_picture(node.attributes)
    if tag in SILENT:
        return count_elements(node)
    # Calls for each node dominate the time. So end a line only if it has parts, and let no line begin with white
    # space.
    elements, parts = 1, lines.parts
    steps: list[tuple[Iterator[LexborNode], str, bool]] = []
    in_pre = tag == "pre"
    if parts and tag in BLOCKS:
        lines.end()
    elif tag == "a" and lines.is_after_link and not in_pre:
        lines.add(" ")
    elif lines.between:
        lines.between = 2
    children = node.iter(include_text=True)
    while True:
        for child in children:
            name = child.tag_id
            try:
                child_tag = names[name]
            except KeyError:
                child_tag = names[name] = element_name(child)
            if child_tag is None:
                if child.is_text_node:
                    text = child.text_content or ""
                    if in_pre:
                        lines.add(text, in_pre=True)
                    elif parts or not text.isspace():
                        if lines.between:
                            lines.part(text)
                        parts.append(text)
                        lines.is_after_link = False
                continue
            if (formulas and first + elements in formulas) or hides(child):
                end = elements + count_elements(child)
                lines.add(text_instead(formulas, first + elements, first + end))
                elements = end
                continue
            if child_tag in SILENT:
                elements += count_elements(child)
                continue
            elements += 1
            if parts and child_tag in BREAKS:
                lines.end()
            elif child_tag == "a" and lines.is_after_link and not in_pre:
                lines.add(" ")
            elif lines.between:
                lines.between = 2
            if child_tag in VOID:
                if child_tag == "img":
                    lines.add_picture(child.attributes)
                continue
            steps.append((children, tag, in_pre))
            children, tag = child.iter(include_text=True), child_tag
            in_pre = in_pre or tag == "pre"
            break
        else:
            if tag in BLOCKS:
                if parts:
                    lines.end()
            else:
                lines.close(tag)
            if not steps:
                return elements
            children, tag, in_pre = steps.pop()


def text_instead(formulas: Mapping[int, str], first: int, end: int) -> str:
    """Return the text in place of a formula or of a hidden subtree, whose formulas are shown.

    Args:
        formulas: the text to write for each formula, by the number of its element.
        first: the number of the formula's or the subtree's element.
        end: one past its last element.
    """
    if first in formulas:
        return formulas[first]
    return " ".join(["", *(text for element, text in formulas.items() if first <= element < end), ""])
