"""List the installed distributions that the project needs, by purpose."""

import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent


def project() -> dict[str, Any]:
    """Return `pyproject.toml`."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def requirements(purpose: str) -> list[Requirement]:
    """Return the project's requirements: to ``run``, for an extra, or for a dependency group such as ``dev``."""
    table = project()
    if purpose == "run":
        wanted = table["project"]["dependencies"]
    elif purpose in table["project"]["optional-dependencies"]:
        wanted = table["project"]["optional-dependencies"][purpose]
    else:
        wanted = list(_group(table["dependency-groups"], purpose))
    return [Requirement(text) for text in wanted]


def purposes() -> tuple[str, ...]:
    """Return the purposes of distributions: to run, the extras, and development."""
    return ("run", *project()["project"]["optional-dependencies"], "dev")


def needed(wanted: Iterable[Requirement]) -> dict[str, Distribution]:
    """Return the distributions that fulfil the requirements here, with their own requirements, by name.

    Raises:
        PackageNotFoundError: a distribution is not installed.
    """
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(requirement, "") for requirement in wanted]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        found.setdefault(name, distribution(name))
        for asked in ("", *sorted(requirement.extras)):
            if (name, asked) not in seen:
                seen.add((name, asked))
                waiting += [(Requirement(text), asked) for text in found[name].requires or ()]
    return dict(sorted(found.items()))


def _group(groups: dict[str, Any], name: str) -> Iterator[str]:
    for entry in groups[name]:
        if isinstance(entry, str):
            yield entry
        else:
            yield from _group(groups, entry["include-group"])
