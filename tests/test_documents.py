"""Names in documents exist, and so do the documents that docstrings cite."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT
from tests.support.tables import table

DEFINITIONS = ROOT / "docs" / "methods" / "definitions.md"
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^()\s]+)\)")
# What is written as code and looks like a path of this repository: `saving/standalone_html.py`.
_PATH = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|js|mjs|md|json|toml|svg|html|css|d\.ts|yml)|(?:[\w.-]+/)+)`")
# "definitions.md, 1 and 2" or "definitions.md, choice 7"; what follows a word is no section.
_SECTIONS = re.compile(r"definitions\.md, (\d(?:\.\d)?)(?:(?: to | and )(\d(?:\.\d)?)(?![\w.]))?")
_CHOICES = re.compile(r"definitions\.md, choices? (\d+)(?: (?:to|and) (\d+))?")
# What a command makes, or a reader of docs/first-change.md.
_MADE = re.compile(
    r"(?:dist|out|pages|templates)/.*|template\.html|site\.json|.*/landmarks[./].*|.*outline\.py"
    r"|index\.md|report\.html|changes\.json|kinds\.json|data/menus\.json|new-page\.md|inventory\.html|proof\.html"
)


def files() -> list[str]:
    """Return the paths of all files of the repository, those not yet committed among them."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def documents() -> list[Path]:
    """Return README and all other documents."""
    return [ROOT / name for name in files() if name.endswith(".md")]


def sources() -> Iterator[Path]:
    """Yield the files of code whose docstrings may cite the definitions."""
    for folder in ("src", "host", "tests", "research", "examples"):
        yield from sorted(path for path in (ROOT / folder).rglob("*.py") if path != Path(__file__))


def anchors(document: Path) -> set[str]:
    """Return the anchors that GitHub gives to a document's headings."""
    headings = _HEADING.findall(_FENCE.sub("", document.read_text()))
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def name_of(document: Path) -> str:
    return str(document.relative_to(ROOT))


def cited(pattern: re.Pattern[str]) -> set[tuple[str, str]]:
    """Return what files cite of the definitions: the file and the number."""
    return {
        (name_of(file), number)
        for file in [*sources(), *documents()]
        for numbers in pattern.findall(file.read_text())
        for number in numbers
        if number
    }


def test_every_section_that_is_cited_is_defined() -> None:
    headings = _HEADING.findall(DEFINITIONS.read_text())
    defined = {match[1] for heading in headings if (match := re.match(r"(\d(?:\.\d)?)\.? ", heading))}
    citations = cited(_SECTIONS)
    assert len(citations) > 20
    assert {citation for citation in citations if citation[1] not in defined} == set()


def test_every_choice_that_is_cited_is_explained_and_every_number_stands_once() -> None:
    explained = re.findall(r"^(\d+)\. \*\*", DEFINITIONS.read_text().partition("\n## 6.")[2], re.MULTILINE)
    citations = cited(_CHOICES)
    assert explained == [str(number) for number in range(1, len(explained) + 1)]
    assert citations
    assert {citation for citation in citations if citation[1] not in explained} == set()


def test_no_docstring_cites_what_is_not_in_the_repository() -> None:
    riddles = re.compile(r"\(choice(?:\)|[:;] [a-z0-9])|\bmethods, (?:section )?\d")
    assert [name_of(file) for file in sources() if riddles.search(file.read_text())] == []


@table("document", documents())
def test_every_link_of_a_document_leads_to_a_file_and_to_a_heading_of_it(document: Path) -> None:
    missing = []
    for target in _LINK.findall(_FENCE.sub("", document.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (document.parent / name).resolve() if name else document
        if not file.exists() or (anchor and anchor not in anchors(file)):
            missing.append(target)
    assert missing == []


@table("document", documents())
def test_every_file_that_a_document_names_exists(document: Path) -> None:
    """A path may leave out what it begins with: `page/snapshot.js` for `extension/page/snapshot.js`."""
    existing = [f"/{name}" for name in files()]

    def exists(path: str) -> bool:
        return any(f"/{path}" in name if path.endswith("/") else name.endswith(f"/{path}") for name in existing)

    text = document.read_text()
    pictures = "".join(fence for fence in _FENCE.findall(text) if fence.startswith("```mermaid"))
    named = {*_PATH.findall(_FENCE.sub("", text)), *re.findall(r"[\w/]+\.(?:py|js)\b", pictures)}
    assert {path for path in named if not exists(path) and not _MADE.fullmatch(path)} == set()


def test_every_class_that_the_glossary_names_exists() -> None:
    named = set(re.findall(r"`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`", (ROOT / "docs" / "architecture.md").read_text()))
    defined = {name for file in sources() for name in re.findall(r"^class (\w+)", file.read_text(), re.MULTILINE)}
    assert named
    assert named - defined == set()


def test_the_changelog_has_sections_by_version_and_a_line_for_each_change() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text().partition("\n## ")[2].splitlines()[1:]
    version = r"## \d+\.\d+\.\d+ \((\d{4}-\d\d-\d\d|unreleased)\)"
    assert [line for line in lines if not re.fullmatch(rf"|{version}|### .+|\* .{{1,120}}", line)] == []
    entries = [line for line in lines if line.startswith("* ")]
    assert len(set(entries)) == len(entries) > 0
