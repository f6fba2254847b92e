"""Find the pages whose elements may read otherwise than their names tell: only they need a `Reading`."""

from collections.abc import Iterator
from itertools import islice, takewhile

from selectolax.lexbor import LexborNode

from sitestencil.page.hidden import MENUS, hides
from sitestencil.page.html_names import BLOCKS, CELLS
from sitestencil.page.read_names import TITLED, is_question

_SURELY = ",".join(
    [
        "math, rt, script[type*=math i], [data-katex], [data-latex], [data-math], [data-tex]",
        "[style*=visibility i], span[class*=mw-editsection], :not(body) > noscript img",
        # Code with numbers, or with elements as lines.
        "pre [class*=lin i], pre [class*=ln i], pre [class*=num i], pre [class*=gutter i], pre [data-line]",
        "pre [style], pre > code ~ code, pre[class*=line i], [class*=line i] > code",
        "code[style], code br, code pre, code div, code p, code li, code tr, code dd",
        "button h1, button h2, button h3, button h4, button h5, button h6, button p, button dt, button summary",
    ]
)
_PERHAPS = "[hidden], [style*=none i], [style*=inline i], button, pre"
_MOST = 500  # of these on a page, to look at each
_PARTS = BLOCKS | CELLS
_NEAR = 12  # siblings
_LEVELS = 4


def may_read_otherwise(root: LexborNode) -> bool:
    """Return whether some elements of a page may read otherwise than their names tell.

    Args:
        root: the page's root element, as `page.parsing.lexbor_root` returns it.
    """
    if root.css_first(_SURELY) is not None:
        return True
    found = root.css(_PERHAPS)
    return len(found) > _MOST or any(map(_may, found))


def _may(node: LexborNode) -> bool:
    if node.tag == "button":
        return _may_be_text(node)
    if node.tag == "pre":
        return _may_have_numbers_beside(node)
    style = (node.attributes.get("style") or "").lower()
    if "inline" in style and node.tag in BLOCKS:
        return True
    return hides(node.attributes) and _may_show(node)


def _may_show(hidden: LexborNode) -> bool:
    return bool(hidden.text().strip()) and MENUS.isdisjoint(one.tag for one in _path(hidden))


def _may_be_text(button: LexborNode) -> bool:
    words = button.text().split()
    if not words:
        return False
    if "aria-expanded" in button.attributes and is_question(words):
        return True
    line = list(takewhile(lambda one: one.tag not in _PARTS, _path(button)))
    block = line[-1].parent
    if block is None or block.tag in TITLED:
        return True
    return all(any(_has_text_beside(one, way) for one in line) for way in ("prev", "next"))


def _has_text_beside(node: LexborNode, way: str) -> bool:
    """Return whether there may be words before or after a node in its parent."""
    for _ in range(_NEAR):
        node = getattr(node, way)
        if node is None:
            return False
        if node.tag != "button" and (node.text_content or node.text()).strip():
            return True
    return True


def _may_have_numbers_beside(code: LexborNode) -> bool:
    for one in islice(_path(code), _LEVELS):
        before = one.prev
        while before is not None and before.is_text_node:
            before = before.prev
        if before is not None:
            return before.text().strip()[:1].isdigit()
    return False


def _path(node: LexborNode | None) -> Iterator[LexborNode]:
    """Yield a node and those around it."""
    while node is not None:
        yield node
        node = node.parent
