"""Read public sets of pages with gold texts, in the three forms in which they are published (`FORMS`)."""

import gzip
import json
import lzma
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sitestencil.content.parts import PARTS, Part
from sitestencil.errors import SitestencilError
from sitestencil.urls import page_address, site_host
from sitestencil_research.gold_texts import FORMS
from sitestencil_research.gold_texts.structure import gold_text, html_of_markdown

_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page with its gold text.

    Attributes:
        name: the name of its file.
        url: its address.
        file: its HTML, in UTF-8; packed if it ends in ``.gz``.
        gold: the text that a reader came for, by the set's own convention.
        kind: its type or its language, as the set has it; empty if the set has neither.
        without: the parts of main content that the set's gold texts leave out.
        gold_html: the same with its structure; empty if the set has text only.
        source: the HTML of a page that is no file of its own.
    """

    name: str
    url: str
    file: Path
    gold: str
    kind: str = ""
    without: tuple[Part, ...] = ()
    gold_html: str = ""
    source: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        """The host that identifies its site; each page of a test suite is a site of its own."""
        return f"{self.file.name}/{self.name}" if self.gold_html else site_host(self.url)

    def html(self) -> str:
        """Return the page."""
        if self.source:
            return self.source
        data = self.file.read_bytes()
        return (gzip.decompress(data) if self.file.suffix == ".gz" else data).decode("utf-8", "replace")


def gold_sets(folder: Path, left_out: Callable[[str], None] = lambda _: None) -> dict[str, list[GoldPage]]:
    """Return the sets in a folder by name, or the set that the folder itself is.

    Args:
        folder: a set, a folder of sets, or a file of test suites.
        left_out: is told, for each set, how many pages are left out for want of a file or a gold text.

    Raises:
        SitestencilError: the folder holds no set, or a set cannot be read.
    """
    if folder.name.endswith(".jsonl.xz"):
        found: dict[str, list[GoldPage]] = {}
        for page in _pages(folder, _of_suites):
            found.setdefault(page.file.name, []).append(page)
        return found
    folders = [folder] if _reader(folder) else [each for each in sorted(folder.glob("*")) if _reader(each)]
    if not folders:
        raise SitestencilError(
            f"{folder} holds no pages with gold texts. Fetch a set yourself; the folder of a set has:\n{FORMS}"
        )
    return {each.name: _read(each, left_out) for each in folders}


def _read(folder: Path, left_out: Callable[[str], None]) -> list[GoldPage]:
    pages = _pages(folder, _reader(folder))
    whole = [page for page in pages if page.file.is_file() and page.gold.strip()]
    if not whole:
        raise SitestencilError(f"{folder} has gold texts, but no page with one in its folder html.")
    if len(whole) < len(pages):
        left_out(f"{folder.name}: {len(pages) - len(whole)} of {len(pages)} pages have no file or no gold text.")
    return whole


def _pages(place: Path, reader: Any) -> list[GoldPage]:  # noqa: ANN401 - one of the functions below
    try:
        return list(reader(place))
    except (OSError, lzma.LZMAError, ValueError, LookupError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise SitestencilError(f"{place} cannot be read as a set of gold texts: {reason}.") from None


def _reader(folder: Path) -> Any:  # noqa: ANN401 - a function, or None
    if not (folder / "html").is_dir():
        return None
    forms = {"ground-truth.json": _with_one_file, "ground-truth": _with_a_file_each, "reference": _with_lines}
    return next((reader for name, reader in forms.items() if (folder / name).exists()), None)


def _with_one_file(folder: Path) -> Iterator[GoldPage]:
    gold = json.loads((folder / "ground-truth.json").read_text("utf-8"))
    for name, known in gold.items():
        file = _html_file(folder, name)
        yield GoldPage(name, _address(known["url"]), file, known["articleBody"], without=PARTS)


def _with_a_file_each(folder: Path) -> Iterator[GoldPage]:
    for file in sorted((folder / "ground-truth").glob("*.json")):
        known = json.loads(file.read_text("utf-8"))
        kind = (known.get("_internal") or {}).get("page_type", "")
        kind = kind["primary"] if isinstance(kind, dict) else kind
        text = known["ground_truth"]["main_content"] or ""
        yield GoldPage(file.stem, _address(known["url"]), _html_file(folder, file.stem), text, kind)


def _with_lines(folder: Path) -> Iterator[GoldPage]:
    languages = json.loads((folder / "doc_lg.json").read_text("utf-8"))
    for file in sorted((folder / "reference").iterdir()):
        name, marked = file.name, file.read_text("utf-8")
        address, language = f"http://{name.split('_')[1]}/{name}", languages.get(name, "")
        yield GoldPage(name, address, folder / "html" / name, _TAG.sub("", marked), language)


def _of_suites(file: Path) -> Iterator[GoldPage]:
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            gold = row.get("gold_html") or html_of_markdown(row["gold_md"])
            text, html = gold_text(gold), row["html"]
            yield GoldPage(row["name"], row["url"], Path(row["set"]), text, gold_html=gold, source=html)


def _html_file(folder: Path, name: str) -> Path:
    packed = folder / "html" / f"{name}.html.gz"
    return packed if packed.is_file() else packed.with_suffix("")


def _address(written: str) -> str:
    return page_address(written if "://" in written else f"http://{written}")
