"""The pages of a folder or of a stored site, by the names of their files."""

from pathlib import Path

from sitestencil.site.sources.stored import StoredSite

_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ".jsp"})


def page_files(folder: Path) -> list[Path]:
    """Return the pages below a folder, sorted; a file without a suffix is a page if it begins with a tag."""
    return sorted(file for file in folder.rglob("*") if file.is_file() and _is_page(file))


def pages_by_address(site: StoredSite) -> dict[str, Path]:
    """Return the files of a stored site's pages by their addresses, sorted by file."""
    return {site.url_of(file.relative_to(site.pages).as_posix()): file for file in page_files(site.pages)}


def _is_page(file: Path) -> bool:
    if file.suffix:
        return file.suffix.lower() in _SUFFIXES
    with file.open("rb") as start:
        return start.read(512).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
