"""Choose a page's metadata from its own statements: title, author, dates and the like.

`docs/outputs.md` has the order of the sources. All of it is text of the page: its length is limited, control
characters are removed, addresses are http or https, and dates and languages have their own form.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

from sitestencil.page import page_title, published
from sitestencil.page.authors import SiteNames, chosen_authors
from sitestencil.page.bylines import authors_in, dated
from sitestencil.page.document import Document
from sitestencil.page.json_ld import Graph, Node, graph_of, read_values
from sitestencil.page.near_title import heading_text, text_around
from sitestencil.page.page_facts import PageFacts, document_facts
from sitestencil.page.page_title import TITLE_SEPARATOR, host_names, letters, shared_parts, title_alone
from sitestencil.page.short_texts import cut, first_text
from sitestencil.urls import resolve

_LONGEST_NAME = 500
_LONGEST_TEXT = 2_000
_LONGEST_ADDRESS = 2_000
_LEAST_OF_TITLE = 0.25
_AMOUNT = re.compile(r"[0-9][0-9.,]{0,15}")
_CURRENCY = re.compile(r"[^\W\d_]{3,4}|[€£¥$]")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-(?:[a-z]{2,8}|\d[a-z0-9]{2,7})){0,4}", re.IGNORECASE | re.ASCII)


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
        price: the price of what it offers, such as ``12.50 EUR``.
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
    price: str | None = None
    page_type: str | None = None

    def to_dict(self) -> dict[str, str | None]:
        """Return the fields as plain data, in their order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def metadata(document: Document, other_titles: Sequence[str] = (), template_texts: Sequence[bool] = ()) -> Metadata:
    """Return a page's metadata.

    Args:
        document: the page.
        other_titles: the titles of other pages of the site.
        template_texts: per text, whether other pages of the site have it in the same place; empty if unknown.
    """
    return _Chooser(document, document_facts(document), other_titles, template_texts).metadata()


