"""Answers of a server as bytes, right and wrong: what the table of misbehaviours is made of."""

import gzip
import zlib
from importlib import import_module

PAGE = (
    b"<!doctype html><html><head><title>\\d Faulty</title></head><body>"
    b'<nav><a href="/a">A</a> <a href="/b">B</a></nav>'
    b"<p>\xc3\xa4\xe4\x80\xff</p></body></html>"
)
HTML = "Content-Type: text/html"
PACKED = gzip.compress(PAGE, mtime=0)
DEFLATED = zlib.compress(PAGE)
ZEROS = b" " * 60_000_000
BROTLI = import_module("brotli")


def head(*headers: str, status: str = "200 OK", html: bool = True) -> bytes:
    """Return status line and headers; of HTML if no more is said."""
    lines = [f"HTTP/1.1 {status}", *([HTML] if html else []), *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1")


def page(*headers: str, body: bytes = PAGE, status: str = "200 OK", html: bool = True) -> bytes:
    """Return a whole answer without a length."""
    return head("Connection: close", *headers, status=status, html=html) + body


def measured(*headers: str, body: bytes = PAGE, status: str = "200 OK", html: bool = True) -> bytes:
    """Return a whole answer with its right length."""
    return head(f"Content-Length: {len(body)}", *headers, status=status, html=html) + body


def packed(encoding: str, body: bytes) -> bytes:
    return measured(f"Content-Encoding: {encoding}", body=body)


def chunked(body: bytes, *headers: str) -> bytes:
    return head("Transfer-Encoding: chunked", *headers) + body


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def charset(label: str) -> bytes:
    """Return a page whose header names a charset."""
    return measured(f"Content-Type: text/html; charset={label}", html=False)


def moved(location: str, status: str = "302 Found") -> bytes:
    """Return a redirect."""
    return measured(f"Location: {location}", status=status, body=b"")


def layers(compress: str, count: int) -> bytes:
    """Return the page packed several times over."""
    body = PAGE
    for _ in range(count):
        body = zlib.compress(body) if compress == "deflate" else gzip.compress(body, mtime=0)
    return body


def zstandard(*blocks: bytes) -> bytes:
    """Return blocks as a Zstandard frame with a window of 128 KiB and no stated length (RFC 8878, 3.1.1)."""
    return b"\x28\xb5\x2f\xfd\x00\x38" + b"".join(blocks)


def zstandard_block(kind: int, size: int, data: bytes, *, last: bool = True) -> bytes:
    return (int(last) | kind << 1 | size << 3).to_bytes(3, "little") + data


def deep_deflate() -> bytes:
    """Return 60 MB of blanks in five layers of deflate: a few hundred bytes."""
    body = ZEROS
    for _ in range(5):
        body = zlib.compress(body, 9)
    return body
