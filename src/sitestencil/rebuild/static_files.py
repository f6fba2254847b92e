"""The style sheets, pictures and fonts of a site, those that are at hand, at paths that resolve."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from posixpath import dirname, relpath
from urllib.parse import quote, unquote, urlsplit

from sitestencil.outputs.files import media_type
from sitestencil.outputs.safe_css import safe_css
from sitestencil.page.encoding import decode
from sitestencil.site.event_loop import run
from sitestencil.site.loading import passing_over
from sitestencil.site.sources.http import FileSource
from sitestencil.whole_site.gathering import file_of, free_name

_MOST_BYTES, _MOST_FILE, _MOST_LOADED = 200_000_000, 20_000_000, 500
_MOST_SHEET = 4_000_000
ReadFile = Callable[[str], bytes | None]  # a file's bytes by its address


class StaticFiles:
    """Takes files as they are asked for, by their addresses.

    Args:
        read: returns the bytes of a file, None if it is not at hand.

    Attributes:
        contents: the files by path below ``static/``.
        missing: the addresses of files that pages load and the project lacks, with the reason.
    """

    def __init__(self, read: ReadFile) -> None:
        self._read = read
        self._paths: dict[str, str | None] = {}
        self._taken: set[str] = set()
        self._bytes = 0
        self.contents: dict[str, bytes] = {}
        self.missing: dict[str, str] = {}

    def path(self, url: str) -> str | None:
        """Return the path of a file, which is taken if it is new; None for one that is missing, or no file."""
        url = url.partition("#")[0]
        if url not in self._paths and url.startswith(("http://", "https://")):
            self._paths[url] = None  # a sheet may name itself
            self._paths[url] = self._take(url)
        return self._paths.get(url)

    def _take(self, url: str) -> str | None:
        content = self._read(url)
        if content is None:
            self.missing[url] = "not at hand"
            return None
        self._bytes += len(content)
        is_sheet = ".css" in urlsplit(url).path.lower()
        if self._bytes > _MOST_BYTES or (is_sheet and len(content) > _MOST_SHEET):
            self.missing[url] = "too large"
            return None
        if not is_sheet and media_type(content) is None and media_type(content, "media") is None:
            self.missing[url] = "no picture, font, film or sound"
            return None
        parts = urlsplit(url)
        name = unquote(parts.path).rpartition("/")[2].rpartition(".")
        end = ".css" if is_sheet else f".{name[2]}" if name[1] and name[2].isalnum() else ""
        stem = file_of(url.partition("?")[0]).removesuffix(end) or "file"
        path = f"static/{free_name(f'{stem}{end}', url, self._taken)}"
        self.contents[path] = self._sheet(decode(content), url, path) if is_sheet else content
        return path

    def _sheet(self, css: str, url: str, path: str) -> bytes:
        def written(address: str) -> str:
            found, (_, mark, part) = self.path(address), address.partition("#")
            return address if found is None else f"{quote(relpath(found, dirname(path)))}{mark}{part}"

        return safe_css(css, url, written).encode("utf-8", "replace")


class LocalFiles:
    """Finds a site's files in a folder: of a stored site, or as wget names them.

    Args:
        folder: the folder that the pages came from.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def read(self, url: str) -> bytes | None:
        """Return the bytes of a file; None if the folder has none of this address."""
        parts = urlsplit(url)
        path, hosts = unquote(parts.path).lstrip("/"), (parts.netloc, parts.netloc.removeprefix("www."))
        names = [f"{path}{mark}{parts.query}{end}" for mark in "?@" for end in ("", ".css") if parts.query] + [path]
        for place in (self._folder / "pages", *(self._folder / host for host in hosts), self._folder):
            for name in names:
                with suppress(OSError, ValueError):
                    file = (place / name).resolve()
                    if file.is_relative_to(self._folder) and file.is_file() and file.stat().st_size <= _MOST_FILE:
                        return file.read_bytes()
        return None


class WebFiles:
    """Loads a site's files, as many as a saved template may have for each page of a kind.

    Args:
        url: the site's address.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._left = _MOST_LOADED

    def read(self, url: str) -> bytes | None:
        """Return the bytes of a file; None if it cannot be loaded, or too many are."""
        self._left -= 1
        if self._left < 0:
            return None
        with passing_over(url):
            return run(self._load(url))
        return None

    async def _load(self, url: str) -> bytes:
        async with FileSource(self._url) as source:
            page = await source.load_file(url, is_sheet=".css" in urlsplit(url).path)
        assert isinstance(page.content, bytes)
        return page.content
