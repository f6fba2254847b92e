"""Serve a stored site to a real browser by a proxy on localhost that has only the site's pages."""

import mimetypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from sitestencil.site.sources.stored import StoredSite
from sitestencil.urls import host, resolve

# Not the site's own name: browsers turn http into https for names on their preload list.
STORED_HOST = "stored.test"
_TEXT = frozenset({"text/html", "text/css"})


class StoredSiteProxy:
    """Answers a browser's requests from the current stored site; all others get 404."""

    def __init__(self) -> None:
        self.site: StoredSite | None = None
        self.port = 0

    def show(self, site: StoredSite) -> str:
        """Serve this site from now on, and return its key page's address."""
        self.site = site
        return self.address(site, site.key_url)

    def answer(self, url: str) -> tuple[int, str, bytes]:
        """Return the status, media type and body for an address."""
        site = self.site
        own = (
            None if site is None else resolve(url.replace(f"//{STORED_HOST}/", f"//{host(site.base_url)}/", 1), url)
        )
        file = site.file(own) if site is not None and own is not None else None
        if site is None or file is None:
            return 404, "text/plain", b""
        media_type = mimetypes.guess_type(file.name)[0] or "text/html"
        body = file.read_bytes()
        if media_type in _TEXT:
            for scheme in ("https", "http"):
                origin = f"{scheme}://{host(site.base_url)}/"
                body = body.replace(origin.encode(), f"http://{STORED_HOST}/".encode())
        return 200, media_type, body

    def address(self, site: StoredSite, url: str) -> str:
        """Return the address at which the browser finds a page of the site."""
        _, _, rest = url.partition("://")
        return f"http://{STORED_HOST}/{rest.partition('/')[2]}"


@contextmanager
def serving() -> Iterator[StoredSiteProxy]:
    """Run the proxy for the length of the block."""
    proxy = StoredSiteProxy()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, media_type, body = proxy.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            with suppress(ConnectionError):  # the browser hangs up when it goes on to the next page
                self.end_headers()
                self.wfile.write(body)

        def do_CONNECT(self) -> None:
            with suppress(ConnectionError):
                self.send_error(403, "Only stored pages are served")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    proxy.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
