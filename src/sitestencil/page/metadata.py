"""Choose a page's metadata from its own statements: title, author, dates and the like.

`docs/outputs.md` has the order of the sources. All of it is text of the page: its length is limited, control
characters are removed, addresses are http or https, and dates and languages have their own form.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from sitestencil.page.dates import iso_date
from sitestencil.page.document import Document
from sitestencil.page.json_ld import Graph, Node, graph_of
from sitestencil.page.page_facts import Mark, PageFacts, document_facts
from sitestencil.printable import visible
from sitestencil.urls import resolve

_LONGEST_NAME = 500
_LONGEST_TEXT = 2_000
_LONGEST_ADDRESS = 2_000
_MOST_AUTHORS = 10
_MOST_LINKED_AUTHORS = 5
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-(?:[a-z]{2,8}|\d[a-z0-9]{2,7})){0,4}", re.IGNORECASE | re.ASCII)
# One of these stands between a page's title and its site's name.
_BETWEEN = frozenset("|·•»«:-–—")  # noqa: RUF001 - titles have these dashes


@dataclass(frozen=True, slots=True)
class Metadata:
    """A page's own statements about itself; None for each that is missing.

    Attributes:
        url: the page's address.
        title: its title, without the site's name.
        author: its authors, with commas.
        published: the date, or date and time, of its publication, in ISO 8601.
        modified: likewise of its last change.
        site_name: the name of its site.
        language: its language, as a BCP 47 tag.
        description: its summary.
        canonical: its preferred address.
        license: its licence: an address or a name.
        page_type: what it says it is, such as ``NewsArticle`` (JSON-LD) or ``article`` (Open Graph).

    Example:
        >>> from sitestencil import parse
        >>> page = parse("<html lang=en><title>Knots | Ropes</title><meta property=og:site_name content=Ropes>",
        ...              "https://site.example/knots")
        >>> found = metadata(page)
        >>> found.title, found.site_name, found.language, found.author
        ('Knots', 'Ropes', 'en', None)
    """

    url: str
    title: str | None = None
    author: str | None = None
    published: str | None = None
    modified: str | None = None
    site_name: str | None = None
    language: str | None = None
    description: str | None = None
    canonical: str | None = None
    license: str | None = None
    page_type: str | None = None

    def to_dict(self) -> dict[str, str | None]:
        """Return the fields as plain data, in their order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def metadata(document: Document) -> Metadata:
    """Return a page's metadata."""
    return chosen(document_facts(document), document.url, document.base)


def chosen(facts: PageFacts, url: str, base: str) -> Metadata:
    """Choose a page's metadata from its facts.

    Args:
        facts: the page's statements.
        url: its address.
        base: the address that its references resolve against.
    """
    return _Chooser(facts, url, base).metadata()


