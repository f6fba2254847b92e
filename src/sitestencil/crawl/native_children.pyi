from selectolax.lexbor import LexborNode

from sitestencil.outputs.reading import Reading

class NativeNodes:
    reading: Reading | None
    replaced: dict[int, str] | None

    def __init__(self, root: LexborNode) -> None: ...
    def read(self, reading: Reading, replaced: dict[int, str]) -> None: ...
