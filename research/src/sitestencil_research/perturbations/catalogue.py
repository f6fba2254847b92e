"""The perturbations by name; each yields one or several variants of a site whose labels still hold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from zlib import crc32

from sitestencil.page.document import Document
from sitestencil.site.sources import Source
from sitestencil.urls import site_host
from sitestencil_research.labels import NOT_SCORED
from sitestencil_research.perturbations import page_changes as changes
from sitestencil_research.perturbations.editable_tree import EditableElement, EditedDocument
from sitestencil_research.perturbations.sources import ChangedPages, MovedPages, ParsedPages, WithoutPage, WithPage

# A detector that crawls compares a hundred pages; withholding ten of them is a sufficient sample.
MOST_WITHHELD = 10
HOSTS = ("mirror.example:8443", "another.test")


@dataclass(frozen=True, slots=True, eq=False)
class SiteVariant:
    """A labelled site as the detector sees it: the key page, a letter per element, and what loads other pages."""

    key_page: Document
    labels: str
    source: Source

    @classmethod
    def of(cls, edited: EditedDocument, labels: str, source: Source) -> "SiteVariant":
        """Return the variant with an edited key page; the labels are those of the page before the edit."""
        return cls(edited.document, edited.labels(labels, NOT_SCORED), source)


@dataclass(frozen=True, slots=True, eq=False)
class PlainRun:
    """An unchanged site, and the addresses of the pages that a detector compared, and of all that loaded."""

    key_page: Document
    labels: str
    source: ParsedPages
    compared: Sequence[str]
    loaded: Sequence[str]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A change that may happen to a site and changes no label; there are no variants where it cannot happen."""

    name: str
    title: str
    variants: Callable[[PlainRun], list[SiteVariant]]


def _consent_banner(run: PlainRun) -> list[SiteVariant]:
    """Show the banner on one half of the other pages, then on the other half."""

    def change(page: Document, half: int) -> Document:
        path = page.url.split("/", 3)[-1]
        return changes.with_consent_banner(page).document if crc32(path.encode()) % 2 == half else page

    sources = (ChangedPages(run.source, partial(change, half=half)) for half in (0, 1))
    return [SiteVariant(run.key_page, run.labels, source) for source in sources]


def _moved_host(run: PlainRun) -> list[SiteVariant]:
    moves = [changes.HostMove(site_host(run.key_page.url), new) for new in HOSTS]
    return [
        SiteVariant(changes.on_host(run.key_page, move), run.labels, MovedPages(run.source, move)) for move in moves
    ]


def _page_withheld(run: PlainRun) -> list[SiteVariant]:
    """Take away a page and all links to it."""
    variants = []
    for url in run.compared[:MOST_WITHHELD]:
        unlinked = partial(changes.without_links_to, url=url, key_url=run.key_page.url)
        source = ChangedPages(WithoutPage(run.source, url), unlinked)
        variants.append(SiteVariant(unlinked(run.key_page), run.labels, source))
    return variants


def _dead_link(run: PlainRun) -> list[SiteVariant]:
    """Remove the first page that loaded, but keep the links to it."""
    return [SiteVariant(run.key_page, run.labels, WithoutPage(run.source, url)) for url in run.loaded[:1]]


def _copy_of_key_page(run: PlainRun) -> list[SiteVariant]:
    """Add a print version of the key page, marked in its last line, and a link to it at the key page's end."""
    url = run.key_page.url
    address = f"{url}{'&' if '?' in url else '?'}view=print"
    mark = EditableElement("p", {}, [f"Printed from {url}"])
    copy = changes.with_last(replace(run.key_page, url=address), mark)
    edited = changes.with_last(run.key_page, EditableElement("a", {"href": address}, ["Print this page"]))
    return [SiteVariant.of(edited, run.labels, WithPage(run.source, copy.document))]


def _on_key_page(name: str, title: str, change: changes.PageChange) -> Perturbation:
    return Perturbation(name, title, lambda run: [SiteVariant.of(change(run.key_page), run.labels, run.source)])


def _on_all_pages(name: str, title: str, change: changes.PageChange) -> Perturbation:
    def variants(run: PlainRun) -> list[SiteVariant]:
        source = ChangedPages(run.source, lambda page: change(page).document)
        return [SiteVariant.of(change(run.key_page), run.labels, source)]

    return Perturbation(name, title, variants)


_WRAPPER = "wrapper around the body's content"
_ALL = (
    _on_key_page("wrapper_key_page", f"{_WRAPPER}, key page only", changes.wrapped),
    _on_all_pages("wrapper_all_pages", f"{_WRAPPER}, all pages", changes.wrapped),
    _on_key_page("empty_first_child", "empty first child of the body", changes.with_empty_first_child),
    _on_all_pages("attributes_shuffled", "attributes in another order", changes.with_shuffled_attributes),
    _on_all_pages("classes_shuffled", "class names in another order", changes.with_shuffled_classes),
    Perturbation("host_renamed", "host and port renamed", _moved_host),
    Perturbation("page_withheld", "each compared page withheld", _page_withheld),
    Perturbation("dead_link", "first loaded link dead", _dead_link),
    Perturbation("consent_banner", "consent banner on half of the other pages", _consent_banner),
    Perturbation("key_page_copy", "copy of the key page under another address", _copy_of_key_page),
    _on_key_page("script_leftovers", "scripts' leftovers in the key page", changes.with_leftovers_of_scripts),
)
PERTURBATIONS: Mapping[str, Perturbation] = MappingProxyType({one.name: one for one in _ALL})
