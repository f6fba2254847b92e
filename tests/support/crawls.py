"""Small crawls for tests: sites of two kinds of pages, and WARC files."""

import gzip
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds

WORDS = "rope knot sail mast tide anchor harbour splice hitch bend lashing block tackle shroud stay keel".split()


def article(site: str, number: int) -> bytes:
    """Return an article of a site; no two have a paragraph in common."""
    random = Random(f"{site} {number}")
    paragraphs = "".join(f"<p>{' '.join(random.choices(WORDS, k=20))} {site}{number}</p>" for _ in range(4))
    return page(site, f'<article class="story"><h1>Story {number} of {site}</h1>{paragraphs}</article>')


def listing(site: str, number: int) -> bytes:
    """Return a list of a site, a page of another kind."""
    rows = "".join(f"<tr><td>Price {number}.{row}</td><td>{row} euros</td></tr>" for row in range(5))
    return page(site, f'<div class="list"><table class="prices"><tbody>{rows}</tbody></table></div>')


def page(site: str, content: str) -> bytes:
    links = "".join(f'<li><a href="/story{number}">Menu entry {number}</a></li>' for number in range(6))
    return (
        f"<!doctype html><html><head><title>{site}</title></head><body>"
        f"<header class='top'><h2>Welcome to {site}</h2><ul class='menu'>{links}</ul></header>"
        f"<main id='main'>{content}</main>"
        f"<footer class='foot'><p>All rights reserved by {site}</p></footer></body></html>"
    ).encode()


def pages_of(site: str, count: int) -> list[tuple[str, bytes]]:
    """Return a site's pages: two articles to each list."""
    return [
        (f"https://{site}/story{number}", listing(site, number) if number % 3 == 2 else article(site, number))
        for number in range(count)
    ]


def response(
    url: str,
    body: bytes,
    *,
    status: str = "200 OK",
    content_type: str = "text/html",
    length: int | None = None,
    headers: str = "",
    of: bytes = b"",
) -> bytes:
    """Return a WARC response record; its length is a lie where one is given.

    Args:
        of: the file's first record, which the record names.
    """
    http = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{headers}\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:12345678-1234-5678-1234-567812345678>\r\n{_WARCINFO_LINE if of else ''}"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {length or len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


_WARCINFO_ID = "<urn:uuid:0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0>"
_WARCINFO_LINE = f"WARC-Warcinfo-ID: {_WARCINFO_ID}\r\n"


def warcinfo() -> bytes:
    """Return the first record of a file, with an id that no server knows."""
    head = f"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: {_WARCINFO_ID}\r\nContent-Length: 16\r\n\r\n"
    return head.encode() + b"software: test\r\n\r\n\r\n"


_PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".gz": partial(gzip.compress, mtime=0),
    ".zst": partial(pa.compress, codec="zstd", asbytes=True),
}


def forging_answer(name: str, groups: int = 60) -> bytes:
    """Return a record of evil.example whose body holds records of bank.example, packed as the file's own are."""
    random, body = Random(1), b"<p>"
    for number in range(3 * groups):
        # What cannot be packed is stored as it is, and so are the few bytes between that could be.
        body += b"" if number % 3 else random.randbytes(3000) + b"\r\n\r\n"
        body += _packed(name, response(f"https://bank.example/{number}", article("bank.example", number)))
    return response("https://evil.example/", body + random.randbytes(300))


def _packed(name: str, record: bytes, *, stored: bool = False) -> bytes:
    if stored and name.endswith(".gz"):
        return gzip.compress(record, 0, mtime=0)
    return _PACKED.get(Path(name).suffix, bytes)(record)


def write_warc(file: Path, records: Sequence[bytes]) -> list[int]:
    """Write records into a WARC file, packed as its name says; return where each begins.

    An answer of evil.example is stored without being packed, so that its body's bytes are in the file.
    """
    offsets, data = [], b""
    for record in records:
        is_evil = b"https://evil.example/" in record
        offsets.append(len(data))
        data += _packed(file.name, record, stored=is_evil)
        if is_evil:
            forged = response("https://bank.example/1", article("bank.example", 1))
            assert _packed(file.name, forged) in data[offsets[-1] :]
    file.write_bytes(data)
    return offsets


def small_crawl(file: Path, sites: int = 6, pages: int = 12) -> int:
    """Write a crawl whose sites' pages are mixed; return how many pages it has."""
    all_pages = [page for site in range(sites) for page in pages_of(f"site{site}.example", pages)]
    Random(1).shuffle(all_pages)
    write_warc(file, [response(url, html) for url, html in all_pages])
    return len(all_pages)


def output(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]], str]:
    """Return all that a crawl's folder holds, sorted: pages, templates if it has them, what was skipped."""
    pages = ds.dataset(folder / "pages").to_table().to_pylist()
    with_templates = (folder / "templates").exists()
    templates = ds.dataset(folder / "templates").to_table().to_pylist() if with_templates else []
    skipped = (folder / "skipped.jsonl").read_text(encoding="utf-8")
    return (
        sorted(pages, key=lambda row: (row["source"], row["offset"])),
        sorted(templates, key=lambda row: row["id"]),
        skipped,
    )


def report(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return read
