"""The web server of the library's tests: the demo's, with pages that are added one by one."""

from demo.server import Answer, SiteServer


class Server(SiteServer):
    """A server that has no pages at first."""

    def __init__(self) -> None:
        super().__init__({})

    def add(self, path: str, body: bytes, *, status: int = 200, kind: str = "text/html", **headers: str) -> str:
        """Serve a body at a path, with headers by their names in small letters; return the address."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = Answer(body, kind, named, status)
        return f"{self.base}{path}"
