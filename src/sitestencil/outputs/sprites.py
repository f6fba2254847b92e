"""Put the symbols of other SVG files into a page's tree: a browser draws no file's symbol from a saved page."""

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial
from itertools import count

from sitestencil.errors import SitestencilError
from sitestencil.outputs.allowed_tree import Choice, allowed_page
from sitestencil.outputs.files import SVG, File, media_type
from sitestencil.outputs.tree import Element, PageTree, elements, paths
from sitestencil.page.parsing import parse

_REFERENCE = re.compile(r"url\(\"#([^\"]*)\"\)")
_MOST_ROUNDS = 5
_COST = 20  # a tree takes so many times the bytes of its file
_LINKS = ("href", "xlink:href")

Uses = dict[str, list[tuple[Element, Element]]]


def sprites_wanted(page: PageTree) -> Mapping[str, Uses]:
    """Return the ``use`` elements that show a part of another file, each with its parent; those of content last.

    They are by the file's address and the part's name.
    """
    found: dict[str, Uses] = {}
    uses = [(path[-1], path[-2]) for path in paths(page.html) if path[-1].name == "use"] if page.has_uses else []
    for use, parent in sorted(uses, key=lambda pair: pair[0].is_content):
        address, _, name = _target(use).partition("#")
        if address:
            found.setdefault(address, {}).setdefault(name, []).append((use, parent))
    return found


def embed_sprites(page: PageTree, files: Mapping[str, File], takes: Callable[[int], bool]) -> list[str]:
    """Put the parts that a page shows of loaded files into it, and drop the links to others.

    Args:
        page: the tree to change.
        files: the files by address.
        takes: whether there is room for so many characters.

    Returns:
        The addresses of the dropped links.
    """
    wanted = sprites_wanted(page)
    taken = {element.attributes.get("id", "") for element in elements(page.html)} if wanted else set()
    free = (name for number in count(1) if (name := f"sprite-{number}") not in taken)
    missing: list[str] = []
    for address, uses in wanted.items():
        file = files.get(address)
        parts = _parts(file, uses) if file is not None and takes(_COST * len(file.content)) else []
        ids = dict.fromkeys(one.attributes["id"] for one in elements(*parts) if one.attributes.get("id"))
        # What a part names in vain gets a free name, too: the page may have an element of that name.
        names: dict[str, str] = defaultdict(partial(next, free), {name: next(free) for name in ids})
        for element in elements(*parts):
            element.attributes = {key: _renamed(key, value, names) for key, value in element.attributes.items()}
        for name, pairs in uses.items():
            for use, parent in pairs:
                use.attributes = {key: value for key, value in use.attributes.items() if key not in _LINKS}
                if name in ids:
                    use.attributes["href"] = f"#{names[name]}"
                    if parts:
                        parent.children.append(Element("defs", "svg", {}, list(parts), is_content=use.is_content))
                        parts = []
            if name not in ids:
                missing.append(f"{address}#{name}")
    return missing


def _target(use: Element) -> str:
    return next((use.attributes[name] for name in _LINKS if name in use.attributes), "")


def _parts(file: File, wanted: Iterable[str]) -> list[Element]:
    """Return the outermost elements of an SVG file that have these names, or that these refer to."""
    if media_type(file.content) != SVG:
        return []
    try:
        document = parse(file.content, file.url, scripting=True, charset=file.charset)
        choice = Choice(
            keep=[True] * len(document),
            text=lambda number: document.texts[number].text,
            attributes=document.attributes.__getitem__,
            in_head=lambda _name, _attributes: False,
        )
        body = allowed_page(document, 0, choice).body
    except SitestencilError:
        return []
    names = set(wanted)
    parts: list[Element] = []
    for _ in range(_MOST_ROUNDS):
        parts = _outermost(body, names)
        pairs = (pair for element in elements(*parts) for pair in element.attributes.items())
        more = {name for key, value in pairs for name in _references(key, value)}
        if more <= names:
            break
        names |= more
    return parts


def _outermost(root: Element, names: Container[str]) -> list[Element]:
    found: list[Element] = []
    pending = [root]
    while pending:
        element = pending.pop()
        if element.namespace == "svg" and element.attributes.get("id") in names:
            found.append(element)
        else:
            pending += reversed([child for child in element.children if isinstance(child, Element)])
    return found


def _references(key: str, value: str) -> list[str]:
    return [value[1:]] if key in _LINKS and value.startswith("#") else _REFERENCE.findall(value)


def _renamed(key: str, value: str, names: Mapping[str, str]) -> str:
    if key == "id":
        return names[value] if value else value
    if key in _LINKS and value.startswith("#"):
        return f"#{names[value[1:]]}"
    return _REFERENCE.sub(lambda found: f'url("#{names[found[1]]}")', value)
