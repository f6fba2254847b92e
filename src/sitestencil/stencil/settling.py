"""When to stop loading: a further page is loaded only while that changes the answer."""

from collections.abc import Callable, Sequence

ENOUGH_NEAR = 3
_SAME_FROM = 0.995


class Settling:
    """Follows the answers that a growing number of pages gives."""

    def __init__(self) -> None:
        self._last: Sequence[bool] | None = None
        self._settled = False

    def is_settled(self, near: int, answer: Callable[[], Sequence[bool]]) -> bool:
        """Return whether the last page changed next to nothing, and enough pages are of the key page's kind.

        Args:
            near: how many near pages have been compared.
            answer: tells which elements are template by all pages so far; not asked before it can matter.
        """
        if near < ENOUGH_NEAR - 1:
            return False
        before, self._last = self._last, answer()
        if before is not None and near >= ENOUGH_NEAR:
            self._settled = _likeness(before, self._last) >= _SAME_FROM
        return self._settled

    def wanted(self, near: int) -> int:
        """Return how many further near pages would make the answer surer: none once it is settled."""
        return 0 if self._settled else max(1, ENOUGH_NEAR - near)


def _likeness(one: Sequence[bool], other: Sequence[bool]) -> float:
    """Return F1 of one answer by the other."""
    both = sum(map(min, one, other))
    return 2 * both / max(1, sum(one) + sum(other))
