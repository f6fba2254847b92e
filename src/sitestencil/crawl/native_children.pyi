from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from sitestencil.outputs.reading import Reading

class NativeNodes:
    reading: Reading
    replaced: Mapping[int, str]

    def __init__(self, root: LexborNode, reading: Reading, replaced: dict[int, str]) -> None: ...