class _Chooser:
    def __init__(self, facts: PageFacts, url: str, base: str) -> None:
        self._facts = facts
        self._url = url
        self._base = base
        self._graph: Graph = graph_of(facts.scripts)
        self._canonical = self._address([facts.links.get("canonical"), *self._meta("og:url")])
        self._node: Node = self._graph.page_node([url, *filter(None, [self._canonical])])

    def metadata(self) -> Metadata:
        site_name = self._site_name()
        return Metadata(
            url=self._url,
            title=self._title(site_name),
            author=self._author(),
            published=self._published(),
            modified=self._modified(),
            site_name=site_name,
            language=self._language(),
            description=_first(
                [
                    *self._node_values("description"),
                    *self._meta("og:description", "description", *_dc("description")),
                ],
                _LONGEST_TEXT,
            ),
            canonical=self._canonical or self._address(self._node_values("url", "url")),
            license=self._license(),
            page_type=_first(self._types(), _LONGEST_NAME),
        )

    def _title(self, site_name: str | None) -> str | None:
        named = [*self._node_values("headline"), *self._meta("citation_title", "og:title", *_dc("title"))]
        if not named:
            named = self._meta("twitter:title") + self._node_values("name")
        title = _first(named, _LONGEST_NAME) or _first([self._facts.title], _LONGEST_NAME)
        return None if title is None else _without_site(title, site_name)

    def _site_name(self) -> str | None:
        graph = self._graph
        return _first(
            [
                *self._meta("og:site_name"),
                *graph.values(graph.site_node(), "name"),
                *graph.values(self._node, "publisher"),
                *graph.values(self._node, "isPartOf"),
                *self._meta("application-name", *_dc("publisher")),
            ],
            _LONGEST_NAME,
        )

    def _author(self) -> str | None:
        meta = self._facts.meta
        citation = meta.get("citation_author") or meta.get("citation_authors") or []
        named = [meta.get(name, []) for name in (*_dc("creator"), "author", "article:author", "parsely-author")]
        for names in (
            self._node_values("author"),
            self._node_values("creator"),
            citation,
            *named,
            self._linked_authors(),
        ):
            clean = [name for name in map(_name, names) if name]
            if clean:
                return _cut(", ".join(dict.fromkeys(clean[:_MOST_AUTHORS])), _LONGEST_NAME)
        return None

    def _linked_authors(self) -> list[str]:
        marks = self._facts.authors
        distinct = list(dict.fromkeys(name for mark in marks if (name := _name(mark.value))))
        if len(distinct) > 1:
            # Several names stand for an article only where it is alone on the page.
            is_list = self._facts.articles != 1
            distinct = (
                [] if is_list else list(dict.fromkeys(_name(mark.value) for mark in marks if mark.in_article))
            )
        return distinct if len(distinct) <= _MOST_LINKED_AUTHORS else []

    def _published(self) -> str | None:
        names = ("article:published_time", "citation_publication_date", "citation_date", "citation_online_date")
        rest = ("dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date.created", *_dc("date"))
        said = [
            *self._node_values("datePublished"),
            *self._meta(*names, "og:article:published_time", *rest, "parsely-pub-date", "date", "pubdate"),
            *self._node_values("dateCreated"),
        ]
        return _first_date(said) or self._time("published")

    def _modified(self) -> str | None:
        names = (
            "article:modified_time",
            "og:updated_time",
            "dcterms.modified",
            "dc.date.modified",
            "last-modified",
        )
        said = [*self._node_values("dateModified"), *self._meta(*names)]
        return _first_date(said) or self._time("modified")

    def _time(self, kind: str) -> str | None:
        """Return the date of the page's ``time`` elements; a list of teasers has several, and says nothing."""
        times = self._facts.times
        marked = _distinct_dates(mark for mark in times if mark.kind == kind)
        if len(marked) == 1 or kind == "modified":
            return marked[0] if len(marked) == 1 else None
        others = [mark for mark in times if mark.kind != "modified"]
        dates = _distinct_dates(others)
        if len(dates) > 1:
            is_list = self._facts.articles != 1
            dates = [] if is_list else _distinct_dates(mark for mark in others if mark.in_article)
        return dates[0] if dates else None

    def _language(self) -> str | None:
        meta = self._meta("og:locale", "content-language", *_dc("language"))
        for said in (self._facts.language, *self._node_values("inLanguage", "alternateName"), *meta):
            tag = said.strip().replace("_", "-")
            if _LANGUAGE.fullmatch(tag):
                return tag
        return None

    def _types(self) -> list[str]:
        of_node = [said.rsplit("/", 1)[-1] for said in self._node_values("@type")]
        return [*of_node, *self._meta("og:type")]

    def _license(self) -> str | None:
        linked = self._address([self._facts.links.get("license"), *self._node_values("license", "url")])
        if linked is not None:
            return linked
        named = _first(self._meta("dcterms.license", "dc.rights.license", *_dc("rights"), "license"), _LONGEST_NAME)
        if named is None or "://" not in named:
            return named
        return self._address([named])

    def _address(self, references: Iterable[str | None]) -> str | None:
        for reference in references:
            if reference and reference.strip():
                address = resolve(reference, self._base)
                if address is not None and len(address) <= _LONGEST_ADDRESS and address.isprintable():
                    return address
        return None

    def _meta(self, *names: str) -> list[str]:
        """Return the first value of each name."""
        meta = self._facts.meta
        return [meta[name][0] for name in names if name in meta]

    def _node_values(self, key: str, inner: str = "name") -> list[str]:
        return self._graph.values(self._node, key, inner)


def _dc(name: str) -> tuple[str, str, str]:
    """Return the names that pages give to an element of Dublin Core."""
    return f"dc.{name}", f"dc:{name}", f"dcterms.{name}"


def _clean(text: str) -> str:
    return " ".join(visible(text).split())


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _first(texts: Iterable[str], most: int) -> str | None:
    for text in texts:
        # A little more than the limit, because white space goes.
        clean = _clean(text[: 4 * most])
        if clean:
            return _cut(clean, most)
    return None


def _name(text: str) -> str:
    """Return an author's name; empty for an address, which many sites give instead."""
    name = _clean(text[:_LONGEST_NAME])
    return "" if "://" in name or name.startswith(("@", "www.")) else name.removeprefix("By ").removeprefix("by ")


def _without_site(title: str, site_name: str | None) -> str:
    """Return a title without the site's name at either end.

    >>> _without_site("Knots | Ropes", "ropes"), _without_site("Ropes: Knots", "Ropes")
    ('Knots', 'Knots')
    """
    if not site_name:
        return title
    size, name = len(site_name), site_name.lower()
    if title[-size:].lower() == name:
        rest = title[:-size].rstrip()
        if rest[-1:] in _BETWEEN and rest[:-1].strip():
            return rest[:-1].rstrip()
    if title[:size].lower() == name:
        rest = title[size:].lstrip()
        if rest[:1] in _BETWEEN and rest[1:].strip():
            return rest[1:].lstrip()
    return title


def _first_date(texts: Iterable[str]) -> str | None:
    return next(filter(None, map(iso_date, texts)), None)


def _distinct_dates(marks: Iterable[Mark]) -> list[str]:
    return list(dict.fromkeys(_dates(marks)))


def _dates(marks: Iterable[Mark]) -> Iterator[str]:
    for mark in marks:
        date = iso_date(mark.value)
        if date is not None:
            yield date
