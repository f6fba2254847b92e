"""Read public sets of pages with gold texts, in the three forms in which they are published.

* ``ground-truth.json``, with ``articleBody`` and ``url`` for each file of ``html/`` (Scrapinghub's benchmark)
* ``ground-truth/``, with a file of JSON for each file of ``html/`` (WCXB)
* ``reference/``, with a file of ``<p>`` lines for each file of ``html/``, and ``doc_lg.json`` (DAnIEL)
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitestencil.content.parts import PARTS, Part
from sitestencil.errors import SitestencilError
from sitestencil.urls import page_address, site_host

_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page with its gold text.

    Attributes:
        name: the name of its file.
        url: its address.
        file: its HTML, in UTF-8.
        gold: the text that a reader came for, by the set's own convention.
        kind: its type or its language, as the set has it; empty if the set has neither.
        without: the parts of main content that the set's gold texts leave out.
    """

    name: str
    url: str
    file: Path
    gold: str
    kind: str = ""
    without: tuple[Part, ...] = ()

    @property
    def host(self) -> str:
        """The host that identifies its site."""
        return site_host(self.url)

    def html(self) -> str:
        """Return the page."""
        return self.file.read_bytes().decode("utf-8", "replace")


def gold_sets(folder: Path) -> dict[str, list[GoldPage]]:
    """Return the sets in a folder by name, or the set that the folder itself is.

    Raises:
        SitestencilError: the folder holds no set, or a set cannot be read.
    """
    folders = [folder] if _reader(folder) else [each for each in sorted(folder.glob("*")) if _reader(each)]
    if not folders:
        raise SitestencilError(
            f"{folder} holds no pages with gold texts: a set has html/ beside ground-truth.json, ground-truth/ or "
            "reference/."
        )
    return {each.name: _read(each) for each in folders}


def _read(folder: Path) -> list[GoldPage]:
    reader = _reader(folder)
    assert reader is not None
    try:
        pages = list(reader(folder))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise SitestencilError(f"{folder} cannot be read as a set of gold texts: {error!r}.") from None
    return [page for page in pages if page.file.is_file() and page.gold.strip()]


def _reader(folder: Path) -> Any:  # noqa: ANN401 - a function, or None
    if not (folder / "html").is_dir():
        return None
    forms = {"ground-truth.json": _with_one_file, "ground-truth": _with_a_file_each, "reference": _with_lines}
    return next((reader for name, reader in forms.items() if (folder / name).exists()), None)


def _with_one_file(folder: Path) -> Iterator[GoldPage]:
    gold = json.loads((folder / "ground-truth.json").read_text("utf-8"))
    for name, known in gold.items():
        html = folder / "html" / f"{name}.html"
        yield GoldPage(name, _address(known["url"]), html, known["articleBody"], without=PARTS)


def _with_a_file_each(folder: Path) -> Iterator[GoldPage]:
    for file in sorted((folder / "ground-truth").glob("*.json")):
        known = json.loads(file.read_text("utf-8"))
        kind = known.get("_internal", {}).get("page_type", "")
        text = known["ground_truth"]["main_content"] or ""
        html = folder / "html" / f"{file.stem}.html"
        yield GoldPage(
            file.stem, _address(known["url"]), html, text, kind["primary"] if isinstance(kind, dict) else kind
        )


def _with_lines(folder: Path) -> Iterator[GoldPage]:
    languages = json.loads((folder / "doc_lg.json").read_text("utf-8"))
    for file in sorted((folder / "html").iterdir()):
        host = file.name.split("_")[1]
        text = _TAG.sub("", (folder / "reference" / file.name).read_text("utf-8"))
        yield GoldPage(file.name, f"http://{host}/{file.name}", file, text, languages.get(file.name, ""))


def _address(written: str) -> str:
    return page_address(written if "://" in written else f"http://{written}")
