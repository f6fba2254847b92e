"""Read the lists in text files beside the modules, which people can edit: words and network ranges."""

from collections.abc import Mapping, Sequence
from pathlib import Path


def read_lists(file: Path) -> Mapping[str, Sequence[str]]:
    """Return the entries of each list in a file by the list's name.

    A name in brackets begins a list. White space separates entries, and ``_`` in an entry stands for a space. ``#``
    begins a comment.
    """
    lists: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("["):
            entries = lists[text.strip("[]")] = []
        elif text:
            entries += [entry.replace("_", " ") for entry in text.split()]
    return lists
