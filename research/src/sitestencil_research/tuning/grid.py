"""The grid of TemEx parameters to try (thesis, section 5.2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from sitestencil.detectors.temex.detector import THESIS, TemExParameters
from sitestencil.detectors.temex.mapping import EqualityParameters, MappingParameters
from sitestencil.errors import WrongUsage

# wc, wp, wa, wch
Weights = tuple[float, float, float, float]

# The thesis' tuned weights, its first weights, and the add-on's.
WEIGHTS: tuple[Weights, ...] = ((0.5, 0.2, 0.2, 0.1), (0.4, 0.4, 0.1, 0.1), (0.1, 0.4, 0.0, 0.5))


@dataclass(frozen=True, slots=True)
class Grid:
    """The values to try for each parameter; every combination is a point.

    Attributes:
        base: the parameters that the grid does not vary.
        sizes: n.
        votes: t; None means all from 1 to n.
        weights: wc, wp, wa, wch.
        no_classes: Pnc.
        no_attributes: Pna.
        no_children: Pnch.
        thresholds: Pt.
        keep_order: whether mapped siblings may not cross.

    Raises:
        WrongUsage: a value is out of range, or there is nothing to try.
    """

    base: TemExParameters = THESIS
    sizes: Sequence[int] = tuple(range(1, 9))
    votes: Sequence[int] | None = None
    weights: Sequence[Weights] = WEIGHTS
    no_classes: Sequence[float] = (0.75, 0.9, 1.0)
    no_attributes: Sequence[float] = (0.25, 0.75)
    no_children: Sequence[float] = (1.0,)
    thresholds: Sequence[float] = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9)
    keep_order: Sequence[bool] = (True,)

    def __post_init__(self) -> None:
        for values in (self.no_classes, self.thresholds):
            if any(not 0 <= value <= 1 for value in values):
                raise WrongUsage(f"A probability lies between 0 and 1, but the values are {listed(values)}.")
        if any(value < 1 for value in (*self.sizes, *(self.votes or ()))):
            raise WrongUsage("n and t are at least 1.")
        if not self.vote_points() or not self.mapping_points():
            raise WrongUsage("There is nothing to try: t is never above n, and each parameter needs a value.")

    def vote_points(self) -> list[tuple[int, int]]:
        """Return every n with every t up to n."""
        return [(n, t) for n in sorted(set(self.sizes)) for t in self.votes or range(1, n + 1) if t <= n]

    def mapping_points(self) -> list[MappingParameters]:
        """Return every combination of mapping parameters; the base's own comes first if it is among them."""
        combinations = product(
            self.weights, self.no_classes, self.no_attributes, self.no_children, self.thresholds, self.keep_order
        )
        points = [
            replace(
                self.base.mapping, equality=EqualityParameters(*weights, pnc, pna, pnch, pt), keep_order=keep_order
            )
            for weights, pnc, pna, pnch, pt, keep_order in combinations
        ]
        return sorted(dict.fromkeys(points), key=lambda point: point != self.base.mapping)

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.vote_points()) * len(self.mapping_points())


def described(mapping: MappingParameters) -> str:
    """Return mapping parameters in one line, by their names in the thesis."""
    return "  ".join(f"{name} {value}" for name, value in named_parameters(mapping).items())


def named_parameters(mapping: MappingParameters) -> dict[str, str]:
    """Return mapping parameters by their names in the thesis; the four weights count as one."""
    equality = mapping.equality
    return {
        "wc,wp,wa,wch": listed(weights_of(mapping)),
        "Pnc": f"{equality.no_classes:g}",
        "Pna": f"{equality.no_attributes:g}",
        "Pnch": f"{equality.no_children:g}",
        "Pt": f"{equality.threshold:g}",
        "order": "kept" if mapping.keep_order else "free",
    }


def weights_of(mapping: MappingParameters) -> Weights:
    """Return wc, wp, wa, wch."""
    equality = mapping.equality
    return (equality.classes_weight, equality.position_weight, equality.attributes_weight, equality.children_weight)


def listed(values: Sequence[float]) -> str:
    """Return numbers in the format of an option."""
    return ",".join(f"{value:g}" for value in values)
