"""Serve a site of a few pages on this machine, for examples without an address: a museum of ropes."""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

_MENU = {"/": "Home", "/visit": "Visit", "/knots": "Knots", "/ropewalk": "The ropewalk", "/contact": "Contact"}
_CONTENT = {
    "/": "<h1>Welcome</h1><p>Three centuries of rope, in the hall where it was made.</p>",
    "/visit": "<h1>Visit</h1><table><tr><th>Day<th>Open<tr><td>Saturday<td>10 to 16</table>",
    "/knots": "<h1>Knots</h1><p>Three to begin with:</p><ol><li>Bowline<li>Sheet bend<li>Clove hitch</ol>",
    "/ropewalk": "<h1>The ropewalk</h1><p>A rope is as long as the walk: <b>300 metres</b>.</p>"
    "<blockquote>Walk backwards.</blockquote>",
    "/contact": "<h1>Contact</h1><p>Write to <a href='mailto:ropes@museum.example'>us</a>.</p>",
}


def html(path: str) -> str:
    """Return a page of the site."""
    menu = "".join(f'<li><a href="{address}">{name}</a></li>' for address, name in _MENU.items())
    return (
        f"<!doctype html><html lang=en><head><title>{_MENU[path]} - Museum of ropes</title></head><body>"
        f'<header class="top"><p class="name">Museum of ropes</p><nav class="menu"><ul>{menu}</ul></nav></header>'
        f'<main class="content">{_CONTENT[path]}</main>'
        '<footer class="end"><p>Harbour street 1</p><p><a href="/contact">Contact</a></p></footer></body></html>'
    )


def _end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not isinstance(error, ModuleNotFoundError):
        sys.__excepthook__(kind, error, trace)
        return
    sys.stderr.write(
        f"This example needs {error.name}, which is not installed: its first lines say what to install.\n"
    )


sys.excepthook = _end  # each example imports this module first


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        known = self.path in _CONTENT
        body = html(self.path).encode() if known else b"Not found"
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def start() -> str:
    """Serve the site while the program runs; return its address, without a final slash."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def addresses(*paths: str) -> list[str]:
    """Return the addresses on the command line; without any, serve the small site and return its addresses."""
    if sys.argv[1:]:
        return sys.argv[1:]
    base = start()
    return [f"{base}{path}" for path in paths]
