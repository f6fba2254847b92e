"""Lists of names in text files beside this module."""

from collections.abc import Mapping
from pathlib import Path

from sitestencil.page.lists import read_lists


def names_in(file: str) -> Mapping[str, Mapping[str, str]]:
    """Return the lists of a file: names, and what stands behind their ``=``; empty for a name without."""
    lists = read_lists(Path(__file__).with_name(file))
    return {
        list_name: {name: value for name, _, value in (entry.partition("=") for entry in entries)}
        for list_name, entries in lists.items()
    }


NAMES = names_in("names.txt")
