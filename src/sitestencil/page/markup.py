"""Find the tags of a page as the parser's tokenizer does, before the page is parsed.

Only the parser knows whether it is in SVG or MathML, where the content of a ``title`` is not text. A tag in doubt
is marked as unclear.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_SPACE = r"[\t\n\f\r ]"
ATTRIBUTE = (
    rf"""[\t\n\f\r /]*+[^\t\n\f\r />][^\t\n\f\r />=]*+"""
    rf"""(?:{_SPACE}*+={_SPACE}*+(?:"[^"]*+"|'[^']*+'|[^\t\n\f\r >"'][^\t\n\f\r >]*+)?+)?+"""
)
# Comments and bogus comments; then tags with their attributes and ends.
_MARKUP = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|(?P<cdata><!\[(?-i:CDATA)\[)"
    r"|<(?:[!?]|/(?![a-z]))[^>]*+>?+"
    rf"|<(?P<name>/?[a-z][^\t\n\f\r />]*+)(?P<attributes>(?:{ATTRIBUTE})*+)(?P<end>[\t\n\f\r /]*+)>?+",
    re.DOTALL | re.IGNORECASE | re.ASCII,
)
# Elements whose content is always text.
RAW = frozenset("script style textarea title xmp iframe noembed noframes".split())
RAW_WITH_SCRIPTING = RAW | {"noscript"}
FOREIGN = frozenset({"svg", "math"})
# Elements in SVG and MathML whose content is HTML again.
POINTS = frozenset("foreignobject desc annotation-xml mi mo mn ms mtext".split())
_RAW_END = {
    name: re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE | re.ASCII) for name in RAW_WITH_SCRIPTING
}
_IN_SCRIPT = re.compile(r"<!--|-->|<(?P<end>/?)script(?=[\t\n\f\r />])", re.IGNORECASE | re.ASCII)
# Only these tags start or end SVG, MathML or HTML within them.
_TURNS = frozenset(f"{slash}{name}" for name in FOREIGN | POINTS for slash in ("", "/")) | {"frameset"}
# The parser lowers only ASCII capitals.
_CAPITALS = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


class Tag(NamedTuple):
    """A tag, or a comment.

    Attributes:
        start: the start of its name.
        name: in lower case, with the slash of an end tag; empty for a comment.
        attributes: its attributes as written.
        is_empty: whether a slash ends it.
        may_be_foreign: whether it may be in SVG or MathML.
        is_raw: whether its content is text.
        is_unclear: whether the parser may read it as text.
        opens_unclear: whether its content may be markup or text.
    """

    start: int
    name: str
    attributes: str = ""
    is_empty: bool = False
    may_be_foreign: bool = False
    is_raw: bool = False
    is_unclear: bool = False
    opens_unclear: bool = False


class _Place:
    """Track whether the current place may be in SVG or MathML.

    Attributes:
        may_be_foreign: whether it may be.
    """

    def __init__(self) -> None:
        self.may_be_foreign = False
        self._is_tangled = False  # the nesting has become uncertain
        self._open = dict.fromkeys(FOREIGN, 0)
        self._point = ""

    def pass_by(self, name: str, is_empty: bool) -> None:
        if name not in _TURNS and not self._point:
            return
        is_start = name[0] != "/"
        bare = name if is_start else name[1:]
        if self._point and (is_start or bare == self._point):
            self._is_tangled = self._is_tangled or is_start
            self._point = ""
        if is_start and not is_empty and bare in POINTS and self.may_be_foreign:
            self._point = bare
        elif name == "frameset":
            self._is_tangled = True
        elif bare in FOREIGN and not (is_start and is_empty):
            self._open[bare] = max(0, self._open[bare] + (1 if is_start else -1))
        self.may_be_foreign = self._is_tangled or any(self._open.values())


def tags(text: str, *, scripting: bool = False) -> Iterator[Tag]:
    """Yield the tags and comments of a page in order.

    Args:
        text: the page.
        scripting: whether the content of ``noscript`` is text.
    """
    raw_names = RAW_WITH_SCRIPTING if scripting else RAW
    place, unclear_until, position = _Place(), 0, 0
    # Where the last search for each end stopped: a search that begins before that point stops there, too.
    ends: dict[str, int] = {}
    new_tag = tuple.__new__  # Tag(...) costs several times as much
    while (found := _MARKUP.search(text, position)) is not None:
        start, position = found.span()
        is_unclear = start < unclear_until
        cdata, written, attributes, closing = found.groups()
        if written is None:
            opens_unclear = cdata is not None and place.may_be_foreign
            if opens_unclear:
                if position > ends.get("", -1):
                    end = text.find("]]>", position)
                    ends[""] = len(text) if end < 0 else end
                unclear_until = max(unclear_until, ends[""])
            elif cdata is not None:
                end = text.find(">", position)
                position = len(text) if end < 0 else end + 1
            yield Tag(start + 1, "", is_unclear=is_unclear, opens_unclear=opens_unclear)
            continue
        name = written if written.islower() else written.translate(_CAPITALS)
        is_empty = closing[-1:] == "/"
        is_raw = opens_unclear = False
        if name in raw_names and text[position - 1] == ">":
            is_raw = not place.may_be_foreign
            if is_raw or position > ends.get(name, -1):
                ends[name] = _raw_end(text, name, position)
            end = ends[name]
            if is_raw:
                position = end
            elif text.find("<", position, end) >= 0:
                opens_unclear = True
                unclear_until = max(unclear_until, end)
        may_be_foreign = place.may_be_foreign
        place.pass_by(name, is_empty)
        yield new_tag(
            Tag, (start + 1, name, attributes, is_empty, may_be_foreign, is_raw, is_unclear, opens_unclear)
        )


def _raw_end(text: str, name: str, position: int) -> int:
    """Return the start of the end tag of an element whose content is text."""
    if name != "script":
        found = _RAW_END[name].search(text, position)
        return found.start() if found else len(text)
    # A comment in a script may hold a script element (HTML Standard, 13.2.5.17 to 13.2.5.31).
    escaped = doubly = False
    while (found := _IN_SCRIPT.search(text, position)) is not None:
        position = found.end()
        if found[0] == "<!--":
            escaped = True
            position -= 2  # its dashes may also end it
        elif found[0] == "-->":
            escaped = doubly = False
        elif not found["end"]:
            doubly = escaped
        elif doubly:
            doubly = False
        else:
            return found.start()
    return len(text)
