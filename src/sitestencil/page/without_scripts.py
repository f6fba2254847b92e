"""Show what a page has for readers without scripts: its ``noscript`` elements.

Most of them hold a picture, a counter or a request to turn scripts on. Some forums and shops, which scripts build,
write the whole page into one, for programs that run no scripts.
"""

from selectolax.lexbor import LexborNode

_TAG, _START, _END = "noscript", "<noscript", "</noscript"
_LEAST_LENGTH = 500  # of its markup, in characters, where it may hold a page
_SILENT = frozenset({"script", "style", "template"})


def show_without_scripts(root: LexborNode, html: str) -> None:
    """Replace the ``noscript`` elements of the body by their content, if that is most of the page's text.

    Args:
        root: the root of a page that was parsed without scripting.
        html: its source.

    Example:
        >>> from sitestencil import parse
        >>> html = f"<body><noscript><h1>Knots</h1>{'<p>A bowline holds.' * 30}</noscript>"
        >>> parse(html, "https://site.example/").tags[:6]
        ['html', 'head', 'body', 'h1', 'p', 'p']
    """
    if not _may_hold_page(html):
        return
    found: list[LexborNode] = []
    # For each element in the body: whether it is in one of these elements; None where it has no text.
    within: dict[int, bool | None] = {}
    lengths = {True: 0, False: 0}
    for node in root.traverse(include_text=True):
        around = within.get(node.parent.mem_id) if node.parent is not None else None
        if node.is_text_node:
            if around is not None:
                lengths[around] += len((node.text_content or "").strip())
        elif node.tag == "body" or around is not None:
            within[node.mem_id] = None if node.tag in _SILENT else bool(around) or node.tag == _TAG
            if node.tag == _TAG and not around:
                found.append(node)
    if lengths[True] > lengths[False]:
        for node in found:
            node.unwrap()


def _may_hold_page(html: str) -> bool:
    start = html.find(_START)
    while start >= 0:
        end = html.find(_END, start)
        if end < 0 or end - start >= _LEAST_LENGTH:
            return True
        start = html.find(_START, end)
    return False
