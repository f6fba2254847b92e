from collections.abc import Mapping

from sitestencil.crawl.native_children import NativeNodes
from sitestencil.crawl.pairing import Pairing
from sitestencil.page.document import Range

class NativeEntered: ...

class NativeMeasuring:
    paths: set[int]
    looked_at: int
    known: int
    entered: NativeEntered
    def __init__(self, page: NativeNodes, pairings: Mapping[int, Pairing]) -> None: ...

class NativeWriting:
    elements: int
    entered: list[tuple[int, int]]
    passed: list[tuple[int, int]]
    def __init__(self, page: NativeNodes, entered: NativeEntered | None) -> None: ...
    def text(self) -> str: ...
    @property
    def links(self) -> int: ...
    def ranges(self) -> tuple[Range, ...]: ...
