"""A sketch of a page holds only what a comparison needs.

It numbers only the compared elements. Scripts, styles and other unseen elements are left out; they go with their
parent. The hash of a subtree tells whether it occurs elsewhere.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from xxhash import xxh3_64_digest, xxh3_64_intdigest

from sitestencil.page.document import LABEL_ELEMENTS, LinkLabel

NOT_COMPARED = frozenset("head script style noscript template link meta title base".split())
TEXT_SEPARATOR = "\0"  # no parsed text holds it
NONE = -1
HASH_BYTES = 8
# Attributes that stand for a text, and attributes with links, by tag.
ALT_ATTRIBUTES = {"img": ("alt",), "input": ("placeholder", "value")}
LINKING = {"a": "href", "area": "href", "frame": "src"}

Identity = tuple[str, str]
AltTexts = Mapping[int, str]

# Of an element with more classes than this, the first part of each name counts: its tags and categories are many.
# Set by hand on 34 labelled pages.
_MOST_CLASSES = 7
_WHITE = bytes(range(33))  # in UTF-8 all are single bytes
# With neither class nor id, the kinds of this many children identify an element. Set by hand.
_TELLING_CHILDREN = 8
_PLACE_IN_MENU = re.compile(
    r"(^|[-_])(active|current|selected|open|opened|toggled|here|show|expanded|collapsed|in)([-_]|$)", re.IGNORECASE
)
# A hash is a number, too: of the digits of base 16, no word has twelve in a row.
_DIGITS = re.compile(r"[0-9A-Fa-f]{12,}|\d+")
LONGEST_CLASSES = 4_096  # the cache holds as many of them


def kind_of(tag: str, attributes: Mapping[str, str | None]) -> str:
    """Return the tag and the sorted classes; the tag alone for ``body``, whose classes name the page."""
    classes = attributes.get("class")
    return kind_of_classes(tag, classes[:LONGEST_CLASSES]) if classes and tag != "body" else tag


@lru_cache(4096)
def kind_of_classes(tag: str, classes: str) -> str:
    """Return the kind of an element but ``body``, by at most `LONGEST_CLASSES` characters of its classes."""
    names = list(filter(None, map(_kind_of_class, classes.split())))
    if len(names) > _MOST_CLASSES:
        names = list({name.partition("-")[0] for name in names})
    return f"{tag}.{' '.join(sorted(names))}"


@lru_cache(4096)
def _kind_of_class(name: str) -> str:
    return "" if _PLACE_IN_MENU.search(name) else without_numbers(name)


def without_numbers(name: str) -> str:
    """Return a name with every number replaced by 0."""
    return _DIGITS.sub("0", name)


def names_of_one_page(page: "Sketch", others: Iterable["Sketch"]) -> list[str]:
    """Return the ids and classes of a page that no other page has; numbers in classes count as equal.

    The names of ``html`` and ``body`` do not count.
    """
    elsewhere: set[str | None] = {""}
    for other in others:
        elements = range(len(other))
        elsewhere.update(other.ids[element] for element in elements)
        elsewhere.update(name for element in elements for name in other.kinds[element].partition(".")[2].split(" "))
    names: dict[str, None] = {}
    for element in range(len(page)):
        attributes = page.attributes(element) if page.tags[element] not in ("html", "body") else {}
        names |= dict.fromkeys(name for name in [attributes.get("id")] if name and name not in elsewhere)
        for name in (attributes.get("class") or "")[:LONGEST_CLASSES].split():
            kind = _kind_of_class(name)
            if elsewhere.isdisjoint((kind, kind.partition("-")[0])):
                names[name] = None
    return list(names)


class Sketch:
    """The compared parts of a page; columns over the compared elements, in document order.

    Attributes:
        url: the page's own address.
        base: the address against which its links resolve.
        tags: local names.
        parents: the number of the parent element; -1 for the root, element 0.
        own_texts: each element's own texts, stripped and joined by `TEXT_SEPARATOR`.
        ends: one past each element's subtree.
        hashes: the hash of each subtree, 8 bytes: tags, texts, and texts that stand for pictures and fields.
        ids: the id of each element; None or empty without one.
        kinds: the kind of each element; the tag alone for ``html`` and ``body``, whose classes name the page.
        text_marks: a true value for each element with own texts.
    """

    url: str
    base: str
    tags: Sequence[str]
    parents: Sequence[int]
    own_texts: Sequence[str]
    text_marks: Sequence[object]
    ends: list[int]
    hashes: list[bytes]
    kinds: Mapping[int, str] | Sequence[str]
    ids: Mapping[int, str | None] | Sequence[str | None]

    def __init__(
        self,
        url: str,
        base: str,
        tags: Sequence[str],
        parents: Sequence[int],
        own_texts: Sequence[str],
        alt_texts: AltTexts,
    ) -> None:
        self.url = url
        self.base = base
        self.tags = tags
        self.parents = parents
        self.own_texts = self.text_marks = own_texts
        self.ends, self.hashes = _ends_and_hashes(tags, parents, own_texts, alt_texts)

    def __len__(self) -> int:
        """Return the number of compared elements."""
        return len(self.tags)

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return an element's attributes."""
        raise NotImplementedError

    @cached_property
    def children(self) -> "_Children":
        """The child elements of each element."""
        return _Children(self.ends)

    @cached_property
    def children_by_kind(self) -> "_ChildrenByKind":
        """The child elements of each element, by kind."""
        return _ChildrenByKind(self.children, self.kinds)

    @cached_property
    def names(self) -> "_Names":
        """Each element's name: its id, its classes, or the kinds of its first children."""
        return _Names(self)

    @cached_property
    def goes_with(self) -> Sequence[int]:
        """Per element of the document, the element of the sketch whose answer it takes.

        That is its own number if it is compared, otherwise the number of its nearest compared ancestor; -1 if there
        is none.
        """
        raise NotImplementedError

    @cached_property
    def document_elements(self) -> Sequence[int]:
        """Per element of the sketch, its number in the whole document."""
        elements: list[int] = []
        for element, compared in enumerate(self.goes_with):
            if compared == len(elements):
                elements.append(element)
        return elements

    @cached_property
    def class_paths(self) -> list[int]:
        """Per element, a number for the kinds on the path to it."""
        numbers: dict[tuple[int, str], int] = {}
        paths: list[int] = []
        for parent, kind in zip(self.parents, map(self.kinds.__getitem__, range(len(self))), strict=True):
            paths.append(numbers.setdefault((paths[parent] if parent >= 0 else NONE, kind), len(numbers)))
        return paths

    @cached_property
    def class_path_count(self) -> int:
        """The number of different class paths."""
        return max(self.class_paths, default=NONE) + 1

    @cached_property
    def shadow_hosts(self) -> frozenset[str]:
        """The tags of the elements whose open shadow trees are compared."""
        pairs = zip(self.tags, self.parents, strict=True)
        return frozenset(self.tags[parent] for tag, parent in pairs if tag == "template")

    @property
    def body(self) -> int:
        """The number of the body in the document; without a body, the number of all elements."""
        for element, tag in enumerate(self.tags):
            if tag in {"body", "frameset"} and self.parents[element] == 0:
                return self.goes_with.index(element)
        return len(self.goes_with)

    @cached_property
    def subtrees(self) -> frozenset[bytes]:
        """The hashes of all subtrees."""
        return frozenset(self.hashes)

    @cached_property
    def is_empty(self) -> list[bool]:
        """Whether each element holds neither elements nor own texts."""
        nexts = zip(self.ends, range(1, len(self) + 1), self.text_marks, strict=True)
        return [end == after and not marked for end, after, marked in nexts]

    def children_of_kind(self, element: int, kind: str) -> Sequence[int]:
        """Return the children of an element that have a kind."""
        children = self.children[element]
        if len(children) == 1:  # most have one, which needs no table
            return children if self.kinds[children[0]] == kind else ()
        return self.children_by_kind[element].get(kind, ())

    def identity(self, element: int) -> Identity | None:
        """Return the tag, and the id with every number replaced by 0; None without an id."""
        return identity_of(self.tags[element], self.ids[element])

    def hyperlinks(self) -> Iterator[tuple[int, str]]:
        """Yield each link element with its unresolved address, in document order."""
        return iter(self._hyperlinks)

    def link_label(self, element: int, _reference: str) -> LinkLabel:
        """Return the label of an element's link; `_reference` is its unresolved address."""
        within = range(element, min(self.ends[element], element + LABEL_ELEMENTS))
        texts = [text for part in within if (text := self.own_texts[part])]
        texts += [self.attributes(part).get("alt") or "" for part in within if self.tags[part] in {"img", "area"}]
        return LinkLabel(self.attributes(element), " ".join(texts).replace(TEXT_SEPARATOR, " ").strip())

    @cached_property
    def _hyperlinks(self) -> list[tuple[int, str]]:
        return [
            (element, address)
            for element, tag in enumerate(self.tags)
            if tag in LINKING and (address := self.attributes(element).get(LINKING[tag])) is not None
        ]


