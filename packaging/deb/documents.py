"""What the package says of itself: control fields, copyright, changelog."""

import gzip
import re
import textwrap
from datetime import UTC, datetime
from email.utils import format_datetime
from importlib.metadata import Distribution, distributions
from pathlib import Path

MAINTAINER = "The Sitestencil developers <sitestencil@sitestencil.org>"
_DESCRIPTION = """\
show a web page's template or its main content alone
 Sitestencil separates the frame of a web page (header, menus, sidebars, footer)
 from its content, by comparing the page with a few other pages of its site.
 .
 The package has a button for Chromium and Firefox ESR, which is there for all
 users after the next start of the browser, the helper program behind it, and
 the command sitestencil. Google Chrome, Microsoft Edge, Brave and Vivaldi find
 the helper program; "sitestencil extension" says how they get the button.
 .
 For whole sites and crawls, run pipx install ".[crawl,rebuild]" in the folder
 of the source: ~/.local/bin/sitestencil then has these commands.
"""
_CLASSIFIER = "License :: OSI Approved :: "
_ANSWER = "see the licence's text"


def control(version: str, architecture: str, depends: str, kilobytes: int) -> str:
    """Return the control file."""
    return (
        f"Package: sitestencil\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: {MAINTAINER}\n"
        f"Installed-Size: {kilobytes}\nDepends: {depends}\nSuggests: chromium | firefox-esr\n"
        f"Section: web\nPriority: optional\nDescription: {_DESCRIPTION}"
    )


def copyright_text(root: Path, site: Path, *, on_debian: bool = True) -> str:
    """Return our licence, and after it those of all that the package brings along.

    Args:
        root: of the source.
        site: the folder of the packages.
        on_debian: name Debian's own files with a licence's text, where there are some.
    """
    parts = [f"Sitestencil\n\n{(root / 'LICENSE').read_text(encoding='utf-8')}"]
    others = {item.name.lower(): item for item in distributions(path=[str(site)]) if item.name != "sitestencil"}
    for _, other in sorted(others.items()):
        parts.append(
            f"{other.name} {other.version}, licence: {_licence(other)}\n\n{_texts(other, on_debian=on_debian)}"
        )
    head = (
        "Sitestencil has the MIT licence. The packages below come with it, unchanged, from https://pypi.org/.\n\n"
    )
    return head + f"\n{'=' * 79}\n".join(parts)


def _licence(item: Distribution) -> str:
    stated = item.metadata.get_all("License-Expression") or item.metadata.get_all("License") or [""]
    classifiers = (text for text in item.metadata.get_all("Classifier") or () if text.startswith(_CLASSIFIER))
    named = stated[0] if "\n" not in stated[0] else ""
    return named or ", ".join(text.removeprefix(_CLASSIFIER) for text in classifiers) or _ANSWER


def _texts(item: Distribution, *, on_debian: bool) -> str:
    base = Path(str(item._path))  # type: ignore[attr-defined]
    files = [
        file
        for file in sorted(base.rglob("*"))
        if re.match(r"(?i)licen[cs]e|copying|notice|authors", file.name) and file.is_file()
    ]
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in files)
    return "\n".join(_unless_known(text) if on_debian else text for text in texts)


def _unless_known(text: str) -> str:
    """Return a licence's text, or the name of Debian's own file with it."""
    known = re.match(r"\s*Apache License\s+Version 2.0", text)
    return "The text is /usr/share/common-licenses/Apache-2.0\n" if known else text


def changelog(root: Path, version: str, epoch: int) -> str:
    """Return Debian's form of the newest section of CHANGELOG.md."""
    section = (root / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    items = re.findall(r"^\* (.*(?:\n  .*)*)", section, re.MULTILINE)
    lines = [
        textwrap.fill(" ".join(item.split()), 79, initial_indent="  * ", subsequent_indent="    ") for item in items
    ]
    date = format_datetime(datetime.fromtimestamp(epoch, UTC))
    return (
        f"sitestencil ({version}) stable; urgency=medium\n\n" + "\n".join(lines) + f"\n\n -- {MAINTAINER}  {date}\n"
    )


def gzipped(text: str) -> bytes:
    """Return a text as dpkg wants it packed: best, and without a time."""
    return gzip.compress(text.encode(), 9, mtime=0)
