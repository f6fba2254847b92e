"""The perturbations by name; each yields one or several variants of a site whose labels still hold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from zlib import crc32

from sitestencil.page.document import Document
from sitestencil.site.sources import Source
from sitestencil.urls import site_host
from sitestencil_research.labels import NOT_SCORED
from sitestencil_research.perturbations import page_changes as changes
from sitestencil_research.perturbations.editable_tree import EditedDocument
from sitestencil_research.perturbations.sources import (
    ChangedPages,
    MovedPages,
    ParsedPages,
    WithoutPage,
    WithPage,
)

# A detector that crawls compares a hundred pages; withholding ten of them is a sufficient sample.
MOST_WITHHELD = 10
HOSTS = ("mirror.example:8443", "another.test")


@dataclass(frozen=True, slots=True, eq=False)
class SiteVariant:
    """A labelled site as the detector sees it.

    Attributes:
        key_page: the page whose template is wanted.
        labels: a letter per element; inserted elements are not scored.
        source: loads the other pages.
    """

    key_page: Document
    labels: str
    source: Source

    @classmethod
    def of(cls, edited: EditedDocument, labels: str, source: Source) -> "SiteVariant":
        """Return the variant with an edited key page; the labels are those of the page before the edit."""
        return cls(edited.document, edited.labels(labels, NOT_SCORED), source)


@dataclass(frozen=True, slots=True, eq=False)
class PlainRun:
    """An unchanged site, and the pages that a detector read there.

    Attributes:
        key_page: the page whose template is wanted.
        labels: a letter per element.
        source: loads the other pages.
        compared: the addresses of the pages compared with the key page.
        loaded: the addresses of all pages that loaded.
    """

    key_page: Document
    labels: str
    source: ParsedPages
    compared: Sequence[str]
    loaded: Sequence[str]

    def with_key_page(self, change: changes.PageChange) -> SiteVariant:
        """Return the site with a changed key page."""
        return SiteVariant.of(change(self.key_page), self.labels, self.source)

    def with_pages(self, change: changes.PageChange) -> SiteVariant:
        """Return the site with all pages changed."""
        source = ChangedPages(self.source, lambda page: change(page).document)
        return SiteVariant.of(change(self.key_page), self.labels, source)


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A change that may happen to a site and that changes no label.

    Attributes:
        name: its name in the figures.
        title: the name shown to people.
        variants: returns the perturbed sites; none if the change cannot happen there.
    """

    name: str
    title: str
    variants: Callable[[PlainRun], list[SiteVariant]]


def _consent_banner(run: PlainRun) -> list[SiteVariant]:
    """Show the banner on one half of the other pages, then on the other half."""
    return [
        SiteVariant(run.key_page, run.labels, ChangedPages(run.source, _banner_on_half(half))) for half in (0, 1)
    ]


def _banner_on_half(half: int) -> Callable[[Document], Document]:
    def change(page: Document) -> Document:
        path = page.url.split("/", 3)[-1]
        return changes.with_consent_banner(page).document if crc32(path.encode()) % 2 == half else page

    return change


def _moved_host(run: PlainRun) -> list[SiteVariant]:
    moves = [changes.HostMove(site_host(run.key_page.url), new) for new in HOSTS]
    return [
        SiteVariant(changes.on_host(run.key_page, move), run.labels, MovedPages(run.source, move)) for move in moves
    ]


def _page_withheld(run: PlainRun) -> list[SiteVariant]:
    return [_without_page(run, url) for url in run.compared[:MOST_WITHHELD]]


def _without_page(run: PlainRun, url: str) -> SiteVariant:
    """Return the site without a page and without any link to it."""

    def unlinked(page: Document) -> Document:
        return changes.without_links_to(page, url, run.key_page.url)

    source = ChangedPages(WithoutPage(run.source, url), unlinked)
    return SiteVariant(unlinked(run.key_page), run.labels, source)


def _dead_link(run: PlainRun) -> list[SiteVariant]:
    """Remove the first page that loaded, but keep the links to it."""
    return [SiteVariant(run.key_page, run.labels, WithoutPage(run.source, url)) for url in run.loaded[:1]]


def _copy_of_key_page(run: PlainRun) -> list[SiteVariant]:
    """Add a print version of the key page, marked in its last line, and a link to it at the key page's end."""
    url = run.key_page.url
    address = f"{url}{'&' if '?' in url else '?'}view=print"
    copy = changes.with_text_at_the_end(changes.at_address(run.key_page, address), f"Printed from {url}")
    edited = changes.with_link_at_the_end(run.key_page, address, "Print this page")
    return [SiteVariant.of(edited, run.labels, WithPage(run.source, copy.document))]


def _on_key_page(change: changes.PageChange) -> Callable[[PlainRun], list[SiteVariant]]:
    return lambda run: [run.with_key_page(change)]


def _on_all_pages(change: changes.PageChange) -> Callable[[PlainRun], list[SiteVariant]]:
    return lambda run: [run.with_pages(change)]


_ALL = (
    Perturbation(
        "wrapper_key_page", "wrapper around the body's content, key page only", _on_key_page(changes.wrapped)
    ),
    Perturbation(
        "wrapper_all_pages", "wrapper around the body's content, all pages", _on_all_pages(changes.wrapped)
    ),
    Perturbation(
        "empty_first_child", "empty first child of the body", _on_key_page(changes.with_empty_first_child)
    ),
    Perturbation(
        "attributes_shuffled", "attributes in another order", _on_all_pages(changes.with_shuffled_attributes)
    ),
    Perturbation("classes_shuffled", "class names in another order", _on_all_pages(changes.with_shuffled_classes)),
    Perturbation("host_renamed", "host and port renamed", _moved_host),
    Perturbation("page_withheld", "each compared page withheld", _page_withheld),
    Perturbation("dead_link", "first loaded link dead", _dead_link),
    Perturbation("consent_banner", "consent banner on half of the other pages", _consent_banner),
    Perturbation("key_page_copy", "copy of the key page under another address", _copy_of_key_page),
    Perturbation(
        "script_leftovers", "scripts' leftovers in the key page", _on_key_page(changes.with_leftovers_of_scripts)
    ),
)
PERTURBATIONS: Mapping[str, Perturbation] = MappingProxyType({one.name: one for one in _ALL})
