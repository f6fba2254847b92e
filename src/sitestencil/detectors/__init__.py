"""The detectors by name. Each is loaded when it is first asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, cast

from sitestencil.errors import UnknownDetector

if TYPE_CHECKING:
    from sitestencil.detectors.detection import Detection
    from sitestencil.page.document import Document
    from sitestencil.site.loading import PageLoader


class Detector(Protocol):
    """Something that tells the template of a key page, loading pages of its site as it needs them."""

    async def detect(self, key_page: "Document", loader: "PageLoader") -> "Detection":
        """Return what of the key page belongs to the template."""
        ...


@dataclass(frozen=True, slots=True)
class DetectorInfo:
    """A detector's name, its title for people, and the module that builds it.

    Attributes:
        name: what ``--detector`` and the protocol call it.
        title: one line for a list.
        module: where it lives, below this package.
        build: the function of that module that makes it.
        trained_on: what its shipped model has seen of the open labelled sites; measured there, it remembers.
    """

    name: str
    title: str
    module: str
    build: str
    trained_on: str = ""


_ALL = (
    DetectorInfo("temex", "TemEx, as tuned in the thesis", "temex.detector", "thesis"),
    DetectorInfo("temex-addon", "TemEx as the HybEx 1.2 add-on runs it", "temex.detector", "addon"),
    DetectorInfo("hybex", "HybEx: ConEx takes out the content, then TemEx", "hybex.detector", "addon"),
    DetectorInfo("conex", "ConEx: all but the main content", "hybex.conex_detector", "published"),
    DetectorInfo("sitelevel", "SiteLevel: what recurs on the site", "sitelevel.detector", "published"),
    DetectorInfo(
        "pagelevel",
        "PageLevel: from this page alone, nothing loaded",
        "pagelevel.detector",
        "shipped",
        trained_on="SiteLevel's labels of the open sites; see docs/methods/pagelevel.md for unseen sites",
    ),
    DetectorInfo(
        "alignment",
        "Alignment of 16 pages' tags and texts",
        "alignment.detector",
        "published",
    ),
    DetectorInfo(
        "stencil",
        "Stencil: evidence from pages of one kind",
        "stencil.detector",
        "shipped",
        trained_on="the labels of the open sites; see docs/methods/stencil-model.md for unseen sites",
    ),
)
DETECTORS: Mapping[str, DetectorInfo] = MappingProxyType({info.name: info for info in _ALL})
DEFAULT_DETECTOR = "stencil"


def load_detector(name: str | Detector | None = None) -> Detector:
    """Return the detector of a name; the default one for None; a detector as it is.

    Raises:
        UnknownDetector: there is none of this name.
    """
    if name is not None and not isinstance(name, str):
        return name
    info = DETECTORS.get(name or DEFAULT_DETECTOR)
    if info is None:
        raise UnknownDetector(f"There is no detector {name!r}. There are: {', '.join(DETECTORS)}.")
    return cast("Detector", getattr(import_module(f"{__name__}.{info.module}"), info.build)())


def detector_name(detector: str | Detector | None) -> str:
    """Return what to call a detector: its name, or its class where it is none of those listed here."""
    if detector is None or isinstance(detector, str):
        return detector or DEFAULT_DETECTOR
    return type(detector).__name__.lower()
