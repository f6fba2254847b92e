"""Show what a page has for readers without scripts: ``noscript``, a stated article, what scripts and frames load.

Most ``noscript`` elements hold a picture, a counter or a request to turn scripts on. Some forums and shops, which
scripts build, write the whole page into one, for programs that run no scripts. Others state an article's text in
JSON-LD only, from which their script writes it, or keep a text in a ``template`` until it is scrolled to.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape, unescape
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitestencil.page.json_ld import graph_of
from sitestencil.page.limits import check_repeated

_TAG, _START, _END = "noscript", "<noscript", "</noscript"
_LEAST_LENGTH = 500  # of its markup, in characters, where it may hold a page
_SILENT = frozenset({"script", "style", "template"})
_JSON_LD = 'script[type="application/ld+json"]'
_STATED = "articleBody"
_THREE_WORDS = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){2}")
_MARKUP = re.compile("<[^<>]*>")
_MOST_PROBES, _MOST_PARAGRAPHS = 20, 1_000
_MOUNTS = frozenset({"article", "div", "main", "section"})
_PLACEHOLDER = re.compile(r"\{[{%]|\$\{|<%")
_LEAST_HELD, _MOST_HELD = 60, 100  # characters of a text, parts of a page
_AROUND = _SILENT | frozenset({"a", "aside", "footer", "header", "nav", "noscript"})


def show_without_scripts(root: LexborNode, html: str) -> None:
    """Show what a page's scripts would show.

    The ``noscript`` elements of the body are replaced by their content, if that is most of the page's text. An
    article that JSON-LD states goes into the first empty element, if the page shows nothing of it, and less other
    text outside links and landmarks. A ``template`` that alone fills an element is replaced by its content, if no
    other part of the page has that. A frame gets the document of its ``srcdoc``.

    Args:
        root: the root of a page that was parsed without scripting.
        html: its source.

    Raises:
        PageUnavailable: as in `sitestencil.page.parsing.parse`.

    Example:
        >>> from sitestencil import parse
        >>> html = f"<body><noscript><h1>Knots</h1>{'<p>A bowline holds.' * 30}</noscript>"
        >>> parse(html, "https://site.example/").tags[:6]
        ['html', 'head', 'body', 'h1', 'p', 'p']
    """
    if _may_hold_page(html):
        _show_noscripts(root)
    if _STATED in html:
        _show_stated(root, html)
    if "<template" in html:
        _show_templates(root, html)
    if "srcdoc" in html:
        _show_frames(root)


def _show_noscripts(root: LexborNode) -> None:
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


def _show_stated(root: LexborNode, html: str) -> None:
    scripts = [node.text() for node in root.css(_JSON_LD)]
    stated = [str(node[_STATED]) for node in graph_of(scripts).nodes if _STATED in node]
    if len(stated) != 1:
        return
    written = unescape(_MARKUP.sub(" ", stated[0])).split("\n", _MOST_PARAGRAPHS)
    lines = [line for each in written if (line := " ".join(each.split()))]
    text = "\n".join(lines)
    for script in scripts:
        html = html.replace(script, "")
    if any(probe.group() in html for probe in islice(_THREE_WORDS.finditer(text), _MOST_PROBES)):
        return
    mount, length = _mount_and_length(root)
    if mount is not None and length < len(text):
        body = LexborHTMLParser("".join(f"<p>{escape(line)}</p>" for line in lines)).body
        for paragraph in body.iter() if body is not None else ():
            mount.insert_child(paragraph)


def _mount_and_length(root: LexborNode) -> tuple[LexborNode | None, int]:
    """Return the first empty element of the body outside landmarks, and the length of the text there."""
    mount, length, inside = None, 0, set[int]()
    for node in root.traverse(include_text=True):
        around = node.parent
        if node.tag == "body" or (around is not None and around.mem_id in inside and node.tag not in _AROUND):
            inside.add(node.mem_id)
            if node.is_text_node:
                length += len((node.text_content or "").strip())
            elif mount is None and node.tag in _MOUNTS and node.first_child is None:
                mount = node
    return mount, length


def _show_templates(root: LexborNode, html: str) -> None:
    nodes = [node for node in root.css("template")[:_MOST_HELD] if _is_alone(node)]
    # The parser gives the content only with its tags, in whose values it escapes each ">".
    sources = [(node.html or "").partition(">")[2].removesuffix("</template>") for node in nodes]
    for node, held, text in _held(nodes, sources):
        probe = _THREE_WORDS.search(text)
        if probe is not None and html.count(probe.group()) <= 1 and not _PLACEHOLDER.search(text):
            for child in held.iter(include_text=True):
                node.insert_before(child)
            node.decompose()


def _is_alone(node: LexborNode) -> bool:
    """Return whether an element is all that one of the page's boxes has."""
    box = node.parent
    if box is None or box.tag not in _MOUNTS:
        return False
    return all(
        one == node or (one.is_text_node and not (one.text_content or "").strip())
        for one in box.iter(include_text=True)
    )


def _show_frames(root: LexborNode) -> None:
    nodes = root.css("iframe[srcdoc]")[:_MOST_HELD]
    for node, held, _ in _held(nodes, [node.attributes["srcdoc"] or "" for node in nodes]):
        if held.parent is not None:
            node.insert_child(held.parent)


def _held(nodes: Sequence[LexborNode], sources: Sequence[str]) -> Iterator[tuple[LexborNode, LexborNode, str]]:
    """Yield the nodes whose sources have some text, with the body of the source and its text."""
    check_repeated(sources)
    for node, source in zip(nodes, sources, strict=True):
        body = LexborHTMLParser(source).body if source else None
        runs = body.traverse(include_text=True) if body is not None else ()
        texts = [run.text_content or "" for run in runs if run.is_text_node and not _is_silent(run.parent)]
        text = " ".join(" ".join(texts).split())
        if body is not None and len(text) >= _LEAST_HELD:
            yield node, body, text


def _is_silent(node: LexborNode | None) -> bool:
    return node is not None and node.tag in _SILENT


_LATER = {
    "src": ("data-src", "data-lazy-src", "data-original", "data-lazy", "data-full-src"),
    "srcset": ("data-srcset", "data-lazy-srcset"),
}
_IMAGE = re.compile(r"(?:https?:/)?/[^\s{]+\.(?:avif|gif|jpe?g|png|webp)(?:\?[^\s{]*)?", re.IGNORECASE)
_MOST_ATTRIBUTES = 50


def with_later_images(attributes: Mapping[str, str]) -> Mapping[str, str]:
    """Return an image's attributes with the addresses that scripts load later.

    >>> with_later_images({"src": "data:image/gif;base64,R0", "data-src": "/a.jpg"})["src"]
    '/a.jpg'
    """
    later = {}
    for name, sources in _LATER.items():
        addresses = (attributes.get(source, "") for source in sources)
        # A script fills in the braces.
        later[name] = next((one for one in addresses if one.strip() and "{" not in one), "")
    if not later["src"] and not has_address(attributes) and len(attributes) <= _MOST_ATTRIBUTES:
        data_values = (value for name, value in attributes.items() if name.startswith("data-"))
        later["src"] = next(filter(_IMAGE.fullmatch, data_values), "")
    return {**attributes, **{name: address for name, address in later.items() if address}}


def has_address(attributes: Mapping[str, str]) -> bool:
    """Return whether an image's own attributes have an address, not only a placeholder's data."""
    address = attributes.get("src", "").strip()
    return bool(attributes.get("srcset", "").strip()) or (bool(address) and not address.startswith("data:"))
