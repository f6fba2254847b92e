"""Pages by chance, for properties that hold of every page: a few tags, classes, ids and words, nested at will."""

from hypothesis import strategies as st

from sitestencil.page.document import Document
from sitestencil.page.parsing import parse

URL = "http://site.test/a"
_WORDS = st.sampled_from(["", "home", "news", "about us", "1", "story"])
_TAGS = st.sampled_from("div ul li p a nav span section script table svg template".split())
_ATTRIBUTES = st.sampled_from(["", " class=a", " class='b item-2'", " id=x", " id=y class=a", " href=/b", " alt=z"])
_ELEMENTS = st.recursive(
    _WORDS,
    lambda inside: st.builds(
        lambda tag, attributes, parts: f"<{tag}{attributes}>{''.join(parts)}</{tag}>",
        _TAGS,
        _ATTRIBUTES,
        st.lists(inside, max_size=5),
    ),
    max_leaves=25,
)
BODIES = st.lists(_ELEMENTS, max_size=5).map("".join)


def document(body: str, url: str = URL) -> Document:
    return parse(f"<!doctype html><body>{body}", url)


DOCUMENTS = BODIES.map(document)