class _Children(dict[int, list[int]]):
    """A cache of the children of requested elements; a repeated look-up costs no call."""

    def __init__(self, ends: Sequence[int]) -> None:
        self._ends = ends

    def __missing__(self, element: int) -> list[int]:
        children = self[element] = []
        child, ends = element + 1, self._ends
        end = ends[element]
        while child < end:
            children.append(child)
            child = ends[child]
        return children


class _ChildrenByKind(dict[int, dict[str, list[int]]]):
    """The children of requested elements, by kind."""

    def __init__(self, children: _Children, kinds: Mapping[int, str] | Sequence[str]) -> None:
        self._children = children
        self._kinds = kinds

    def __missing__(self, element: int) -> dict[str, list[int]]:
        by_kind: dict[str, list[int]] = {}
        for child in self._children[element]:
            by_kind.setdefault(self._kinds[child], []).append(child)
        self[element] = by_kind
        return by_kind


class _Names(dict[int, Hashable]):
    """The names of requested elements."""

    def __init__(self, page: Sketch) -> None:
        # A back reference would keep the page and the parser's memory until the garbage collector runs.
        self._tags, self._ids, self._kinds, self._children = page.tags, page.ids, page.kinds, page.children

    def __missing__(self, element: int) -> Hashable:
        own_id, kind = self._ids[element], self._kinds[element]
        if own_id:
            name: Hashable = identity_of(self._tags[element], own_id)
        elif "." in kind or not (children := self._children[element]):
            name = kind
        else:
            name = kind, *map(self._kinds.__getitem__, children[:_TELLING_CHILDREN])
        self[element] = name
        return name


