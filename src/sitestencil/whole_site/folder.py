"""Write files into a site's folder: each whole, and only if it changed."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sitestencil.crawl.rows import valid_text
from sitestencil.crawl.spill import temporary


@dataclass
class Folder:
    """A site's folder: the paths of all files so far, and of those that are new or changed."""

    path: Path
    files: list[str] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file, which is complete or not there; one that would be the same again is left alone."""
        data, file = valid_text(content).encode() if isinstance(content, str) else content, self.path / name
        self.files.append(name)
        if not file.is_file() or file.read_bytes() != data:
            file.parent.mkdir(parents=True, exist_ok=True)
            with temporary(file) as part:
                part.write_bytes(data)
            self.changed.add(name)

    def remove_others(self, earlier: Iterable[str]) -> None:
        """Remove the files of an earlier run that this one did not write, and what a killed run left."""
        for file in (*(self.path / name for name in set(earlier) - set(self.files)), *self.path.rglob(".*.part")):
            file.unlink(missing_ok=True)
