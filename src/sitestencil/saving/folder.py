"""Write a page as a folder: the HTML or the Jinja2 layout, its style sheets and their files."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from secrets import token_hex
from urllib.parse import unquote, urlsplit

from sitestencil.outputs.files import File, Kind, ending, media_type
from sitestencil.outputs.judged_page import Choices, JudgedPage
from sitestencil.outputs.tree import Element
from sitestencil.saving.embedding import OF_SHEETS, Packing
from sitestencil.saving.jinja_layout import jinja_layout
from sitestencil.saving.standalone_html import template_html

PAGE = "index.html"
LAYOUT = "layout.html"
_OTHER = re.compile(r"[^A-Za-z0-9]+")
_LONGEST_NAME = 40


def folder_of(page: JudgedPage, choices: Choices, files: Mapping[str, File]) -> Mapping[str, bytes]:
    """Return a page's template as the files of a folder, by path.

    Args:
        page: the page.
        choices: the options of the output.
        files: the page's files by address.

    Raises:
        CannotBeSaved: no HTML gives the same page again.
    """
    folder = InFolder()
    html = template_html(page, choices, files, folder)
    return {PAGE: html.encode("utf-8", "replace"), **folder.contents}


def jinja_folder_of(page: JudgedPage, choices: Choices, files: Mapping[str, File]) -> Mapping[str, bytes]:
    """Return a page's Jinja2 layout with its style sheets and images beside it, by path; see `folder_of`.

    The layout writes the variable ``assets`` before each path: the address of the folder, if it is another one.
    """
    assets = f"{token_hex(16)}/"  # a text that no page can know
    folder = InFolder(beside=assets)
    layout = jinja_layout(page, choices, files, folder).replace(assets, "{{ assets | default('') }}")
    return {LAYOUT: layout.encode("utf-8", "replace"), **folder.contents}


class InFolder(Packing):
    """Style sheets in ``css``, images, fonts, sound and film in ``files``, by names of plain characters.

    Args:
        beside: what the page writes before each path.

    Attributes:
        contents: the folder's files by path.
    """

    def __init__(self, beside: str = "") -> None:
        super().__init__()
        self._beside = beside
        self.contents: dict[str, bytes] = {}
        self._paths: dict[str, str] = {}
        self._numbers: dict[str, int] = {}

    def address(self, file: File, kind: Kind, *, in_sheet: bool = False) -> str | None:
        """Put a file into the folder once; return its path."""
        name = media_type(file.content, kind)
        if name is None:
            return None
        if file.url not in self._paths:
            stem = PurePosixPath(unquote(urlsplit(file.url).path)).stem
            path = self._free(f"files/{_plain(stem) or 'file'}", ending(name))
            self._paths[file.url] = path
            self.contents[path] = file.content
        path = self._paths[file.url]
        return f"../{path}" if in_sheet else f"{self._beside}{path}"

    def put_sheet(self, element: Element, css: str) -> None:
        """Put rules into a file of their own, and turn the element into a link to it."""
        name = PurePosixPath(unquote(urlsplit(element.attributes.get("href", "")).path)).stem
        name = _plain(name or element.attributes.get("id", "")) or "style"
        path = self._free(f"css/{name}", ".css")
        self.contents[path] = f'@charset "utf-8";\n{css}'.encode("utf-8", "replace")
        element.name, element.children = "link", []
        kept = {name: value for name, value in element.attributes.items() if name in OF_SHEETS}
        element.attributes = {"rel": "stylesheet", "href": f"{self._beside}{path}", **kept}

    def _free(self, path: str, end: str) -> str:
        """Return a path that no file has; each number is tried once."""
        first = name = f"{path}{end}"
        while name in self.contents:
            self._numbers[first] = self._numbers.get(first, 1) + 1
            name = f"{path}-{self._numbers[first]}{end}"
        return name


def _plain(name: str) -> str:
    return _OTHER.sub("-", name)[:_LONGEST_NAME].strip("-").lower()
