"""The pages that a command line names: addresses, files, standard input or a stored site."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sitestencil.errors import SitestencilError, WrongUsage

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class NamedPage:
    """A page that the command line names.

    Attributes:
        name: the name shown to people.
        page: the library's argument: an address, HTML, or a stored site's folder.
        url: the address of the HTML.
    """

    name: str
    page: str | bytes | Path
    url: str | None = None


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the pages, ``--url`` and ``--site``."""
    parser.add_argument(
        "pages",
        nargs="*",
        metavar="PAGE",
        help="address of a page; with --url, a file of HTML, or - for HTML from standard input",
    )
    parser.add_argument("--url", metavar="URL", help="original address of the HTML in a file or on standard input")
    parser.add_argument(
        "--site", type=Path, metavar="DIR", help="a stored site: a folder with site.json and pages/"
    )


def named_pages(names: Sequence[str], url: str | None, site: Path | None) -> list[NamedPage]:
    """Return the pages that a command line names.

    Raises:
        WrongUsage: there are none, HTML has no address, or an address has no HTML.
        InvalidAddress: a name is neither a file nor a web address.
        SitestencilError: a file cannot be read.
    """
    if site is not None:
        if names or url is not None:
            raise WrongUsage("--site names the page: leave out the other pages and --url.")
        return [NamedPage(str(site), site)]
    if not names:
        raise WrongUsage("Name a page: its address, a file of HTML, - for standard input, or --site DIR.")
    pages = [_named_page(name, url) for name in names]
    if url is not None and (len(pages) > 1 or pages[0].url is None):
        raise WrongUsage("--url gives the address of one page's HTML: name one file, or - for standard input.")
    return pages


def _named_page(name: str, url: str | None) -> NamedPage:
    from sitestencil.urls import page_address

    is_html = name == STANDARD_INPUT or ("://" not in name and Path(name).is_file())
    if not is_html:
        address = page_address(name)
        return NamedPage(address, address)
    if url is None:
        raise WrongUsage(f"{_title(name)} is HTML: give its original address with --url.")
    return NamedPage(_title(name), _read(name), page_address(url))


def _read(name: str) -> bytes:
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise SitestencilError(f"{name} cannot be read: {error.strerror}.") from None


def _title(name: str) -> str:
    return "standard input" if name == STANDARD_INPUT else name
