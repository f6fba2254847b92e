"""Load detectors by name, each at its first use."""

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
    """Detect the template of a key page, and load pages of its site as needed."""

    async def detect(self, key_page: "Document", loader: "PageLoader") -> "Detection":
        """Return which elements and texts of the key page are template."""
        ...


@runtime_checkable
class Learner(Protocol):
    """A detector whose answer applies to more pages."""

    async def learn(self, key_page: "Document", loader: "PageLoader") -> "LearnedTemplate":
        """Learn a template for pages of the key page's kind."""
        ...


@runtime_checkable
class DetectsInRounds(Protocol):
    """A detector that loads pages in rounds, and has an answer after each."""

    async def detect_in_rounds(
        self, key_page: "Document", loader: "PageLoader", early: "Callable[[Detection], None]"
    ) -> "Detection":
        """Return the same as `Detector.detect`.

        Args:
            key_page: the page whose template is wanted.
            loader: loads pages of its site.
            early: called with each answer that is more than a guess, while more pages load.
        """
        ...


@dataclass(frozen=True, slots=True)
class DetectorInfo:
    """A detector's name, title and factory.

    Attributes:
        name: its name in ``--detector`` and the protocol.
        title: one line for a list.
        module: its module, below this package.
        build: the module's class, or function, that makes it without arguments.
        learns: whether it is also a `Learner`.
        trained_on: the data that its shipped model was trained on; measurements there are not held out.
    """

    name: str
    title: str
    module: str
    build: str
    learns: bool = False
    trained_on: str = ""


_ALL = (
    DetectorInfo("temex", "TemEx, as tuned in the thesis", "temex.detector", "TemEx", learns=True),
    DetectorInfo("temex-addon", "TemEx as the HybEx 1.2 add-on runs it", "temex.detector", "addon", learns=True),
    DetectorInfo("hybex", "HybEx: ConEx first, then TemEx", "hybex.detector", "HybEx"),
    DetectorInfo("conex", "ConEx: all but the main content", "hybex.detector", "ConEx"),
    DetectorInfo("sitelevel", "SiteLevel: what recurs on the site", "sitelevel.detector", "SiteLevel"),
    DetectorInfo(
        "pagelevel",
        "PageLevel: from this page alone",
        "pagelevel.detector",
        "PageLevel",
        trained_on="SiteLevel's labels of the open sites; see docs/methods/pagelevel.md for unseen sites",
    ),
    DetectorInfo("alignment", "Alignment of 16 pages' tags and texts", "alignment.detector", "Alignment"),
    DetectorInfo(
        "stencil",
        "Stencil: evidence from pages of one kind",
        "stencil.detector",
        "Stencil",
        learns=True,
        trained_on="the labels of the open sites; see research/docs/stencil-model.md for unseen sites",
    ),
)
DETECTORS: Mapping[str, DetectorInfo] = MappingProxyType({info.name: info for info in _ALL})
DEFAULT_DETECTOR = "stencil"


def load_detector(detector: str | Detector | None = None) -> Detector:
    """Return the detector of a name, or the default one for None; pass a detector through.

    Raises:
        UnknownDetector: no detector has this name.
        WrongArgument: the argument is neither a name nor a detector.
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
        raise UnknownDetector(f"There is no detector {shown(detector)}. Choose one of: {', '.join(DETECTORS)}.")
    return cast("Detector", getattr(import_module(f"{__name__}.{info.module}"), info.build)())


def load_learner(detector: str | Detector | None = None) -> Learner:
    """Return a detector that learns; see `load_detector`.

    Raises:
        UnknownDetector: no detector has this name.
        CannotLearn: the detector does not learn.
        WrongArgument: the argument is neither a name nor a detector.
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
    """Return a detector's name; for an object of the caller, its class."""
    if detector is None or isinstance(detector, str):
        return detector or DEFAULT_DETECTOR
    return type(detector).__name__.lower()
