"""The labels of a benchmark site: a letter for each element of its key page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from sitestencil.errors import UnusableSite
from sitestencil.page.document import Document
from sitestencil.site.sources.stored import StoredSite

TEMPLATE, CONTENT, NOT_SCORED = "T", "C", "E"
_RUN = re.compile(r"([TCE])(\d+)")


class Selectors(msgspec.Struct, frozen=True):
    """An annotator's selections on the key page; if several kinds match, the last in this list wins."""

    content: list[str] = []
    either: list[str] = []
    template: list[str] = []


class LabelledSite(msgspec.Struct, frozen=True):
    """The fields of ``site.json`` that the benchmark reads and a source does not."""

    id: str
    elements: int
    labels: str
    category: str | None = None
    selectors: dict[str, Selectors] = {}


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPage:
    """A page with a letter for each element."""

    document: Document
    labels: str


@dataclass(frozen=True, slots=True, eq=False)
class LabelledKeyPage:
    """The key page of a labelled site.

    Attributes:
        id: the site's id.
        source: loads the site's pages.
        page: the key page with its labels.
        selectors: those of each annotator; none where other sources gave the labels.
    """

    id: str
    source: StoredSite
    page: LabelledPage
    selectors: Sequence[Selectors]


def read_labels(folder: Path) -> tuple[LabelledSite, str]:
    """Return a site's facts and its labels, one letter per element of the key page.

    Raises:
        UnusableSite: ``site.json`` is missing or invalid, has no labels, or they do not fit the elements.
    """
    file = folder / "site.json"
    try:
        site = msgspec.json.decode(file.read_bytes(), type=LabelledSite)
    except (OSError, msgspec.DecodeError) as error:
        raise UnusableSite(f"{file} does not describe a labelled site: {error}.") from None
    labels = "".join(letter * int(count) for letter, count in _RUN.findall(site.labels))
    if len(labels) != site.elements:
        raise UnusableSite(f"{file}: {len(labels)} labels for {site.elements} elements.")
    return site, labels


def read_labelled_key_page(folder: Path) -> LabelledKeyPage:
    """Return the key page of a labelled site.

    Raises:
        UnusableSite: the site's files are missing or invalid, or the labels do not fit the key page.
    """
    facts, labels = read_labels(folder)
    source = StoredSite(folder)
    document = source.load_key_page().document()
    if len(document) != len(labels):
        raise UnusableSite(f"{folder}: {len(labels)} labels, but the key page has {len(document)} elements.")
    return LabelledKeyPage(facts.id, source, LabelledPage(document, labels), list(facts.selectors.values()))


def labelled_sites(folder: Path) -> list[Path]:
    """Return the folders of the labelled sites in a folder, sorted by name.

    Raises:
        UnusableSite: there are none.
    """
    sites = sorted(file.parent for file in folder.glob("*/site.json"))
    if not sites and (folder / "site.json").is_file():
        sites = [folder]
    if not sites:
        raise UnusableSite(f"{folder} holds no sites: no folder in it has a site.json.")
    return sites
