"""Collect a page's statements about itself: head elements, JSON-LD, headings.

`metadata.py` chooses among them. Both readers, of documents and of the parser's tree, give the same facts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from selectolax.lexbor import LexborNode

from sitestencil.page.document import Document
from sitestencil.page.near_title import Heading, document_ways, node_ways
from sitestencil.page.parsing import html_base

JSON_LD = "application/ld+json"

_MOST_OF_ONE_NAME = 20
_MOST_SCRIPTS = 50
# Narrow, because each element found costs more than those passed over.
_SELECTOR = (
    "title,meta,base,h1,h2,article,link[rel~='canonical' i],link[rel~='license' i],a[rel~='license' i],"
    f"script[type='{JSON_LD}' i]"
)
_TAGS = frozenset({"title", "meta", "link", "a", "script"})
_HEADINGS = frozenset({"h1", "h2", "article"})
_MOST_HEADINGS = 60
_RELATIONS = frozenset({"canonical", "license"})


@dataclass(slots=True)
class PageFacts:
    """A page's statements about itself, as written.

    Attributes:
        base: the reference of the first ``base``; documents have resolved it.
        language: the ``lang`` of the root.
        title: the text of the first ``title`` in the head.
        meta: the values of each ``meta`` by its name in lower case.
        links: the first address of each relation: canonical, license.
        scripts: the texts of JSON-LD scripts.
        headings: the first ``h1``, ``h2`` and ``article`` elements.
    """

    base: str = ""
    language: str = ""
    title: str = ""
    meta: dict[str, list[str]] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    scripts: list[str] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)

    def add(self, tag: str, attributes: Mapping[str, str | None], text: Callable[[], str]) -> None:
        """Add an element, in document order.

        Args:
            tag: its name.
            attributes: its attributes.
            text: returns its text.
        """
        if tag == "meta":
            name = attributes.get("property") or attributes.get("name") or attributes.get("http-equiv")
            content = attributes.get("content")
            if name and content:
                values = self.meta.setdefault(name.strip().lower(), [])
                values += [content] if len(values) < _MOST_OF_ONE_NAME else []
        elif tag == "script":
            if len(self.scripts) < _MOST_SCRIPTS and (attributes.get("type") or "").strip().lower() == JSON_LD:
                self.scripts.append(text())
        elif tag in {"a", "link"} and attributes.get("rel") and (address := attributes.get("href")):
            relations = _RELATIONS.intersection((attributes.get("rel") or "").lower().split())
            for relation in relations - ({"canonical"} if tag == "a" else set()):
                self.links.setdefault(relation, address)


def document_facts(document: Document, template_texts: Sequence[bool] = ()) -> PageFacts:
    """Return the facts of a document; those of its frames are left out.

    Args:
        document: the document.
        template_texts: per text, whether other pages of the site have it in the same place; empty if unknown.
    """
    facts = PageFacts()
    if not len(document):
        return facts
    tags, parents, attributes, ends = document.tags, document.parents, document.attributes, document.ends
    facts.language = attributes[0].get("lang") or attributes[0].get("xml:lang", "")
    frame_end = 0
    for element, tag in enumerate(tags):
        if element < frame_end:
            continue
        if tag == "html" and element:
            frame_end = ends[element]
        elif tag == "title":
            if not facts.title and parents[element] >= 0 and tags[parents[element]] == "head":
                facts.title = _text(document, element)
        elif tag in _HEADINGS:
            if len(facts.headings) < _MOST_HEADINGS:
                ways = partial(document_ways, document, element, template_texts)
                facts.headings.append(Heading(element, tag, ways))
        elif tag in _TAGS:
            facts.add(tag, attributes[element], lambda element=element: _text(document, element))  # type: ignore[misc]
    return facts


def node_facts(root: LexborNode) -> PageFacts:
    """Return the facts of a page's root element.

    Args:
        root: as `sitestencil.page.parsing.lexbor_root` returns it.
    """
    facts = PageFacts()
    root_attributes, has_base = root.attributes, False
    facts.language = root_attributes.get("lang") or root_attributes.get("xml:lang") or ""
    for node in root.css(_SELECTOR):
        tag = node.tag or ""
        if tag == "base":
            has_base = True
        elif tag in _HEADINGS:
            if len(facts.headings) < _MOST_HEADINGS:
                facts.headings.append(Heading(node.mem_id, tag, partial(node_ways, node)))
        elif tag != "title":
            facts.add(tag, node.attributes, node.text)
        elif not facts.title and node.parent is not None and node.parent.tag == "head":
            facts.title = node.text()
    facts.base = html_base(root) if has_base else ""
    return facts


def _text(document: Document, element: int) -> str:
    if element not in document.own_texts and document.ends[element] == element + 1:
        return ""
    within = range(element, document.ends[element])
    return "".join(document.texts[run].text for part in within for run in document.own_texts.get(part, ()))
