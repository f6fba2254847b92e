"""Tell that a page shows the beginning of a text that is not free."""

from sitestencil.page.document import Document

MOST_WORDS = 250  # of the main content: subscribers and some readers without JavaScript get more
CONFIDENCE = 0.3  # near the F1 of a beginning beside its text
_FREE = "isAccessibleForFree"


def is_paid(document: Document) -> bool:
    """Return whether a page states in microdata or JSON-LD that its text, or a part of it, is not free.

    Example:
        >>> from sitestencil import parse
        >>> is_paid(parse("<meta itemprop=isAccessibleForFree content=false>", "https://site.example/"))
        True
    """
    properties = [document.attributes[element] for element in document.having("itemprop")]
    marked = [one.get("content") or one.get("href") for one in properties if one["itemprop"] == _FREE]
    if marked:
        return all(map(_is_false, marked))
    scripts = [*document.json_ld, *map(document.text_content, document.tagged("script"))]
    if not any(_FREE in script for script in scripts):
        return False
    from sitestencil.page.json_ld import graph_of
    from sitestencil.page.page_facts import document_facts

    facts = document_facts(document)
    addresses = [document.url, facts.links.get("canonical"), *facts.meta.get("og:url", ())]
    node = graph_of(facts.scripts).page_node(filter(None, addresses))
    parts = node.get("hasPart")
    nodes = [node, *(parts if isinstance(parts, list) else [parts])]
    stated = [one[_FREE] for one in nodes if isinstance(one, dict) and _FREE in one]
    return bool(stated) and _is_false(stated[0])


def _is_false(value: object) -> bool:
    """Return whether a value is false, also as an address of schema.org."""
    return str(value).rpartition("/")[2].strip().lower() == "false"
