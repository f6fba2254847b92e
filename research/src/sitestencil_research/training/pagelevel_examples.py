"""Make training data from unlabelled sites: SiteLevel labels them (PageLevel, section 5.1; definitions.md, 4.1)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from sitestencil.detectors.pagelevel.features import area, element_features
from sitestencil.detectors.pagelevel.templateness import classified_nodes
from sitestencil.detectors.sitelevel.detector import PageCounts, SiteLevelParameters, label_page, node_contents
from sitestencil.errors import UnusableSite
from sitestencil.page.document import Box, Document
from sitestencil.page.geometry import page_boxes
from sitestencil.page.parsing import parse
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.page_files import page_files

_T = TypeVar("_T")

# Yields the boxes of the elements of some pages of a stored site, as a browser renders them.
Render = Callable[[StoredSite, Sequence[str]], Iterator[list[Box]]]

MOST_LABELLING_PAGES = 200


@dataclass(frozen=True, slots=True)
class TrainingParameters:
    """The parameters of the training.

    Attributes:
        site_level: theta and the rule for inner nodes.
        pages_per_site: the number of pages of a site that give elements; up to 200 pages give the labels.
        elements_per_site: the largest number of elements of a site: further elements add little.
        strength: C, the inverse of the regression's regularisation (scikit-learn's default).
    """

    site_level: SiteLevelParameters = SiteLevelParameters()
    pages_per_site: int = 20
    elements_per_site: int = 2000
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Example:
    """An element of a page to learn from: its features, its area, and whether SiteLevel calls it template."""

    features: list[float]
    area: float
    template: bool


@dataclass(frozen=True, slots=True)
class PageLevelSiteExamples:
    """The training elements of a site.

    Attributes:
        site: its name.
        pages: the number of pages that labelled the elements.
        source: the elements with geometry estimated from the source.
        browser: the elements with the browser's geometry; empty if nothing was rendered.
    """

    site: str
    pages: int
    source: Sequence[Example]
    browser: Sequence[Example] = ()


def site_folders(folders: Sequence[Path]) -> list[Path]:
    """Return the sites in some folders, sorted by name. A site is a subfolder that holds pages.

    Raises:
        UnusableSite: a folder cannot be read or holds no sites.
    """
    all_sites: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise UnusableSite(f"{folder} is not a folder. Name a folder with one subfolder per site.")
        sites = [entry for entry in folder.iterdir() if entry.is_dir() and page_files(entry)]
        if not sites:
            raise UnusableSite(f"{folder} holds no sites: none of its subfolders has HTML pages.")
        all_sites += sites
    return sorted(all_sites, key=lambda site: (site.name, str(site)))


def pagelevel_site_examples(
    folder: Path, parameters: TrainingParameters = TrainingParameters(), render: Render | None = None
) -> PageLevelSiteExamples:
    """Return a site's elements with SiteLevel's labels.

    The site is a stored one (``site.json`` and ``pages/``), or a plain folder of HTML files, which is not rendered.

    Raises:
        UnusableSite: the ``site.json`` is invalid.
    """
    site = StoredSite(folder) if (folder / "site.json").is_file() else None
    root = site.pages if site else folder
    base = site.base_url if site else f"http://{quote(folder.name.lower())}.invalid/"
    files = evenly(page_files(root), MOST_LABELLING_PAGES)
    chosen = set(evenly(files, parameters.pages_per_site))
    counts = PageCounts()
    documents: list[Document] = []
    for file in files:
        document = parse(file.read_bytes(), f"{base}{quote(file.relative_to(root).as_posix())}")
        counts.add(node_contents(document))
        if file in chosen:
            documents.append(document)
    rendered = list(_rendered(documents, site, render)) if site and render else []
    return PageLevelSiteExamples(
        folder.name, len(files), _examples(documents, counts, parameters), _examples(rendered, counts, parameters)
    )


def page_examples(document: Document, counts: PageCounts, parameters: SiteLevelParameters) -> Iterator[Example]:
    """Yield the classified elements of a page, labelled by its site's counts."""
    labels = label_page(document, node_contents(document), counts, parameters).elements
    boxes = page_boxes(document)
    elements = classified_nodes(document, boxes).elements
    for element, features in zip(elements, element_features(document, elements, boxes), strict=True):
        yield Example(features, area(boxes[element]), labels[element])


def evenly(things: Sequence[_T], most: int) -> list[_T]:
    """Return at most `most` of the things, evenly spaced."""
    if len(things) <= most:
        return list(things)
    return [things[number * len(things) // most] for number in range(most)]


def _examples(documents: Sequence[Document], counts: PageCounts, parameters: TrainingParameters) -> list[Example]:
    examples = [
        example for document in documents for example in page_examples(document, counts, parameters.site_level)
    ]
    return evenly(examples, parameters.elements_per_site)


def _rendered(documents: Sequence[Document], site: StoredSite, render: Render) -> Iterator[Document]:
    """Yield the pages with the browser's boxes, if the browser has the same number of elements."""
    all_boxes = render(site, [document.url for document in documents])
    for document, boxes in zip(documents, all_boxes, strict=True):
        if len(boxes) == len(document):
            yield replace(document, boxes=boxes)
