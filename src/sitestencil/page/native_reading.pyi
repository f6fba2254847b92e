from collections.abc import Mapping

from selectolax.lexbor import LexborNode

class NativeElements:
    def attributes(self, element: int) -> Mapping[str, str | None]: ...
    def kinds(self, tags: list[str]) -> dict[int, str]: ...

def read_elements(
    root: LexborNode,
) -> tuple[
    list[str], list[int], list[str], dict[int, str], list[int], str | None, list[str | None], NativeElements
]: ...
