"""Training data from SiteLevel, and the regression on it (PageLevel, sections 5.1 and 5.2; methods, 4.1 and 4.2).

Nothing here is used when a template is looked for. scikit-learn does the fitting: the extra ``train``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from sitestencil.document import Document
from sitestencil.errors import SiteError, SitestencilError
from sitestencil.geometry import page_boxes
from sitestencil.pagelevel.features import FEATURES, area, element_features
from sitestencil.pagelevel.model import FORMAT, Band, Model
from sitestencil.pagelevel.templateness import classified_nodes
from sitestencil.parsing import parse
from sitestencil.site_level import PageCounts, SiteLevelParameters, label_page, node_contents
from sitestencil.sources.stored import StoredSite

if TYPE_CHECKING:
    import numpy as np

_T = TypeVar("_T")

BOUNDS = (10_000, 40_000, 200_000)
MOST_PAGES = 200
DECIMALS = 6
_PAGES = frozenset({".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ".jsp", ""})


class TrainingError(SitestencilError):
    """Training that cannot be done: nothing to learn from, or no scikit-learn."""


@dataclass(frozen=True, slots=True)
class TrainingParameters:
    """How a model is trained.

    Attributes:
        site_level: theta and the rule for inner nodes.
        pages_per_site: from how many pages of a site elements are taken; their labels come from up to 200 pages.
        elements_per_site: and how many elements at most: one site's many say little more than its first.
        strength: C, the inverse of the regression's regularisation (scikit-learn's default).
    """

    site_level: SiteLevelParameters = SiteLevelParameters()
    pages_per_site: int = 20
    elements_per_site: int = 2000
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Example:
    """A classified element of a page: its features, its area, and whether SiteLevel calls it template."""

    features: list[float]
    area: float
    template: bool


@dataclass(frozen=True, slots=True)
class SiteExamples:
    """The elements of a site to learn from, and how many pages labelled them."""

    site: str
    pages: int
    examples: list[Example]


def require_scikit_learn() -> None:
    """Check that scikit-learn can be used.

    Raises:
        TrainingError: it is not installed.
    """
    if find_spec("sklearn") is None:
        raise TrainingError("Training needs scikit-learn: pip install 'sitestencil[train]'.")


def site_folders(folders: Sequence[Path]) -> list[Path]:
    """Return the sites below some folders, by name: each folder in them that holds pages.

    Raises:
        SiteError: a folder cannot be read or holds no sites.
    """
    found: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise SiteError(f"{folder} is no folder. Name a folder that holds a folder for each site.")
        sites = [entry for entry in folder.iterdir() if entry.is_dir() and next(_page_files(entry), None)]
        if not sites:
            raise SiteError(f"{folder} holds no sites: none of its folders has HTML pages.")
        found += sites
    return sorted(found, key=lambda site: (site.name, str(site)))


def site_examples(folder: Path, parameters: TrainingParameters = TrainingParameters()) -> SiteExamples:
    """Return a site's elements with SiteLevel's labels.

    Args:
        folder: a stored site (``site.json`` and ``pages/``), or plainly a folder of HTML files.
        parameters: how.

    Raises:
        SiteError: a ``site.json`` that cannot be used.
    """
    files, address = _site_files(folder)
    files = _evenly(files, MOST_PAGES)
    chosen = set(_evenly(files, parameters.pages_per_site))
    counts = PageCounts()
    documents: list[Document] = []
    for file in files:
        document = parse(file.read_bytes(), address(file))
        counts.add(node_contents(document))
        if file in chosen:
            documents.append(document)
    examples = [
        example for document in documents for example in page_examples(document, counts, parameters.site_level)
    ]
    return SiteExamples(folder.name, len(files), _evenly(examples, parameters.elements_per_site))


def page_examples(document: Document, counts: PageCounts, parameters: SiteLevelParameters) -> Iterator[Example]:
    """Yield the classified elements of a page with the labels that its site's counts give them."""
    labels = label_page(document, node_contents(document), counts, parameters).elements
    boxes = page_boxes(document)
    elements = classified_nodes(document, boxes).elements
    for element, features in zip(elements, element_features(document, elements, boxes), strict=True):
        yield Example(features, area(boxes[element]), labels[element])


