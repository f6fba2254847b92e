from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from sitestencil.crawl.pairing import Pairing

class NativeNodes:
    def __init__(self, root: LexborNode) -> None: ...

class NativeEntered: ...

class NativeMeasuring:
    paths: set[int]
    looked_at: int
    known: int
    entered: NativeEntered
    def __init__(self, page: NativeNodes, pairings: Mapping[int, Pairing]) -> None: ...

class NativeWalk:
    template: list[bool]
    template_texts: list[bool]
    entered: list[tuple[int, int]]
    passed: list[tuple[int, int]]
    def __init__(self, page: NativeNodes, entered: NativeEntered | None) -> None: ...
