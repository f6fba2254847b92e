"""The pages that a command line names: addresses, files, standard input or a stored site."""

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sitestencil.errors import NothingFound, SitestencilError, WrongUsage
from sitestencil.page.encoding import may_be_html

STANDARD_INPUT = "-"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_ADDRESS_WITHOUT_SCHEME = re.compile(r"(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?(?:[/?#].*)?")
_FILES = (".html", ".htm", ".xhtml")


@dataclass(frozen=True, slots=True)
class NamedPage:
    """A page that the command line names.

    Attributes:
        name: the name shown to people.
        page: the library's argument: an address, HTML, or a stored site's folder.
        url: the address of the HTML; empty if it is unknown.
    """

    name: str
    page: str | bytes | Path
    url: str | None = None

    @property
    def is_without_address(self) -> bool:
        """Whether it is HTML whose address is unknown."""
        return self.url == ""


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the pages, ``--url`` and ``--site``."""
    parser.add_argument(
        "pages",
        nargs="*",
        metavar="PAGE",
        help="address of a page, a file of HTML, or - for HTML from standard input",
    )
    parser.add_argument(
        "--url",
        metavar="URL",
        help="the address that the HTML in the file or on standard input came from. Without it the page is judged "
        "alone, and its links stay as they are",
    )
    parser.add_argument(
        "--site", type=Path, metavar="DIR", help="a stored site: a folder with site.json and pages/"
    )


def named_pages(names: Sequence[str], url: str | None, site: Path | None) -> list[NamedPage]:
    """Return the pages that a command line names.

    Raises:
        WrongUsage: there are none, or an address has no HTML.
        InvalidAddress: an address is not an http or https URL.
        SitestencilError: a file does not exist, or cannot be read.
    """
    if site is not None:
        if names or url is not None:
            raise WrongUsage("--site already names the page: leave out the other pages and --url.")
        return [NamedPage(str(site), site)]
    if not all(names or [""]):
        raise WrongUsage("Name a page: an address, a file of HTML, - for standard input, or --site DIR.")
    if list(names).count(STANDARD_INPUT) > 1:
        raise WrongUsage("Standard input can be read only once: name - once.")
    pages = [_named_page(name, url) for name in names]
    if url is not None and (len(pages) > 1 or pages[0].url is None):
        raise WrongUsage("--url is the address of one page's HTML: name one file, or - for standard input.")
    return pages


def no_file(name: str) -> SitestencilError:
    """Return the error for a name that is neither a file nor an address."""
    address = _ADDRESS_WITHOUT_SCHEME.fullmatch(name)
    remedy = f" For a page on the web, write https://{name}" if address and not name.endswith(_FILES) else ""
    return SitestencilError(f"{name}: no such file.{remedy}")


def is_address(name: str) -> bool:
    """Return whether a name is an address, and not that of a file."""
    return _SCHEME.match(name) is not None


def _named_page(name: str, url: str | None) -> NamedPage:
    from sitestencil.urls import page_address

    if is_address(name):
        address = page_address(name)
        return NamedPage(address, address)
    return NamedPage(_title(name), read_page(name), "" if url is None else page_address(url))


def read_page(name: str) -> bytes:
    """Return the HTML in a file or on standard input.

    Raises:
        WrongUsage: standard input is closed, or the name is that of a folder.
        NothingFound: it is no HTML.
        SitestencilError: the file does not exist, or cannot be read.
    """
    if name == STANDARD_INPUT and sys.stdin is None:
        raise WrongUsage("Standard input is closed.")
    try:
        data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
    except FileNotFoundError:
        raise no_file(name) from None
    except IsADirectoryError:
        raise WrongUsage(f"{name} is a folder. If it is a stored site, write --site {name}") from None
    except (OSError, ValueError) as error:
        raise SitestencilError(f"{_title(name)} cannot be read: {getattr(error, 'strerror', error)}.") from None
    if data.strip() and not may_be_html(data):
        raise NothingFound(f"{_title(name)} is not HTML.")
    return data


def _title(name: str) -> str:
    return "standard input" if name == STANDARD_INPUT else name
