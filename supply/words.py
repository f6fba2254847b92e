"""Check the words of documents and docstrings: ``python -m supply.words``.

No sentence begins with "What", and none is longer than 30 words.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from supply.distributions import ROOT

MOST_WORDS = 30
_FOLDERS = ("src/", "host/", "extension/")
_END = re.compile(r"(?<=[.!?])[\"')\]*_]*\s+(?=[\"'(\[*_`]*[A-Z0-9`])")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf)\.")
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_FENCE = re.compile(r"^\s*(```|~~~).*?^\s*\1\s*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_DOCTEST = re.compile(r"^\s*>>> .*(?:\n\s*\S.*)*", re.MULTILINE)
# An entry of Args, Attributes or Raises, or the name of such a section.
_ENTRY = re.compile(r"^(?: +[\w*]+(?:, [\w*]+)*|\w+):(?: |$)", re.MULTILINE)
_TAG = re.compile(r"^\s*@\w+(?: *\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})?(?: *\[?[\w.]+\]?(?= ))?", re.MULTILINE)
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s", re.MULTILINE)


def faults(blocks: Iterator[str]) -> list[str]:
    """Return the sentences that are too long or begin with "What", and ask no question."""
    return [
        sentence
        for block in blocks
        for sentence in _END.split(_ABBREVIATION.sub("", _CODE.sub("`code`", block)))
        if len(re.findall(r"\S*\w\S*", sentence)) > MOST_WORDS
        or (re.match(r"\W*What\b", sentence) and not sentence.rstrip("*_\"' )\n").endswith("?"))
    ]


def of_document(text: str) -> Iterator[str]:
    """Yield the paragraphs, list items and table cells of a document, without code, headings and formulas."""
    plain = _LINK.sub(r"\1", _FENCE.sub("", re.sub(r"<!--.*?-->|\$\$.*?\$\$", "", text, flags=re.DOTALL)))
    without_code = re.sub(r"\n\n(?: {4}.*\n)+", "\n\n", plain)
    lines = [line for line in without_code.splitlines() if not line.startswith("#")]
    cells = (re.split(r"(?<!\\)\|", line) if line.startswith("|") else [line] for line in lines)
    yield from _paragraphs("\n".join("\n\n".join(cell) for cell in cells))


def of_python(source: str) -> Iterator[str]:
    """Yield the paragraphs and entries of all docstrings of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _entries(ast.get_docstring(node) or "")


def of_cython(source: str) -> Iterator[str]:
    """Yield the paragraphs and entries of all docstrings of a compiled module."""
    for docstring in re.findall(r'"""(.*?)"""', source, re.DOTALL):
        yield from _entries(docstring)


def of_javascript(source: str) -> Iterator[str]:
    """Yield the paragraphs and tags of all JSDoc comments of a script."""
    for comment in re.findall(r"/\*\*(.*?)\*/", source, re.DOTALL):
        text = re.sub(r" (?=@type\b)", "\n", re.sub(r"^\s*\*", "", comment, flags=re.MULTILINE))
        yield from _paragraphs(_TAG.sub("\n\n", text))


def _entries(docstring: str) -> Iterator[str]:
    yield from _paragraphs(_ENTRY.sub("\n\n", _DOCTEST.sub("\n", docstring)))


def _paragraphs(text: str) -> Iterator[str]:
    yield from re.split(r"\n\s*\n", _ITEM.sub("\n\n", text))


READERS = {
    ".md": of_document,
    ".py": of_python,
    ".pyx": of_cython,
    ".pxd": of_cython,
    ".js": of_javascript,
    ".ts": of_javascript,
}


def main() -> int:
    """Print each sentence that is at fault; return 1 if there is one."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    names = [Path(name) for name in listed if name.endswith(".md") or name.startswith(_FOLDERS)]
    found = [
        f"{name}: {sentence}"
        for name in names
        if name.suffix in READERS and (ROOT / name).is_file()
        for sentence in faults(READERS[name.suffix]((ROOT / name).read_text(encoding="utf-8")))
    ]
    sys.stdout.write("".join(f"{line}\n" for line in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