def fit(sites: Sequence[SiteExamples], parameters: TrainingParameters = TrainingParameters()) -> Model:
    """Return the model that the sites' elements give, without a card.

    All sites count alike, however many elements they have (choice: a hundred sites are few). The bands' bounds
    are ours too: up to a few words, up to a line across the page, up to a paragraph or a menu, and above.
    Numbers are rounded to six decimals, and the solver goes on until far more are settled, so that the same
    sites give the same model bit for bit.

    Raises:
        TrainingError: scikit-learn is not installed, or all elements are of one kind.
    """
    require_scikit_learn()
    import numpy as np

    used = [site for site in sites if site.examples]
    if len({example.template for site in used for example in site.examples}) < 2:
        raise TrainingError(
            f"The elements of {len(used)} sites are all template or all content, so there is nothing to learn. "
            "Give more sites, or sites with more pages."
        )
    features = np.array([example.features for site in used for example in site.examples])
    areas = np.array([example.area for site in used for example in site.examples])
    labels = np.array([example.template for site in used for example in site.examples])
    weights = np.concatenate([np.full(len(site.examples), 1 / len(site.examples)) for site in used])
    number = np.digitize(areas, BOUNDS)
    bands = []
    for band, area_from in enumerate([0, *BOUNDS]):
        rows = number == band
        bands.append(_fit_band(area_from, features[rows], labels[rows], weights[rows], parameters.strength))
    return Model(FORMAT, list(FEATURES), bands)


def _fit_band(
    area_from: float,
    features: "np.ndarray[Any, np.dtype[np.float64]]",
    labels: "np.ndarray[Any, np.dtype[np.bool_]]",
    weights: "np.ndarray[Any, np.dtype[np.float64]]",
    strength: float,
) -> Band:
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    if labels.all() or not labels.any():
        return _constant_band(area_from, int(labels.sum()), len(labels))
    with threadpool_limits(1):
        weights = weights * len(weights) / weights.sum()
        means = np.average(features, axis=0, weights=weights).round(DECIMALS)
        scales = np.sqrt(np.average((features - means) ** 2, axis=0, weights=weights)).round(DECIMALS)
        scales[scales == 0] = 1.0
        regression = LogisticRegression(C=strength, solver="newton-cholesky", tol=1e-10, max_iter=200)
        regression.fit((features - means) / scales, labels, sample_weight=weights)
    return Band(
        area_from=area_from,
        intercept=_rounded(regression.intercept_)[0],
        weights=_rounded(regression.coef_[0]),
        means=_rounded(means),
        scales=_rounded(scales),
        elements=len(labels),
        template=round(float(np.average(labels, weights=weights)), DECIMALS),
    )


def _constant_band(area_from: float, template: int, elements: int) -> Band:
    """Return what can be said of areas whose elements are all alike: how probable it is by their number."""
    zeros = [0.0] * len(FEATURES)
    intercept = round(log((template + 1) / (elements - template + 1)), DECIMALS)
    share = template / elements if elements else 0.0
    return Band(area_from, intercept, zeros, zeros, [1.0] * len(FEATURES), elements, share)


def _rounded(values: "np.ndarray[Any, np.dtype[np.float64]]") -> list[float]:
    # Adding 0.0 makes -0.0 the 0.0 it is.
    return [round(float(value), DECIMALS) + 0.0 for value in values]


def _site_files(folder: Path) -> tuple[list[Path], Any]:
    """Return a site's page files in the order of their names, and what gives a file's address."""
    if (folder / "site.json").is_file():
        site = StoredSite(folder)
        root, base = site.pages, site.base_url
    else:
        root, base = folder, f"http://{quote(folder.name.lower())}.invalid/"
    return sorted(_page_files(root)), lambda file: f"{base}{quote(file.relative_to(root).as_posix())}"


def _page_files(folder: Path) -> Iterator[Path]:
    for file in folder.rglob("*"):
        if file.suffix.lower() in _PAGES and file.is_file() and _looks_like_html(file):
            yield file


def _looks_like_html(file: Path) -> bool:
    if file.suffix:
        return True
    with file.open("rb") as start:
        return start.read(512).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _evenly(things: Sequence[_T], most: int) -> list[_T]:
    """Return at most so many of the things, evenly spaced."""
    if len(things) <= most:
        return list(things)
    return [things[number * len(things) // most] for number in range(most)]
