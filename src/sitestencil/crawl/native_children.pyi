from selectolax.lexbor import LexborNode

from sitestencil.outputs.reading import Reading

class NativeNodes:
    reading: Reading | None

    def __init__(self, root: LexborNode) -> None: ...
    def read(self, reading: Reading) -> None: ...