def identity_of(tag: str, own_id: str | None) -> Identity | None:
    """Return the tag, and the id with every number replaced by 0; None without an id."""
    return (tag, without_numbers(own_id)) if own_id else None


def add_text(own_texts: list[str], element: int, text: str) -> None:
    """Append a text to an element's own texts."""
    words = text.strip()
    if words:
        before = own_texts[element]
        own_texts[element] = f"{before}{TEXT_SEPARATOR}{words}" if before else words


def text_bytes(text: str) -> int:
    """Return the size of a text in UTF-8 without white space and control characters."""
    return len(text.encode("utf-8", "surrogatepass").translate(None, _WHITE)) if text else 0


def alt_text(attributes: Mapping[str, str | None], tag: str) -> str:
    """Return the text that stands for a picture or a field."""
    return "".join(attributes.get(name) or "" for name in ALT_ATTRIBUTES[tag])


def own_hashes(tags: Sequence[str], texts: Sequence[str]) -> list[bytes]:
    """Return the hash of each element without its descendants; most have no text, so the tag decides."""
    seeds = {tag: xxh3_64_intdigest(tag.encode()) for tag in set(tags)}  # equal texts in other elements differ
    empty = {tag: xxh3_64_digest(b"", seed) for tag, seed in seeds.items()}
    return [
        xxh3_64_digest(text.encode("utf-8", "surrogatepass"), seeds[tag]) if text else empty[tag]
        for tag, text in zip(tags, texts, strict=True)
    ]


def _ends_and_hashes(
    tags: Sequence[str], parents: Sequence[int], own_texts: Sequence[str], alt_texts: AltTexts
) -> tuple[list[int], list[bytes]]:
    """Compute ends and hashes from the leaves up; the order of children counts.

    The hashes are stored in files and compared between machines, so they cannot be Python's own.
    """
    texts = list(own_texts)
    for element, text in alt_texts.items():
        texts[element] = text
    hashes, ends = own_hashes(tags, texts), list(range(1, len(tags) + 1))
    # The hashes of each element's children, last child first; the last entry is for the root's parent, -1.
    below: list[list[bytes] | None] = [None] * (len(tags) + 1)
    for element in range(len(tags) - 1, -1, -1):
        digest, children = hashes[element], below[element]
        if children is not None:
            children.append(digest)
            digest = hashes[element] = xxh3_64_digest(b"".join(children))
            below[element] = None
        parent = parents[element]
        siblings = below[parent]
        if siblings is None:
            below[parent] = [digest]
            # The first child visited is the last one, so its end is the parent's; the root's parent has no end.
            if parent >= 0:
                ends[parent] = ends[element]
        else:
            siblings.append(digest)
    return ends, hashes
