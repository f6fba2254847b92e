from collections.abc import Hashable, Sequence

def ordered_pairs(
    names: Sequence[Hashable | None], other_names: Sequence[Hashable | None]
) -> list[tuple[int, int]]: ...