class _Chooser:
    def __init__(
        self, document: Document, facts: PageFacts, other_titles: Sequence[str], template_texts: Sequence[bool]
    ) -> None:
        self._facts = facts
        self._document = document
        self._template_texts = template_texts
        self._url = url = document.url
        self._base = document.base
        self._graph: Graph = graph_of(facts.scripts)
        self._canonical = self._address([facts.links.get("canonical"), *self._meta("og:url")])
        self._node: Node = self._graph.page_node([url, *filter(None, [self._canonical])])
        persons = self._graph.names_of("Person")
        stated = {letters(name[:_LONGEST_NAME]) for name in self._site_names if name not in persons}
        rights = "".join(self._meta("copyright", *_dc("rights"), *_dc("publisher"), "article:publisher"))
        self._site = SiteNames(
            stated | shared_parts(other_titles),
            set(map(letters, {*host_names(url)} - {page_title.user_name(url)})),
            letters(rights[:_LONGEST_TEXT]),
        )
        named = [*host_names(url), *persons.intersection(self._site_names)]
        self._names = self._site.stated | set(map(letters, named))

    def metadata(self) -> Metadata:
        return Metadata(
            url=self._url,
            title=self._whole_title(),
            author=self._author(),
            published=self._published,
            modified=self._modified,
            site_name=first_text(self._site_names, _LONGEST_NAME),
            language=self._language(),
            description=first_text(
                [
                    *self._node_values("description"),
                    *self._meta("og:description", "description", *_dc("description")),
                ],
                _LONGEST_TEXT,
            ),
            canonical=self._canonical or self._address(self._node_values("url", "url")),
            license=self._license(),
            price=self._price(),
            page_type=first_text(self._types(), _LONGEST_NAME),
        )

    @cached_property
    def _title(self) -> str | None:
        named = [*self._node_values("headline"), *self._meta("citation_title", "og:title", *_dc("title"))]
        if not named:
            named = self._meta("twitter:title") + self._node_values("name")
        titles = [first_text(texts, _LONGEST_NAME) for texts in ([self._facts.title], named)]
        alone = [title_alone(title, self._names) for title in titles if title is not None]
        # Some headlines describe the page, so that a title that is also a heading counts first.
        if len(alone) == 2 and letters(alone[0]) not in map(self._named, self._of("h1")):
            del alone[0]
        return alone[0] if alone else None

    def _whole_title(self) -> str | None:
        title = self._title
        if title is None or TITLE_SEPARATOR.search(title) is None or self._heading is None:
            return title
        return title_alone(title, self._names, heading_text(self._document, self._heading))

    @cached_property
    def _site_names(self) -> list[str]:
        graph = self._graph
        return [
            *self._meta("og:site_name"),
            *graph.values(graph.site_node(), "name"),
            *graph.values(self._node, "publisher"),
            *graph.values(self._node, "isPartOf"),
            *self._meta("application-name", *_dc("publisher")),
        ]

    @cached_property
    def _heading(self) -> int | None:
        """The heading that is the page's title; else the only ``h1``; else the only article."""
        titles = [letters(title) for title in (self._title or "", self._facts.title)]
        best, most = None, _LEAST_OF_TITLE
        for heading in self._of("h1", "h2", "h3", "h4") if any(titles) else ():
            name = self._named(heading)
            likeness = max(page_title.likeness(name, title) for title in titles)
            if likeness > most:
                best, most = heading, likeness
            if most == 1:
                break
        if best is None:
            only = [heading for heading in self._of("h1") if self._named(heading)] or self._of("article")
            best = only[0] if len(only) == 1 else None
        return best

    def _of(self, *tags: str) -> list[int]:
        of_page = self._document.tags
        return [heading for tag in tags for heading in self._facts.headings if of_page[heading] == tag]

    def _named(self, heading: int) -> str:
        """Return the letters of a heading; none of the site's name."""
        name = letters(heading_text(self._document, heading))
        return "" if name in self._names else name

    @cached_property
    def _around(self) -> tuple[str, str]:
        """The marked text after the heading that is the page's title, and before it."""
        if self._heading is None:
            return "", ""
        before, after = text_around(self._document, self._heading, self._template_texts)
        return after, before

    def _author(self) -> str | None:
        said = chosen_authors(self._authors(), self._site)
        return said and cut(said, _LONGEST_NAME)

    def _authors(self) -> Iterator[Sequence[str]]:
        meta = self._facts.meta
        yield self._node_values("author")
        yield self._node_values("creator")
        yield meta.get("citation_author") or meta.get("citation_authors") or ()
        for name in (*_dc("creator"), "author", "article:author", "parsely-author"):
            yield meta.get(name, ())
        yield self._parsely.get("author", ())
        yield from map(authors_in, self._around)

    @cached_property
    def _said(self) -> str | None:
        """The date of publication by the page's statements."""
        stated = published.said_dates(self._facts.meta)
        values = (
            self._node_values("datePublished"),
            self._parsely.get("pub_date", ()),
            self._node_values("dateCreated"),
        )
        return published.first_date([*values[0], *stated, *values[1], *values[2]])

    @property
    def _published(self) -> str | None:
        language, url = self._facts.language, self._url
        heading = len(self._document) if self._heading is None else self._heading
        changed = self._modified or ""
        return (
            self._said
            or self._near[0]
            or published.first_date(published.named_dates(self._facts.meta))
            or published.date_in_address(url)
            or published.marked_date(self._document, language, self._template_texts, changed, heading)
            or published.date_in_title(self._facts.title, language)
        )

    @cached_property
    def _near(self) -> tuple[str | None, str | None]:
        """The dates of publication and of a change near the heading."""
        after, before = (dated(text, self._facts.language) for text in self._around)
        return after[0] or before[0], after[1] or before[1]

    @cached_property
    def _parsely(self) -> Mapping[str, Sequence[str]]:
        return read_values(*self._meta("parsely-page"))

    @cached_property
    def _modified(self) -> str | None:
        said = [*self._node_values("dateModified"), *self._meta(*published.MODIFIED)]
        return published.first_date(said) or (self._near[1] if self._said is None else None)

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
        named = first_text(
            self._meta("dcterms.license", "dc.rights.license", *_dc("rights"), "license"), _LONGEST_NAME
        )
        if named is None or "://" not in named:
            return named
        return self._address([named])

    def _price(self) -> str | None:
        offered = [value for key in ("price", "lowPrice") for value in self._node_values("offers", key)]
        amounts = [*offered, *self._meta("product:price:amount", "og:price:amount")]
        amount = next((one for one in map(str.strip, amounts) if _AMOUNT.fullmatch(one)), None)
        currencies = self._meta("product:price:currency", "og:price:currency")
        currency = first_text([*self._node_values("offers", "priceCurrency"), *currencies], _LONGEST_NAME) or ""
        return amount and f"{amount} {currency if _CURRENCY.fullmatch(currency) else ''}".rstrip()

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
