from sitestencil.crawl.native_children import NativeNodes

class NativeAnswer:
    def __init__(
        self,
        page: NativeNodes,
        template: list[bool],
        template_texts: list[bool],
        body: int,
        replaced: dict[int, str],
    ) -> None: ...
    def text(self) -> str: ...
    @property
    def links(self) -> int: ...
