"""Print how large the repository is, beside its aims: ``python -m supply.size``."""

import subprocess
import sys
from collections.abc import Callable

from supply.distributions import ROOT

_PYTHON = (".py", ".pyx", ".pxd")


def _listed(folder: str, *ends: str) -> list[str]:
    listing = subprocess.run(["git", "ls-files", folder], cwd=ROOT, check=True, capture_output=True, text=True)
    names = listing.stdout.splitlines()
    return [name for name in names if name.endswith(ends) and "/tests/" not in name and (ROOT / name).is_file()]


def _count(names: list[str], parts: Callable[[str], list[str]] = str.splitlines) -> int:
    return sum(len(parts((ROOT / name).read_text(encoding="utf-8"))) for name in names)


def _cases() -> int:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests"]
    printed = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True).stdout
    return sum("::" in line for line in printed.splitlines())


def documents_counted() -> tuple[list[str], list[str]]:
    """Return the documents in docs/ itself, and those in its folders with all READMEs and the host's protocol."""
    documents = _listed("docs", ".md")
    top = [name for name in documents if name.count("/") == 1]
    return top, sorted({*documents, *_listed(".", "README.md", "PROTOCOL.md")} - set(top))


def main() -> int:
    """Print a line for each aim; return 1 if one is missed."""
    product = _listed("src/sitestencil", *_PYTHON)
    documents, beside = documents_counted()
    rows: list[tuple[str, int, int]] = [
        ("product, lines of Python and Cython", _count(product), 35_200),
        ("product, modules", len(product), 210),
        ("of it Cython, lines", _count(_listed("src/sitestencil", *_PYTHON[1:])), 150),
        ("research, lines", _count(_listed("research", *_PYTHON)), 9_000),
        ("host, lines", _count(_listed("host", ".py")), 4_500),
        ("extension, lines of JavaScript", _count(_listed("extension", ".js")), 6_800),
        ("tests of the product, lines", _count(_listed("tests", ".py")), 33_000),
        ("tests of the product, cases", _cases(), 4_500),
        ("documents in docs/", len(documents), 12),
        ("documents in docs/, words", _count(documents, str.split), 20_000),
        ("methods, READMEs and protocol, words", _count(beside, str.split), 10_945),
    ]
    lines = [f"{'':<40}{'today':>8}{'at most':>9}"]
    lines += [f"{name:<40}{today:>8,}{aim:>9,}{'' if today <= aim else '  missed'}" for name, today, aim in rows]
    lines += ["make test, 10 minutes: measured by a clean clone", "a crawl's page: docs/architecture.md"]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(any(today > aim for _, today, aim in rows))


if __name__ == "__main__":
    sys.exit(main())
