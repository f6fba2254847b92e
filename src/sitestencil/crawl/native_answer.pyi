from sitestencil.crawl.native_children import NativeNodes

class NativeAnswer:
    links: int
    def __init__(
        self, page: NativeNodes, template: list[bool], template_texts: list[bool], replaced: dict[int, str] | None
    ) -> None: ...
    def text(self) -> str: ...
