"""Kinds: what an element is whatever page it is on.

A kind is the tag with its classes, numbers alike, without the classes that mark the place in a menu.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

_MOST_CLASSES = 8
_PLACE_IN_MENU = re.compile(
    r"(^|[-_])(active|current|selected|open|opened|toggled|here|show|expanded|collapsed|in)([-_]|$)", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+")


def kind_of(tag: str, attributes: Mapping[str, str | None]) -> str:
    """Return tag and classes; the tag alone for ``body``, whose classes name the page."""
    return _kind(tag, classes) if (classes := attributes.get("class")) and tag != "body" else tag


@lru_cache(4096)
def _kind(tag: str, classes: str) -> str:
    names = classes.split(None, _MOST_CLASSES)[:_MOST_CLASSES]
    return f"{tag}.{' '.join(filter(None, map(_kind_of_class, names)))}"


@lru_cache(4096)
def _kind_of_class(name: str) -> str:
    return "" if _PLACE_IN_MENU.search(name) else without_numbers(name)


def without_numbers(name: str) -> str:
    """Return a name with all numbers alike."""
    return _DIGITS.sub("0", name)
