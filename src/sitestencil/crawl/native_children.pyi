from selectolax.lexbor import LexborNode

class NativeNodes:
    formulas: dict[int, str]

    def __init__(self, root: LexborNode) -> None: ...
    def may_have_formulas(self) -> bool: ...
