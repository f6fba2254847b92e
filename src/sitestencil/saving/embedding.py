"""Embed style sheets, images, fonts and short films into a page, so that it opens offline.

A missing file keeps its address. Every embedded file follows the page's own rules: style sheets pass through
`safe_css`; other files must have the bytes of an image, font, sound or film.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial

from sitestencil.outputs.files import File, Kind, NeededFile, data_url
from sitestencil.outputs.safe_addresses import Base, Growth
from sitestencil.outputs.safe_css import safe_css
from sitestencil.outputs.secrets import without_tokens
from sitestencil.outputs.sprites import embed_sprites, sprites_wanted
from sitestencil.outputs.tree import Element, PageTree, elements
from sitestencil.saving.style_matching import Elements, Steps
from sitestencil.saving.style_sheets import Find, drawn_addresses, joined_css, sheet_text
from sitestencil.saving.tidy import remove_leftovers, tidy
from sitestencil.saving.used_styles import used_styles

_IMAGE_ATTRIBUTES = {
    "img": "src",
    "input": "src",
    "video": "poster",
    "body": "background",
    "table": "background",
    "td": "background",
    "th": "background",
    "tr": "background",
    "image": "href",
    "feImage": "href",
}
_SOUND_AND_FILM = frozenset({"audio", "video", "source"})
_ICONS = frozenset({"icon", "apple-touch-icon", "shortcut"})
# Attributes of a link or ``style`` that stay valid for its rules anywhere.
OF_SHEETS = frozenset({"media", "id", "title"})
# Three times what is loaded of files: no honest page repeats them as often.
MOST_PACKED_BYTES = 100_000_000
_PAINTS = ("style", "fill", "stroke", "filter", "mask", "clip-path")


def wanted_sheets(page: PageTree, files: Mapping[str, File]) -> Iterator[NeededFile]:
    """Yield the style sheets that a page's tree and the files so far name, and that are not among the files."""
    missing: dict[str, None] = {}

    def find(address: str) -> File | None:
        if address not in files:
            missing[address] = None
        return files.get(address)

    _sheets_in(page, find, InOneFile())
    return (NeededFile(address, "sheet") for address in missing)


def wanted_pictures(page: PageTree, kept: Elements | None, files: Mapping[str, File]) -> Iterator[NeededFile]:
    """Yield the images, fonts, sounds and films that a page's tree and the rules that stay need.

    Args:
        page: the tree; its addresses are absolute already.
        kept: as for `embed_files`.
        files: the style sheets, by address.
    """
    sheets, are_all = _sheets_in(page, files.get, InOneFile())
    styles = _used(page, sheets, kept, are_all=are_all)
    styles += [element.attributes.get(name, "") for element in elements(page.html) for name in _PAINTS]
    for css in styles:
        for address in drawn_addresses(css):
            yield NeededFile(address, "picture")
    for address in sprites_wanted(page):
        yield NeededFile(address, "picture")
    for element in elements(page.html):
        if (image := _image_address(element) or "").startswith("http"):
            yield NeededFile(image, "picture")
        if (film := _sound_or_film_address(element)) is not None:
            yield NeededFile(film, "media")


class Packing(ABC):
    """Choose where a page's files go, and count their bytes: a page may name one as often as it likes.

    Attributes:
        growth: limits the addresses in the style sheets.
        steps: limits the judging of their rules.
        styles: the characters of the rules that stay, and of all, so far.
        missing: the addresses of what is neither in the file nor linked.
    """

    def __init__(self) -> None:
        self.styles = (0, 0)
        self.missing: list[str] = []
        self.growth = Growth()
        self.steps = Steps()
        self._left = MOST_PACKED_BYTES

    def takes(self, size: int) -> bool:
        """Take room for further bytes; return whether there was enough."""
        fits = size <= self._left
        self._left -= size if fits else 0
        return fits

    @abstractmethod
    def address(self, file: File, kind: Kind, *, in_sheet: bool = False) -> str | None:
        """Return the reference to a file of a kind from the page or a style sheet; None for anything else."""

    @abstractmethod
    def put_sheet(self, element: Element, css: str) -> None:
        """Turn a ``link`` or a ``style`` into an element with these rules."""


class InOneFile(Packing):
    """Everything within the page itself."""

    def address(self, file: File, kind: Kind, *, in_sheet: bool = False) -> str | None:
        """Return a file as a ``data:`` URL."""
        return data_url(file.content, kind)

    def put_sheet(self, element: Element, css: str) -> None:
        """Turn the element into a ``style``."""
        element.name = "style"
        element.attributes = {name: value for name, value in element.attributes.items() if name in OF_SHEETS}
        element.set_children([css])


