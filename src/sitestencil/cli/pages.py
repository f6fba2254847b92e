"""The pages that a command line names: addresses, files, standard input, a stored site."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sitestencil.errors import SitestencilError, WrongUsage

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class NamedPage:
    """A page as the command line names it.

    Attributes:
        name: of it, for people.
        page: what the library takes for it: an address, HTML, or the folder of a stored site.
        url: the address of HTML.
    """

    name: str
    page: str | bytes | Path
    url: str | None = None


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the pages that a command is about, ``--url`` and ``--site``."""
    parser.add_argument(
        "pages",
        nargs="*",
        metavar="PAGE",
        help="address of a page; or, with --url, a file of HTML, or - for HTML from standard input",
    )
    parser.add_argument(
        "--url", metavar="URL", help="address that the HTML of a file or of standard input came from"
    )
    parser.add_argument(
        "--site", type=Path, metavar="DIR", help="a stored site: a folder with site.json and pages/"
    )


def named_pages(names: Sequence[str], url: str | None, site: Path | None) -> list[NamedPage]:
    """Return the pages that a command line names.

    Raises:
        WrongUsage: there are none, or HTML has no address, or an address no HTML.
        InvalidAddress: a name is neither a file nor a web address.
        SitestencilError: a file cannot be read.
    """
    if site is not None:
        if names or url is not None:
            raise WrongUsage("--site names the page: leave the other pages and --url out.")
        return [NamedPage(str(site), site)]
    if not names:
        raise WrongUsage("Name a page: its address, a file of HTML, - for standard input, or --site DIR.")
    pages = [_named_page(name, url) for name in names]
    if url is not None and (len(pages) > 1 or pages[0].url is None):
        raise WrongUsage("--url is the address of one page's HTML: name one file, or - for standard input.")
    return pages


def _named_page(name: str, url: str | None) -> NamedPage:
    from sitestencil.urls import page_address

    is_html = name == STANDARD_INPUT or ("://" not in name and Path(name).is_file())
    if not is_html:
        address = page_address(name)
        return NamedPage(address, address)
    if url is None:
        raise WrongUsage(f"{_title(name)} is HTML: say the address that it came from with --url.")
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
