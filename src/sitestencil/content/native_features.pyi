from collections.abc import Mapping, Sequence

from sitestencil.content.page_measures import PageMeasures

def page_features(measures: PageMeasures, numbers: list[int]) -> list[Sequence[float]]: ...
def name_features(
    measures: PageMeasures, numbers: list[int], odds: Mapping[str, tuple[float, float]]
) -> list[Sequence[float]]: ...
