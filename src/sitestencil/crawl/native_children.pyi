from selectolax.lexbor import LexborNode

class NativeNodes:
    def __init__(self, root: LexborNode) -> None: ...