def embed_files(
    page: PageTree, base: str, files: Mapping[str, File], packing: Packing, kept: Elements | None
) -> None:
    """Replace addresses in a page's tree by files, leave out rules that match nothing, and tidy the tree.

    Args:
        page: the tree to change.
        base: the base address of the page's own rules.
        files: the files by address; a missing file keeps its address.
        packing: chooses where the files go.
        kept: the elements, beside those of the page, whose rules stay; None for all rules.
    """

    @cache
    def packed(reference: str, *, in_sheet: bool) -> str | None:
        plain, _, view = reference.partition("#")
        file = files.get(reference) or files.get(plain)
        address = packing.address(file, "picture", in_sheet=in_sheet) if file is not None else None
        return f"{address}#{view}" if address and view else address

    @cache
    def film(reference: str) -> str | None:
        return packing.address(files[reference], "media")

    def taken(written: str | None) -> str | None:
        return written if written is not None and packing.takes(len(written)) else None

    def address(reference: str, *, in_sheet: bool) -> str:
        return taken(packed(reference, in_sheet=in_sheet)) or (without_tokens(reference) if in_sheet else reference)

    in_page, in_sheet = partial(address, in_sheet=False), partial(address, in_sheet=True)
    packing.missing += embed_sprites(page, files, packing.takes)
    sheets, are_all = _sheets_in(page, files.get, packing)
    used = _used(page, sheets, kept, are_all=are_all)
    packing.styles = packing.styles[0] + sum(map(len, used)), packing.styles[1] + sum(len(css) for _, css in sheets)
    for (element, _), css in zip(sheets, used, strict=True):
        if css.strip():
            packing.put_sheet(element, safe_css(css, base, in_sheet))
        else:
            element.name, element.attributes, element.children = "style", {}, []
    page.head.set_children([node for node in page.head.children if not _is_empty_sheet(node)])
    for element in elements(page.html):
        if (reference := _image_address(element)) is not None and (image := in_page(reference)) != reference:
            _put_image(element, image)
        if (reference := _sound_or_film_address(element)) is not None and reference in files:
            element.attributes["src"] = taken(film(reference)) or reference
        for name in _PAINTS:
            if "(" in element.attributes.get(name, ""):
                element.attributes[name] = safe_css(element.attributes[name], base, in_page)
    _drop_other_sources(page)
    remove_leftovers(page, used, are_all=are_all)
    tidy(page, used, Elements(packing.steps).add(page.html) if kept is None else kept, are_all=are_all)


def _sheets_in(page: PageTree, find: Find, packing: Packing) -> tuple[list[tuple[Element, str]], bool]:
    """Return the elements of the known style sheets with their rules, and whether the page has no others."""
    new_base = partial(Base, growth=packing.growth)
    found: list[tuple[Element, str]] = []
    are_all = True
    for element in elements(page.html):
        if element.name == "style":
            found.append((element, joined_css(style_text(element), new_base(""), find, packing.takes)))
        elif _is_sheet(element):
            sheet = find(element.attributes["href"])
            if sheet is not None and packing.takes(len(sheet.content)):
                found.append((element, joined_css(sheet_text(sheet), new_base(sheet.url), find, packing.takes)))
            else:
                are_all = False
    return found, are_all and not any("@import" in css.lower() for _, css in found)


def _used(
    page: PageTree, sheets: Sequence[tuple[Element, str]], kept: Elements | None, *, are_all: bool
) -> list[str]:
    """Return the rules of sheets that stay."""
    texts = [css for _, css in sheets]
    return texts if kept is None else used_styles(texts, kept.add(page.html), are_all=are_all)


def _is_empty_sheet(node: Element | str) -> bool:
    return isinstance(node, Element) and node.name == "style" and not node.children


def style_text(style: Element) -> str:
    """Return the rules of a ``style`` element."""
    return "".join(child for child in style.children if isinstance(child, str))


def _is_sheet(element: Element) -> bool:
    if element.name != "link" or "href" not in element.attributes or "disabled" in element.attributes:
        return False
    relations = element.attributes.get("rel", "").lower().split()
    return "stylesheet" in relations and "alternate" not in relations


def _image_address(element: Element) -> str | None:
    if element.name == "link" and _ICONS & set(element.attributes.get("rel", "").lower().split()):
        return element.attributes.get("href")
    if element.name == "img" and "src" not in element.attributes and "srcset" in element.attributes:
        return element.attributes["srcset"].split(" ")[0].removesuffix(",")
    name = _IMAGE_ATTRIBUTES.get(element.name)
    return None if name is None else element.attributes.get(name, element.attributes.get(f"xlink:{name}"))


def _sound_or_film_address(element: Element) -> str | None:
    address = element.attributes.get("src", "") if element.name in _SOUND_AND_FILM else ""
    return address if address.startswith("http") else None


def _put_image(element: Element, address: str) -> None:
    name = "href" if element.name == "link" else _IMAGE_ATTRIBUTES[element.name]
    element.attributes.pop(f"xlink:{name}", None)
    element.attributes[name] = address
    if element.name == "img":
        for other in ("srcset", "sizes", "loading"):
            element.attributes.pop(other, None)


def _drop_other_sources(page: PageTree) -> None:
    """Remove the alternatives of a ``picture`` whose image is embedded."""
    for element in elements(page.body):
        if element.name == "picture":
            images = [child for child in element.children if isinstance(child, Element) and child.name == "img"]
            if any("srcset" not in image.attributes for image in images):
                kept = (c for c in element.children if isinstance(c, str) or c.name != "source")
                element.set_children(list(kept))
