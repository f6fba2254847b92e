"""Check the written Markdown: does a CommonMark parser read the intended tree?

Both are compared as events: blocks, links, images, code and words. White space does not count.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace

from markdown_it import MarkdownIt, helpers
from markdown_it.helpers import parseLinkDestination
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from sitestencil.outputs.tree import Element

Event = tuple[object, ...]

_MOST_NESTING = 200
# The parser's names of elements, where these are others.
_NAMES = {
    "paragraph": "p",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "th": "cell",
    "td": "cell",
    "s": "del",
    "link": "a",
    "hardbreak": "br",
}
_CLOSED = frozenset({"ul", "ol", "blockquote", "table", "a", "em", "strong", "del"})


# Of any rule for what stands within a line: escapes, code, emphasis, links, HTML, characters by name, formulas.
_SIGN = re.compile(r"[\\`*_~\[\]!<&$]")
_ADDRESS = re.compile(r"[!#$%&+,./0-9:;=?@A-Z_a-z~-]+(?=\))")
# Escaped dollar signs are part of a formula; a dollar sign before a digit ends none.
_FORMULA = re.compile(r"(\$\$?)(?![\s\d$])((?:[^$\\\n]|\\[^\n])+)\1(?!\d)")


def _read_formula(state: StateInline, silent: bool) -> bool:
    """Read ``$x$`` or ``$$x$$``, as readers of formulas do."""
    found = _FORMULA.match(state.src, state.pos) if state.src[state.pos] == "$" else None
    if found is None:
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content, token.markup = found[2], found[1]
    state.pos = found.end()
    return True


def _read_lines(state: StateCore) -> None:
    """Read the lines; one without any sign of Markdown is its words."""
    for token in state.tokens:
        if token.type == "inline":
            if _SIGN.search(token.content):
                token.children = state.md.inline.parse(token.content, state.md, state.env, [])
            else:
                token.children = [Token("text", "", 0, content=token.content)]


def _read_address(text: str, begin: int, end: int) -> object:
    """Read a link's address: as the parser does, which takes each sign by itself, but whole where all are plain."""
    found = _ADDRESS.match(text, begin, end)
    if found is None or ("&" in found[0] and ";" in found[0]):
        return parseLinkDestination(text, begin, end)
    return SimpleNamespace(ok=True, pos=found.end(), str=found[0])


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _MOST_NESTING}).enable(["table", "strikethrough"])
    parser.inline.ruler.before("escape", "formula", _read_formula)
    parser.core.ruler.at("inline", _read_lines)
    own_helpers = SimpleNamespace(**{**vars(helpers), "parseLinkDestination": _read_address})
    parser.helpers = own_helpers  # type: ignore[assignment]
    # Keep every address, exactly as written.
    parser.validateLink = lambda _: True  # type: ignore[method-assign,assignment]
    parser.normalizeLink = lambda address: address  # type: ignore[method-assign,assignment]
    return parser


_PARSER = _parser()


def reads_back(text: str, tree: Element) -> bool:
    """Return whether CommonMark reads exactly this tree from a text: no HTML, no other link."""
    return _joined(_read(_PARSER.parse(text))) == _joined(_meant(tree.children))


def line_reads_back(text: str, nodes: Sequence[Element | str]) -> bool:
    """Return whether CommonMark reads exactly these words, links and images from a line."""
    return _joined(_read(_PARSER.parseInline(text))) == _joined(_meant(nodes))


def _read(tokens: Iterable[Token]) -> Iterator[Event]:  # noqa: PLR0912 - a table
    for token in tokens:
        match token.type:
            case "inline":
                yield from _read(token.children or ())
            case "text" | "softbreak":
                yield "text", token.content
            case "heading_open":
                yield (token.tag,)
            case "ordered_list_open":
                yield "ol", str(token.attrs.get("start", 1))
            case "code_inline":
                yield "code", _dense(token.content)
            case "formula":
                yield "tex", token.markup, _dense(token.content.removeprefix("{}"))
            case "fence":
                yield "pre", token.info, _dense(token.content)
            case "link_open":
                yield "a", *token.attrs.items()
            case "image":
                words = "".join(child.content for child in token.children or ())
                yield "img", token.attrs["src"], token.attrs.get("title"), _dense(words)
            case kind if kind.endswith("_close"):
                name = kind.removesuffix("_close")
                if (name := _NAMES.get(name, name)) in _CLOSED:
                    yield (f"/{name}",)
            case kind:
                name = kind.removesuffix("_open")
                if (name := _NAMES.get(name, name)) not in {"thead", "tbody"}:
                    yield (name, token.content) if token.content else (name,)


def _meant(nodes: Iterable[Element | str]) -> Iterator[Event]:  # noqa: PLR0912 - a table
    for node in nodes:
        if isinstance(node, str):
            yield "text", node
            continue
        attributes = node.attributes
        match node.name:
            case "code":
                yield "code", _dense(_only_text(node))
            case "tex":
                yield "tex", "$$" if attributes else "$", _dense(_only_text(node).removeprefix("{}"))
            case "pre":
                yield "pre", attributes["language"], _dense(_only_text(node))
            case "img":
                yield "img", attributes["src"], None, _dense(attributes["alt"])
            case "a":
                yield "a", ("href", attributes["href"])
            case "ol":
                yield "ol", attributes["start"]
            case "noteref":
                yield "text", f"[^{attributes['note']}]"
            case "note":
                yield ("p",)
                yield "text", f"[^{attributes['note']}]: "
            case "td" | "th":
                yield ("cell",)
            case name:
                yield (name,)
        if node.name not in {"code", "pre", "tex"}:
            yield from _meant(node.children)
        if node.name in _CLOSED:
            yield (f"/{node.name}",)


def _joined(events: Iterable[Event]) -> list[Event]:
    """Return events with adjacent texts joined."""
    joined: list[Event] = []
    words: list[str] = []
    for event in events:
        if event[0] == "text":
            words.append(str(event[1]))
            continue
        if text := _dense("".join(words)):
            joined.append(("text", text))
        words = []
        joined.append(event)
    if text := _dense("".join(words)):
        joined.append(("text", text))
    return joined


def _only_text(element: Element) -> str:
    return "".join(child for child in element.children if isinstance(child, str))


def _dense(text: str) -> str:
    return "".join(text.split())
