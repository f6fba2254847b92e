"""Documents as scripts can build them, which no HTML gives, for property tests."""

from hypothesis import strategies as st

from sitestencil.outputs.allowed_markup import DROPPED, ELEMENTS, RENAMED
from sitestencil.page.document import Document, TextRun
from sitestencil.page.parser_rules import Namespace, RenderingMode

URL = "https://example.org/news/today"
_NESTED_WRONGLY = (
    "p div a li dd table tr td button form nobr select option h1 rt ruby caption svg math template".split()
)
_HTML = [*sorted(ELEMENTS["html"] | set(RENAMED) | DROPPED), "x-card", "SCRIPT", "a:b", *_NESTED_WRONGLY * 6]
_SVG = [*sorted(ELEMENTS["svg"]), "style", "script", "g", "svg", "foreignObject", "foreignObject"]
_MATH = [*sorted(ELEMENTS["math"]), "annotation-xml", "mglyph"]
_NAMES: dict[Namespace, list[str]] = {"html": _HTML, "svg": _SVG, "math": _MATH, "other": ["x", "script"]}
_ATTRIBUTES: list[dict[str, str]] = [
    {},
    {"class": "x"},
    {"href": "/a?b=c", "onclick": "x"},
    {"type": "hidden", "value": "x"},
    {"shadowrootmode": "open"},
    {"style": "color: red", "title": "<\"'&>\r\n\0\xa0"},
    {"viewBox": "0 0 1 1", "<!--": "x"},
]
_TEXTS = st.sampled_from(
    [" ", "\n", "x", "\nx", "<b>", "&amp;", "</style>", "\0", "\r\n", "a\xa0b", "-->", "\ud800"]
)


@st.composite
def live_documents(draw: st.DrawFn, largest: int = 40) -> Document:
    """Return a document of any nesting of HTML, SVG and MathML elements, texts anywhere in it."""
    tags, parents = ["html", "head", "body"], [-1, 0, 0]
    attributes: list[dict[str, str]] = [{}, {}, {}]
    namespaces: dict[int, Namespace] = {}
    texts: list[TextRun] = []
    path = [0, 2]
    for element in range(3, draw(st.integers(4, largest))):
        del path[draw(st.integers(2, len(path))) :]
        parent = path[-1]
        outer = namespaces.get(parent, "html")
        namespace = draw(st.sampled_from([outer, outer, outer, "html"]))
        name = draw(st.sampled_from(_NAMES[namespace]))
        if name in {"svg", "math"} and namespace == "html":
            namespace = "svg" if name == "svg" else "math"
        tags.append(name)
        parents.append(parent)
        attributes.append(draw(st.sampled_from(_ATTRIBUTES)))
        if namespace != "html":
            namespaces[element] = namespace
        for after, holder in ((-1, element), (element, parent)):
            if draw(st.booleans()):
                texts.append(TextRun(holder, after, draw(_TEXTS)))
        path.append(element)
    modes: list[RenderingMode] = ["no-quirks", "limited-quirks", "quirks"]
    return Document(
        URL, URL, tags, parents, attributes, texts, True, "html", None, draw(st.sampled_from(modes)), namespaces
    )
