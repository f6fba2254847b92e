"""The detectors by name. Each is loaded when it is first asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from sitestencil.errors import CannotLearn, UnknownDetector, WrongArgument, shown

if TYPE_CHECKING:
    from sitestencil.detectors.detection import Detection
    from sitestencil.detectors.learned_template import LearnedTemplate
    from sitestencil.page.document import Document
    from sitestencil.site.loading import PageLoader


@runtime_checkable
class Detector(Protocol):
    """Something that tells the template of a key page, loading pages of its site as it needs them."""

    async def detect(self, key_page: "Document", loader: "PageLoader") -> "Detection":
        """Return what of the key page belongs to the template."""
        ...


@runtime_checkable
class Learner(Protocol):
    """A detector whose answer is a value that can be applied to further pages."""

    async def learn(self, key_page: "Document", loader: "PageLoader") -> "LearnedTemplate":
        """Return what the key page and its site teach of pages of the key page's kind."""
        ...


@runtime_checkable
class DetectsInRounds(Protocol):
    """A detector that loads several pages at a time, and has an answer after each such round."""

    async def detect_in_rounds(
        self, key_page: "Document", loader: "PageLoader", early: "Callable[[Detection], None]"
    ) -> "Detection":
        """Return what `Detector.detect` does.

        Args:
            key_page: the page whose template is wanted.
            loader: loads pages of its site.
            early: is called, while further pages load, with what those that have come say, where that is more than
                a guess.
        """
        ...


@dataclass(frozen=True, slots=True)
class DetectorInfo:
    """A detector's name, its title for people, and the module that builds it.

    Attributes:
        name: what ``--detector`` and the protocol call it.
        title: one line for a list.
        module: where it lives, below this package.
        build: the function of that module that makes it.
        learns: whether it is a `Learner` too.
        trained_on: what its shipped model has seen of the open labelled sites; measured there, it remembers.
    """

    name: str
    title: str
    module: str
    build: str
    learns: bool = False
    trained_on: str = ""


_ALL = (
    DetectorInfo("temex", "TemEx, as tuned in the thesis", "temex.detector", "thesis", learns=True),
    DetectorInfo("temex-addon", "TemEx as the HybEx 1.2 add-on runs it", "temex.detector", "addon", learns=True),
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
        learns=True,
        trained_on="the labels of the open sites; see docs/methods/stencil-model.md for unseen sites",
    ),
)
DETECTORS: Mapping[str, DetectorInfo] = MappingProxyType({info.name: info for info in _ALL})
DEFAULT_DETECTOR = "stencil"


def load_detector(detector: str | Detector | None = None) -> Detector:
    """Return the detector of a name; the default one for None; a detector as it is.

    Raises:
        UnknownDetector: there is none of this name.
        WrongArgument: it is neither a name nor a detector.
    """
    if detector is not None and not isinstance(detector, str):
        if isinstance(detector, type) or not isinstance(detector, Detector):
            raise WrongArgument(
                f"detector= takes a name ({', '.join(DETECTORS)}) or an object with the method detect, "
                f"not {shown(detector)}."
            )
        return detector
    info = DETECTORS.get(detector or DEFAULT_DETECTOR)
    if info is None:
        raise UnknownDetector(f"There is no detector {shown(detector)}. There are: {', '.join(DETECTORS)}.")
    return cast("Detector", getattr(import_module(f"{__name__}.{info.module}"), info.build)())


def load_learner(detector: str | Detector | None = None) -> Learner:
    """Return a detector that learns; see `load_detector`.

    Raises:
        UnknownDetector: there is none of this name.
        CannotLearn: it only answers about one page.
        WrongArgument: it is neither a name nor a detector.
    """
    learner = load_detector(detector)
    if not isinstance(learner, Learner):
        those_that_do = ", ".join(info.name for info in DETECTORS.values() if info.learns)
        raise CannotLearn(
            f"The detector {detector_name(detector)} answers about one page and learns nothing to apply to others. "
            f"Those that learn: {those_that_do}."
        )
    return learner


def detector_name(detector: str | Detector | None) -> str:
    """Return what to call a detector: its name, or its class where it is none of those listed here."""
    if detector is None or isinstance(detector, str):
        return detector or DEFAULT_DETECTOR
    return type(detector).__name__.lower()
