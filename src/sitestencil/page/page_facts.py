"""Collect a page's statements about itself: head elements, JSON-LD, headings.

`metadata.py` chooses among them.
"""

from dataclasses import dataclass, field

from sitestencil.page.document import Document

JSON_LD = "application/ld+json"

_MOST_OF_ONE_NAME = 20
_MOST_SCRIPTS = 50
_TAGS = frozenset({"title", "meta", "link", "a", "script"})
_HEADINGS = frozenset({"h1", "h2", "article"})
_LOWER_HEADINGS = frozenset({"h3", "h4"})  # the page's title only if they say so
_ABOVE_TITLES = frozenset({"head", "body"})  # not in drawings, which have titles of their own
_MOST_HEADINGS = 60
_RELATIONS = frozenset({"canonical", "license"})


@dataclass(slots=True)
class PageFacts:
    """A page's statements about itself, as written.

    Attributes:
        language: the ``lang`` of the root.
        title: the text of the first ``title`` that is not in a drawing.
        meta: the values of each ``meta`` by its name in lower case.
        links: the first address of each relation: canonical, license.
        scripts: the texts of JSON-LD scripts.
        headings: the first ``h1``, ``h2`` and ``article`` elements, and ``h3`` and ``h4`` marked as the title.
    """

    language: str = ""
    title: str = ""
    meta: dict[str, list[str]] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    scripts: list[str] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)


def document_facts(document: Document) -> PageFacts:
    """Return the facts of a document; those of its frames are left out."""
    facts = PageFacts(scripts=list(document.json_ld))
    if not len(document):
        return facts
    tags, parents, attributes, ends = document.tags, document.parents, document.attributes, document.ends
    facts.language = attributes[0].get("lang") or attributes[0].get("xml:lang", "")
    frame_end = 0
    for element in document.tagged("html", *_TAGS, *_HEADINGS, *_LOWER_HEADINGS):
        if element < frame_end:
            continue
        tag = tags[element]
        if tag == "html" and element:
            frame_end = ends[element]
        elif tag == "title":
            if not facts.title and parents[element] >= 0 and tags[parents[element]] in _ABOVE_TITLES:
                facts.title = _text(document, element)
        elif tag in _HEADINGS or (tag in _LOWER_HEADINGS and attributes[element].get("itemprop") == "headline"):
            if len(facts.headings) < _MOST_HEADINGS:
                facts.headings.append(element)
        elif tag in _TAGS:
            _add(facts, document, element)
    return facts


def _add(facts: PageFacts, document: Document, element: int) -> None:
    tag, attributes = document.tags[element], document.attributes[element]
    if tag == "meta":
        name = attributes.get("property") or attributes.get("name") or attributes.get("http-equiv")
        content = attributes.get("content")
        if name and content:
            values = facts.meta.setdefault(name.strip().lower(), [])
            values += [content] if len(values) < _MOST_OF_ONE_NAME else []
    elif tag == "script":
        if len(facts.scripts) < _MOST_SCRIPTS and attributes.get("type", "").strip().lower() == JSON_LD:
            facts.scripts.append(_text(document, element))
    elif attributes.get("rel") and (address := attributes.get("href")):
        relations = _RELATIONS.intersection(attributes["rel"].lower().split())
        for relation in relations - ({"canonical"} if tag == "a" else set()):
            facts.links.setdefault(relation, address)


def _text(document: Document, element: int) -> str:
    if element not in document.own_texts and document.ends[element] == element + 1:
        return ""
    within = range(element, document.ends[element])
    return "".join(document.texts[run].text for part in within for run in document.own_texts.get(part, ()))
