"""Misbehaviours of servers, by accident or on purpose: responses that no client may trip over.

Each has the bytes to send and the behaviour after them: close the connection, reset it, fall silent, send one byte
every tenth of a second, or repeat a piece for ever. Numbers must not change: append new entries.
"""

import gzip
import zlib
from dataclasses import dataclass
from typing import Literal

from tests.support.raw_answers import (
    BROTLI,
    DEFLATED,
    HTML,
    PACKED,
    PAGE,
    ZEROS,
    charset,
    chunk,
    chunked,
    deep_deflate,
    head,
    layers,
    measured,
    moved,
    packed,
    page,
    zstandard,
    zstandard_block,
)

Ending = Literal["closes", "resets", "is silent", "drips", "repeats"]


@dataclass(frozen=True, slots=True)
class Misbehaviour:
    """One thing that a server does wrong.

    Attributes:
        name: it, in words.
        answer: what it sends; ``{port}`` and ``{number}`` stand for the server's port and the number.
        ending: how it goes on.
        piece: what it repeats.
    """

    name: str
    answer: bytes
    ending: Ending = "closes"
    piece: bytes = b""


STATUS_LINES = (
    Misbehaviour("closes without a byte", b""),
    Misbehaviour("resets without a byte", b"", "resets"),
    Misbehaviour("never answers", b"", "is silent"),
    Misbehaviour("ends in the status line", b"HTTP/1.1 20"),
    Misbehaviour("resets in the status line", b"HTTP/1.1 20", "resets"),
    Misbehaviour("falls silent in the status line", b"HTTP/1.1 20", "is silent"),
    Misbehaviour("ends after the status line", b"HTTP/1.1 200 OK\r\n"),
    Misbehaviour("says no version", b"200 OK\r\n\r\n" + PAGE),
    Misbehaviour("answers as HTTP/0.9 did", PAGE),
    Misbehaviour("answers as HTTP/1.0 did, without headers", b"HTTP/1.0 200 OK\r\n\r\n" + PAGE),
    Misbehaviour("says HTTP/2.0", measured().replace(b"HTTP/1.1", b"HTTP/2.0")),
    Misbehaviour("says HTTP/9.9", measured().replace(b"HTTP/1.1", b"HTTP/9.9")),
    Misbehaviour("says HTTP/1.12345678901234567890", measured().replace(b"1.1", b"1.12345678901234567890", 1)),
    Misbehaviour("says http/1.1 in small letters", measured().replace(b"HTTP/1.1", b"http/1.1")),
    Misbehaviour("says ICY 200 OK, as radio stations do", measured().replace(b"HTTP/1.1", b"ICY")),
    Misbehaviour("has a status of two figures", measured(status="20 OK")),
    Misbehaviour("has a status of four figures", measured(status="2000 OK")),
    Misbehaviour("has a status below zero", measured(status="-200 OK")),
    Misbehaviour("has a status in words", measured(status="okay")),
    Misbehaviour("has the status 000", measured(status="000 OK")),
    Misbehaviour("has the status 099", measured(status="099 OK")),
    Misbehaviour("has the status 600", measured(status="600 OK")),
    Misbehaviour("has the status 999", measured(status="999 OK")),
    Misbehaviour("gives no reason", measured(status="200")),
    Misbehaviour("gives a reason of 300 KB", measured(status="200 " + "o" * 300_000)),
    Misbehaviour("gives a reason for ever", b"HTTP/1.1 200 ", "repeats", b"o" * 65536),
    Misbehaviour("gives a reason with zero bytes", measured(status="200 O\0K")),
    Misbehaviour("gives a reason of no encoding", measured(status="200 \xff\xfe\x80")),
    Misbehaviour("sends blank lines first", b"\r\n\r\n\r\n" + measured()),
    Misbehaviour("sends blank lines for ever", b"", "repeats", b"\r\n" * 1000),
    Misbehaviour("ends its lines with LF only", measured().replace(b"\r\n", b"\n")),
    Misbehaviour("ends its lines with CR only", measured().replace(b"\r\n", b"\r")),
)
OTHER_PROTOCOLS = (
    Misbehaviour("speaks TLS on a plain port", b"\x15\x03\x03\x00\x02\x02\x50"),
    Misbehaviour("speaks SSH", b"SSH-2.0-OpenSSH_9.6\r\n", "is silent"),
    Misbehaviour("speaks SMTP", b"220 mail.test ESMTP\r\n500 bad syntax\r\n"),
    Misbehaviour("speaks HTTP/2 only", b"\x00\x00\x12\x04\x00\x00\x00\x00\x00" + bytes(18)),
    Misbehaviour("speaks RTSP", b"RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n"),
    Misbehaviour("sends zero bytes", bytes(100_000)),
    Misbehaviour("sends zero bytes for ever", b"", "repeats", bytes(65536)),
    Misbehaviour("sends all bytes there are", bytes(range(256)) * 40),
)
INFORMATIONAL = (
    Misbehaviour("says 100 before the page", head(status="100 Continue", html=False) + measured()),
    Misbehaviour("says 103 before the page", head("Link: </a>", status="103 Early Hints", html=False) + measured()),
    Misbehaviour("says 103 ten thousand times", head(status="103 Early Hints", html=False) * 10_000 + measured()),
    Misbehaviour("says 100 for ever", b"", "repeats", head(status="100 Continue", html=False) * 500),
    Misbehaviour("says 102 and falls silent", head(status="102 Processing", html=False), "is silent"),
    Misbehaviour("says 102 and closes", head(status="102 Processing", html=False)),
    Misbehaviour("switches protocols unasked", head("Upgrade: x", status="101 Switching Protocols") + PAGE),
    Misbehaviour("says 199 with a length", measured(status="199 x", html=False) + measured()),
)
STATUSES = (
    Misbehaviour("says 204 with a body", measured(status="204 No Content")),
    Misbehaviour("says 205 with a body", measured(status="205 Reset Content")),
    Misbehaviour("says 206 unasked", measured("Content-Range: bytes 0-9/10000000", status="206 Partial Content")),
    Misbehaviour("says 304 unasked", measured(status="304 Not Modified")),
    Misbehaviour("asks for a password", measured('WWW-Authenticate: Basic realm="x"', status="401 Unauthorized")),
    Misbehaviour(
        "asks for a proxy's password", measured('Proxy-Authenticate: Basic realm="x"', status="407 Proxy Auth")
    ),
    Misbehaviour("wants to be paid", measured(status="402 Payment Required")),
    Misbehaviour("forbids", measured(status="403 Forbidden")),
    Misbehaviour("finds nothing, with 6 MB about it", page(status="404 Not Found", body=PAGE * 40_000)),
    Misbehaviour("says that the client was late", measured(status="408 Request Timeout")),
    Misbehaviour("is a teapot", measured(status="418 I'm a teapot")),
    Misbehaviour("asks to wait for an hour", measured("Retry-After: 3600", status="429 Too Many Requests")),
    Misbehaviour("asks to wait for ever", measured(f"Retry-After: {10**30}", status="429 Too Many Requests")),
    Misbehaviour("asks to wait for less than nothing", measured("Retry-After: -1", status="429 Too Many Requests")),
    Misbehaviour("asks to wait in words", measured("Retry-After: \xff soon", status="503 Service Unavailable")),
    Misbehaviour(
        "asks to wait till the year 9999", measured("Retry-After: Fri, 31 Dec 9999 23:59:59 GMT", status="503")
    ),
    Misbehaviour("breaks down", measured(status="500 Internal Server Error")),
    Misbehaviour("is a broken gateway", measured(status="502 Bad Gateway", body=b"")),
)
HEADERS = (
    Misbehaviour("names no type", measured(html=False)),
    Misbehaviour("names an empty type", measured("Content-Type:", html=False)),
    Misbehaviour("names two types", measured("Content-Type: image/png")),
    Misbehaviour("names half a type", measured("Content-Type: text/", html=False)),
    Misbehaviour("names a type of no encoding", measured("Content-Type: \xff\xfe/html", html=False)),
    Misbehaviour("names a type with 20,000 parameters", measured(f"{HTML}{'; a=b' * 20_000}", html=False)),
    Misbehaviour("calls a picture HTML", measured(body=b"\x89PNG\r\n\x1a\n" + bytes(3000))),
    Misbehaviour("has a header without a colon", measured("Rubbish")),
    Misbehaviour("has a header without a name", measured(": rubbish")),
    Misbehaviour("has a blank before the colon", measured("X-A : b")),
    Misbehaviour("has a blank in a name", measured("X A: b")),
    Misbehaviour("has a name of no encoding", measured("\xff\xfe: b")),
    Misbehaviour("has a zero byte in a name", measured("X-\0: b")),
    Misbehaviour("has a zero byte in a value", measured("X-A: \0")),
    Misbehaviour("has a bare CR in a value", measured("X-A: b\rContent-Length: 3")),
    Misbehaviour("folds a header", measured("X-A: b\r\n c\r\n\td")),
    Misbehaviour("begins with a folded header", b"HTTP/1.1 200 OK\r\n X-A: b\r\n\r\n" + PAGE),
    Misbehaviour("has a header of 1 MB", measured("X-A: " + "b" * 1_000_000)),
    Misbehaviour("has a header for ever", head()[:-2] + b"X-A: ", "repeats", b"b" * 65536),
    Misbehaviour("has 20,000 headers", measured(*(f"X-{number}: b" for number in range(20_000)))),
    Misbehaviour("has headers for ever", head()[:-2], "repeats", b"X-A: b\r\n" * 1000),
    Misbehaviour("drips headers for ever", head()[:-2], "drips"),
    Misbehaviour("sets 2,000 cookies", measured(*(f"Set-Cookie: a{number}=b" for number in range(2000)))),
    Misbehaviour("sets a cookie of no form", measured("Set-Cookie: =;;=\xff; expires=never; domain=.")),
    Misbehaviour("ends in the headers", head()[:-2] + b"X-A"),
    Misbehaviour("resets in the headers", head()[:-2] + b"X-A", "resets"),
    Misbehaviour("falls silent in the headers", head()[:-2] + b"X-A", "is silent"),
    Misbehaviour("refreshes by a header", measured("Refresh: 0; url=/")),
    Misbehaviour(
        "asks for a client's hints and a service worker", measured("Accept-CH: *", "Service-Worker-Allowed: /")
    ),
)
LENGTHS = (
    Misbehaviour("says a length and closes before", head("Content-Length: 100000") + PAGE),
    Misbehaviour("says a length and resets before", head("Content-Length: 100000") + PAGE, "resets"),
    Misbehaviour("says a length and falls silent", head("Content-Length: 100000") + PAGE, "is silent"),
    Misbehaviour("says a length and drips", head("Content-Length: 100000") + PAGE, "drips"),
    Misbehaviour("says too small a length", head("Content-Length: 5") + PAGE),
    Misbehaviour("says a length of zero", head("Content-Length: 0") + PAGE),
    Misbehaviour("says no length", head("Content-Length:") + PAGE),
    Misbehaviour("says a length below zero", head("Content-Length: -1") + PAGE),
    Misbehaviour("says a length in words", head("Content-Length: many") + PAGE),
    Misbehaviour("says a length of 1e3", head("Content-Length: 1e3") + PAGE),
    Misbehaviour("says a length of 0x10", head("Content-Length: 0x10") + PAGE),
    Misbehaviour("says a length of +10", head("Content-Length: +10") + PAGE),
    Misbehaviour("says a length of 1_0", head("Content-Length: 1_0") + PAGE),
    Misbehaviour("says a length in other figures", head("Content-Length: \xb2") + PAGE),
    Misbehaviour("says a length of 2^63", head(f"Content-Length: {2**63}") + PAGE, "is silent"),
    Misbehaviour("says a length of 5,000 figures", head(f"Content-Length: {'9' * 5000}") + PAGE, "is silent"),
    Misbehaviour("says one length twice", measured(f"Content-Length: {len(PAGE)}")),
    Misbehaviour("says two lengths", measured("Content-Length: 5")),
    Misbehaviour("says two lengths in a list", head("Content-Length: 5, 7") + PAGE),
    Misbehaviour("says a length and sends chunks", chunked(chunk(PAGE) + b"0\r\n\r\n", "Content-Length: 5")),
    Misbehaviour("sends a body for ever", head("Connection: close"), "repeats", PAGE * 100),
    Misbehaviour("sends an empty body", measured(body=b"")),
    Misbehaviour("resets in a body without a length", page(), "resets"),
    Misbehaviour("falls silent in a body without a length", page(), "is silent"),
    Misbehaviour("drips a body without a length", page(), "drips"),
)
CHUNKS = (
    Misbehaviour("has no last chunk", chunked(chunk(PAGE))),
    Misbehaviour("has no last chunk and resets", chunked(chunk(PAGE)), "resets"),
    Misbehaviour("has no last chunk and falls silent", chunked(chunk(PAGE)), "is silent"),
    Misbehaviour("ends within a chunk", chunked(b"ffff\r\n" + PAGE)),
    Misbehaviour("has chunks of a size in words", chunked(b"many\r\n" + PAGE)),
    Misbehaviour("has a chunk of less than nothing", chunked(b"-5\r\n" + PAGE)),
    Misbehaviour("has a chunk of 2^64 bytes", chunked(b"10000000000000000\r\n" + PAGE), "is silent"),
    Misbehaviour("has a chunk size of 100 KB", chunked(b"0" * 100_000 + b"5\r\nabcde\r\n0\r\n\r\n")),
    Misbehaviour("has a chunk size for ever", chunked(b""), "repeats", b"0" * 65536),
    Misbehaviour("has an empty chunk size", chunked(b"\r\n" + PAGE)),
    Misbehaviour("has a chunk size with blanks", chunked(b" 5 \r\nabcde\r\n0\r\n\r\n")),
    Misbehaviour("has a chunk size of 0x5", chunked(b"0x5\r\nabcde\r\n0\r\n\r\n")),
    Misbehaviour("ends chunks with LF only", chunked(b"5\nabcde\n0\n\n")),
    Misbehaviour("has more in a chunk than it says", chunked(b"3\r\nabcdefgh\r\n0\r\n\r\n")),
    Misbehaviour("extends a chunk by 1 MB", chunked(b"5;" + b"a" * 1_000_000 + b"\r\nabcde\r\n0\r\n\r\n")),
    Misbehaviour("has chunks of one byte", chunked(b"".join(chunk(PAGE[at : at + 1]) for at in range(len(PAGE))))),
    Misbehaviour("has chunks of one byte for ever", chunked(b""), "repeats", chunk(b"a") * 500),
    Misbehaviour("has trailers for ever", chunked(chunk(PAGE) + b"0\r\n"), "repeats", b"X-A: b\r\n" * 1000),
    Misbehaviour("drips trailers", chunked(chunk(PAGE) + b"0\r\n"), "drips"),
    Misbehaviour("sends a body after the last chunk", chunked(b"0\r\n\r\n" + PAGE)),
    Misbehaviour("has chunks within chunks", head("Transfer-Encoding: chunked, chunked") + chunk(chunk(PAGE))),
    Misbehaviour(
        "packs by the way of transfer", head("Transfer-Encoding: gzip, chunked") + chunk(PACKED) + b"0\r\n\r\n"
    ),
    Misbehaviour("transfers in a way unheard of", page("Transfer-Encoding: pigeon")),
    Misbehaviour("transfers as it is, it says", page("Transfer-Encoding: identity")),
    Misbehaviour("has chunks in HTTP/1.0", chunked(chunk(PAGE) + b"0\r\n\r\n").replace(b"HTTP/1.1", b"HTTP/1.0")),
)
PACKINGS = (
    Misbehaviour("says gzip and does not pack", packed("gzip", PAGE)),
    Misbehaviour("says gzip and sends nothing", packed("gzip", b"")),
    Misbehaviour("says gzip and ends in its head", packed("gzip", PACKED[:7])),
    Misbehaviour("says gzip and ends in the middle", packed("gzip", PACKED[: len(PACKED) // 2])),
    Misbehaviour("says gzip and ends before its check", packed("gzip", PACKED[:-8])),
    Misbehaviour("has gzip with a wrong check", packed("gzip", PACKED[:-8] + bytes(8))),
    Misbehaviour("has gzip with rubbish after it", packed("gzip", PACKED + b"rubbish")),
    Misbehaviour("has gzip twice in a row", packed("gzip", PACKED * 2)),
    Misbehaviour(
        "has gzip of a file name for ever", packed("gzip", b"\x1f\x8b\x08\x08" + bytes(6) + b"a" * 500_000)
    ),
    Misbehaviour("has GZIP in capitals", packed("GZIP", PACKED)),
    Misbehaviour("says x-gzip", packed("x-gzip", PACKED)),
    Misbehaviour("has a bomb of gzip", packed("gzip", gzip.compress(ZEROS, 9, mtime=0))),
    Misbehaviour("has a bomb of deflate", packed("deflate", zlib.compress(ZEROS, 9))),
    Misbehaviour("has a bomb of brotli", packed("br", BROTLI.compress(ZEROS, quality=5))),
    Misbehaviour(
        "has a bomb of zstd", packed("zstd", zstandard(*[zstandard_block(1, 131_072, b" ", last=False)] * 500))
    ),
    Misbehaviour("has deflate without its head", packed("deflate", DEFLATED[2:-4])),
    Misbehaviour("says deflate and ends in the middle", packed("deflate", DEFLATED[: len(DEFLATED) // 2])),
    Misbehaviour("says deflate and does not pack", packed("deflate", PAGE)),
    Misbehaviour("says br and does not pack", packed("br", PAGE)),
    Misbehaviour("says br and ends in the middle", packed("br", BROTLI.compress(PAGE)[:-20])),
    Misbehaviour("says zstd", packed("zstd", zstandard(zstandard_block(0, len(PAGE), PAGE)))),
    Misbehaviour("says zstd and does not pack", packed("zstd", PAGE)),
    Misbehaviour("says compress", packed("compress", b"\x1f\x9d\x90" + PAGE)),
    Misbehaviour("packs in a way unheard of", packed("pigeon", PAGE)),
    Misbehaviour("packs with gzip and says nothing", measured(body=PACKED)),
    Misbehaviour("packs five times with deflate", packed(", ".join(["deflate"] * 5), layers("deflate", 5))),
    Misbehaviour("packs five times with gzip", packed(", ".join(["gzip"] * 5), layers("gzip", 5))),
    Misbehaviour("has a bomb of five deflates", packed(", ".join(["deflate"] * 5), deep_deflate())),
    Misbehaviour("says 2,000 packings", packed(", ".join(["gzip"] * 2000), PACKED)),
    Misbehaviour(
        "says gzip in a header for each of two",
        measured("Content-Encoding: gzip", "Content-Encoding: br", body=PACKED),
    ),
    Misbehaviour("drips gzip", head("Content-Encoding: gzip", "Content-Length: 99999") + PACKED[:50], "drips"),
)
CHARSETS = tuple(
    Misbehaviour(f"names the charset {label[:20]!r}", charset(label))
    for label in (
        *"undefined idna punycode unicode_escape raw_unicode_escape hex base64 rot13 zlib".split(),
        *("bz2", "uu", "quopri", "charmap", "mbcs", "oem", "utf-7", "utf-16", "utf-32", "utf-8-sig", "iso-2022-kr"),
        *("hz", "x-user-defined", "replacement", "", '"', "'utf-8", "../../../etc/passwd", "utf\x008", "\xff\xfe"),
        *("a" * 20_000, "utf-8; charset=utf-16", "none", "tests.support.server"),
    )
)
REDIRECTS = (
    Misbehaviour("redirects without a target", measured(status="302 Found", body=b"")),
    Misbehaviour("redirects to nowhere", moved("")),
    Misbehaviour("redirects to itself", moved("/{number}/")),
    Misbehaviour("redirects to itself with another query each time", moved("?again")),
    Misbehaviour("redirects to another machine", moved("http://machine.invalid/")),
    Misbehaviour("redirects to another port", moved("http://127.0.0.1:9/")),
    Misbehaviour("redirects to another name of itself", moved("http://localhost:{port}/")),
    Misbehaviour("redirects to a cloud's secrets", moved("http://169.254.169.254/latest/meta-data/")),
    Misbehaviour("redirects to a file", moved("file:///etc/passwd")),
    Misbehaviour("redirects to a script", moved("javascript:alert(1)")),
    Misbehaviour("redirects to data", moved("data:text/html,<p>x")),
    Misbehaviour("redirects to FTP", moved("ftp://127.0.0.1/")),
    Misbehaviour("redirects to TLS on its plain port", moved("https://127.0.0.1:{port}/")),
    Misbehaviour("redirects to no host", moved("http://")),
    Misbehaviour("redirects to half an address", moved("http://[::1")),
    Misbehaviour("redirects with a name and a password", moved("http://user:word@127.0.0.1:{port}/")),
    Misbehaviour("redirects to a zero byte", moved("/a\0b")),
    Misbehaviour("redirects to bytes of no encoding", moved("/\xff\xfe")),
    Misbehaviour("redirects to 1 MB of address", moved("/" + "a" * 1_000_000)),
    Misbehaviour("redirects to two targets", measured("Location: /a", "Location: /b", status="302 x", body=b"")),
    Misbehaviour(
        "redirects with a body for ever", head("Location: /{number}/", status="302 x"), "repeats", PAGE * 99
    ),
    Misbehaviour("redirects and resets", head("Location: /{number}/", status="302 Found"), "resets"),
    Misbehaviour("has 300 choices", measured(status="300 Multiple Choices")),
    Misbehaviour("wants a proxy", moved("http://127.0.0.1:9/", "305 Use Proxy")),
    Misbehaviour("redirects with 308 to itself", moved("/{number}/", "308 Permanent Redirect")),
)
CONNECTIONS = (
    Misbehaviour("says keep-alive and closes", measured("Connection: keep-alive", "Keep-Alive: timeout=100")),
    Misbehaviour("says keep-alive and resets", measured("Connection: keep-alive"), "resets"),
    Misbehaviour("says close and stays", measured("Connection: close"), "is silent"),
    Misbehaviour("sends a second answer unasked", measured() * 2, "is silent"),
    Misbehaviour("sends rubbish after its answer", measured() + b"rubbish" * 999, "is silent"),
    Misbehaviour("keeps alive for no time", measured("Connection: keep-alive", "Keep-Alive: timeout=0, max=-1")),
    Misbehaviour("says a connection of no kind", measured("Connection: \xff, , ,close,keep-alive")),
    Misbehaviour("drips its whole answer", b"", "drips"),
)
BODIES = (
    Misbehaviour("has a page of zero bytes", measured(body=bytes(100_000))),
    Misbehaviour("has a page of 6 MB", measured(body=b"<p>a" * 1_500_000)),
    Misbehaviour("has a page of one mark", measured(body=b"<")),
    Misbehaviour("has a page of byte-order marks", measured(body=b"\xff\xfe\xef\xbb\xbf\xfe\xff")),
    Misbehaviour(
        "has a page of half a character",
        measured("Content-Type: text/html; charset=utf-16", body=b"<\0p", html=False),
    ),
    Misbehaviour("has a page of surrogates", measured(body=b"<p>\xed\xa0\x80&#xd800;\xed\xb0\x80")),
    Misbehaviour("has 2,000 doctypes", measured(body=b"<!doctype html>" * 2000)),
    Misbehaviour("has 50,000 comments", measured(body=b"<!--a-->" * 50_000)),
    Misbehaviour("never ends a comment", measured(body=b"<!--" + b"a" * 1_000_000)),
    Misbehaviour("never ends a tag", measured(body=b"<p " + b"a" * 1_000_000)),
    Misbehaviour("nests 500 tables", measured(body=b"<table><tr><td>" * 500)),
    Misbehaviour("opens 3,000 formatting elements", measured(body=b"<b><i><a>" * 1000)),
    Misbehaviour(
        "has 20,000 links", measured(body=b"".join(b'<a href="/x%d">x</a>' % number for number in range(20_000)))
    ),
    Misbehaviour(
        "has an address of 1 MB", measured(body=b'<base href="/' + b"a" * 1_000_000 + b'"><a href=b>b</a>')
    ),
    Misbehaviour(
        "refreshes by a meta element", measured(body=b'<meta http-equiv=refresh content="0;url=/">' + PAGE)
    ),
    Misbehaviour(
        "names the charset undefined in a meta element", measured(body=b"<meta charset=undefined>" + PAGE)
    ),
)
MISBEHAVIOURS: dict[int, Misbehaviour] = dict(
    enumerate(
        (
            *STATUS_LINES,
            *OTHER_PROTOCOLS,
            *INFORMATIONAL,
            *STATUSES,
            *HEADERS,
            *LENGTHS,
            *CHUNKS,
            *PACKINGS,
            *CHARSETS,
            *REDIRECTS,
            *CONNECTIONS,
            *BODIES,
        ),
        1,
    )
)
