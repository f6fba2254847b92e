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
    """Return a page with the site's frame."""
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
) -> bytes:
    """Return a WARC response record; its length is a lie where one is given."""
    http = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{headers}\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:12345678-1234-5678-1234-567812345678>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {length or len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


_PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".gz": partial(gzip.compress, mtime=0),
    ".zst": partial(pa.compress, codec="zstd", asbytes=True),
}


def write_warc(file: Path, records: Sequence[bytes]) -> list[int]:
    """Write records into a WARC file, packed as its name says; return where each begins."""
    offsets, data = [], b""
    for record in records:
        offsets.append(len(data))
        data += _PACKED.get(file.suffix, bytes)(record)
    file.write_bytes(data)
    return offsets


def small_crawl(file: Path, sites: int = 6, pages: int = 12) -> int:
    """Write a crawl whose sites' pages are mixed; return how many pages it has."""
    all_pages = [page for site in range(sites) for page in pages_of(f"site{site}.example", pages)]
    Random(1).shuffle(all_pages)
    write_warc(file, [response(url, html) for url, html in all_pages])
    return len(all_pages)


def output(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]], str]:
    """Return all that a crawl's folder holds, sorted: pages, templates, what was skipped."""
    pages = ds.dataset(folder / "pages").to_table().to_pylist()
    templates = ds.dataset(folder / "templates").to_table().to_pylist()
    skipped = (folder / "skipped.jsonl").read_text(encoding="utf-8")
    return (
        sorted(pages, key=lambda row: (row["source"], row["offset"])),
        sorted(templates, key=lambda row: row["id"]),
        skipped,
    )


def report(folder: Path) -> dict[str, Any]:
    """Return a crawl's report."""
    read: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return read
