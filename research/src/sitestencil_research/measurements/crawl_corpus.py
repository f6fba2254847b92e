"""Make a corpus of any size from stored sites.

``python -m sitestencil_research.measurements.crawl_corpus OUT.warc.gz DIR ... --pages N``.

All pages of the sites in the folders become WARC response records, in a pseudorandom order. If more are wanted,
they are repeated under other host names, so that every copy is a site of its own. With --web most hosts have a page
or two: a file of Common Crawl has some 40,000 records of 20,000 hosts. A power law with this mean is taken, up to
150 pages for a host. It is a model: no published histogram was found. The same arguments give the same bytes.
Sites without a licence are only for measuring: do not pass such a file on.
"""

import gzip
import itertools
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random
from uuid import NAMESPACE_URL, uuid5

from sitestencil.site.sources.stored import StoredSite
from sitestencil.urls import host
from sitestencil_research.measurements.harness import arguments, sites_in
from sitestencil_research.page_files import pages_by_address

# The mean is two pages for a host.
MOST_OF_HOST, WEB_EXPONENT = 150, 2.4


def main() -> int:
    """Write the file and print its number of pages."""
    parser = arguments(__doc__, None)
    parser.add_argument("out", type=Path, metavar="OUT", help="the WARC file: .warc.gz or .warc")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders of stored sites")
    parser.add_argument("--pages", type=int, metavar="N", help="number of pages (default: each stored page once)")
    parser.add_argument(
        "--base", type=int, metavar="N", help="number of pages to repeat, of whole sites (default: all)"
    )
    parser.add_argument("--per-site", type=int, metavar="N", help="largest number of pages per site")
    parser.add_argument("--web", action="store_true", help="give hosts as many pages as on the web; needs --pages")
    options = parser.parse_args()
    if options.web and options.pages is None:
        parser.error("--web needs --pages.")
    size_of = {name: getattr(options, name) for name in ("pages", "base", "per_site", "web")}
    count, size = write_corpus(options.out, options.folders, **size_of)
    packed_size = options.out.stat().st_size
    print(f"{count:,} pages, {size / 1e6:,.1f} MB of HTML, {packed_size / 1e6:,.1f} MB in {options.out}")
    return 0


def write_corpus(
    out: Path, folders: list[Path], pages: int | None, *, base: int | None, per_site: int | None, web: bool
) -> tuple[int, int]:
    """Write a corpus; return its number of pages and the size of their HTML in bytes."""
    if web and pages is not None:
        return write_records(out, web_pages(folders, pages))
    stored = stored_pages(folders, base, per_site)
    wanted = len(stored) if pages is None else pages
    numbers = (divmod(number, len(stored)) for number in range(wanted))
    copies = ((renamed(stored[of_copy][0], copy), stored[of_copy][1]) for copy, of_copy in numbers)
    return write_records(out, copies)


def write_records(out: Path, pages: Iterable[tuple[str, Path]]) -> tuple[int, int]:
    """Write the records of pages; return their number and the size of their HTML in bytes."""
    count = size = 0
    with out.open("wb") as stream:
        for url, file in pages:
            html = file.read_bytes()
            packed = record(url, html)
            stream.write(gzip.compress(packed, 6, mtime=0) if out.suffix == ".gz" else packed)
            count, size = count + 1, size + len(html)
    return count, size


def web_pages(folders: list[Path], wanted: int) -> list[tuple[str, Path]]:
    """Return the addresses and files of pages of many hosts, in a pseudorandom order."""
    random = Random(14)
    sites = [site_pages(folder) for folder in sites_in(folders)]
    sizes = range(1, MOST_OF_HOST + 1)
    weights = [size**-WEB_EXPONENT for size in sizes]
    pages: list[tuple[str, Path]] = []
    for number in itertools.count(1):
        size = min(random.choices(sizes, weights)[0], wanted - len(pages))
        own = random.choice([site for site in sites if len(site) >= size] or sites)
        pages += [(renamed(url, number), file) for url, file in random.sample(own, min(size, len(own)))]
        if len(pages) >= wanted:
            break
    random.shuffle(pages)
    return pages


def stored_pages(folders: list[Path], most: int | None, per_site: int | None) -> list[tuple[str, Path]]:
    """Return the addresses and files of the sites' pages, in a pseudorandom order."""
    random = Random(14)
    sites = sorted(sites_in(folders))
    random.shuffle(sites)
    stored: list[tuple[str, Path]] = []
    for folder in sites:
        own = site_pages(folder)
        stored += own if per_site is None else random.sample(own, min(per_site, len(own)))
        if most is not None and len(stored) >= most:
            break
    stored = stored[:most]
    random.shuffle(stored)
    return stored


def site_pages(folder: Path) -> list[tuple[str, Path]]:
    """Return the addresses and files of a site's pages, sorted by name."""
    return list(pages_by_address(StoredSite(folder)).items())


def renamed(url: str, copy: int) -> str:
    """Return an address on the host of a copy of the site; the first copy is the site itself."""
    return url.replace(f"://{host(url)}", f"://copy{copy}.{host(url).removeprefix('www.')}", 1) if copy else url


def record(url: str, html: bytes) -> bytes:
    """Return a WARC response record."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(html) + html
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-22T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{uuid5(NAMESPACE_URL, url)}>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


if __name__ == "__main__":
    sys.exit(main())
