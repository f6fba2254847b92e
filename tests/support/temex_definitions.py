"""Definitions of TemEx as the thesis states them, which tests compare the faster code with."""


def position_probability(index: int, siblings: int, other_index: int, other_siblings: int) -> float:
    """Return Pp of Definition 3.2.2.

    Args:
        index: position i of the node among its siblings, from the left, from 0.
        siblings: c, the number of children of its parent, the node included.
        other_index: i' of the other node.
        other_siblings: c' of the other node.
    """
    from_left = index - other_index
    from_right = (siblings - index) - (other_siblings - other_index)
    least = min(siblings, other_siblings)
    if siblings == other_siblings:
        return 1 - abs(from_left) / least
    if other_siblings > siblings:
        return 1 - max(0, from_left, from_right) / least
    return 1 - max(0, -from_left, -from_right) / least
