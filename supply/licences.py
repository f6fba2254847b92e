"""List the licences of all that the project needs, and check that they fit: ``python -m supply.licences``.

Sitestencil is under the MIT licence. All that it needs to run has a permissive licence. Packages of the extras and
for developers may also have a copyleft that ends at their own files or library. None of those is distributed with
Sitestencil; the Debian package brings along what it needs to run. An unknown licence does not fit.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution

from license_expression import AND, OR, ExpressionError, LicenseExpression, Licensing
from supply.distributions import ROOT, needed, purposes, requirements

PERMISSIVE = frozenset(
    "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 CNRI-Python ISC MIT MIT-0 MIT-CMU PSF-2.0 "
    "Python-2.0 Unlicense WTFPL Zlib LicenseRef-Biopython-License-Agreement".split()
)
LIMITED_COPYLEFT = frozenset("LGPL-2.0-or-later LGPL-2.1-or-later MPL-1.1 MPL-2.0".split())
DATA = frozenset("CC-BY-3.0 CC-BY-4.0".split())
ALLOWED = {"run": PERMISSIVE}
ALLOWED_ELSEWHERE = PERMISSIVE | LIMITED_COPYLEFT | DATA
# For distributions without a licence in their metadata: read from their licence files.
READ_BY_HAND = {"atheris": "Apache-2.0", "chardetng_py": "MIT", "scipy": "BSD-3-Clause"}
_NAMES = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD 3-Clause License": "BSD-3-Clause",
    "LGPL": "LGPL-2.1-or-later",
    "PSFL": "PSF-2.0",
    "The BSD 2-Clause License": "BSD-2-Clause",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "GNU Lesser General Public License v2 or later (LGPLv2+)": "LGPL-2.0-or-later",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
_CLASSIFIER = "License :: OSI Approved :: "
_LONGEST = 200  # a longer text is the licence itself
_LICENSING = Licensing()


@dataclass(frozen=True, slots=True)
class Licensed:
    """A package with its licence as an SPDX expression; an empty string if it is unknown."""

    name: str
    version: str
    licence: str


def licensed(distribution: Distribution) -> Licensed:
    """Return a distribution with its licence, from its metadata or its classifiers."""
    name = distribution.metadata["Name"].lower()
    classifiers = (text for text in _stated(distribution, "Classifier") if text.startswith(_CLASSIFIER))
    stated = [
        *([READ_BY_HAND[name]] if name in READ_BY_HAND else []),
        *_stated(distribution, "License-Expression"),
        *_stated(distribution, "License"),
        *(text.removeprefix(_CLASSIFIER) for text in classifiers),
    ]
    candidates = [_NAMES.get(text, text) for text in stated]
    known = (text for text in candidates if _known(text))
    return Licensed(name, distribution.version, next(known, (candidates or [""])[-1].partition("\n")[0]))


def _stated(distribution: Distribution, field: str) -> list[str]:
    return list(distribution.metadata.get_all(field) or ())


def npm_packages() -> list[Licensed]:
    """Return the tools that check the extension; none is part of it."""
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    return [
        Licensed(path.rpartition("node_modules/")[2], package["version"], _npm_licence(package))
        for path, package in sorted(packages.items())
        if path
    ]


def _npm_licence(package: dict[str, str]) -> str:
    licence = package.get("license", "")
    return _NAMES.get(licence, licence)


def all_licensed() -> Iterator[tuple[str, Licensed]]:
    """Yield all needed packages with their purpose."""
    for purpose in purposes():
        for distribution in needed(requirements(purpose)).values():
            yield purpose, licensed(distribution)
    for package in npm_packages():
        yield "npm", package


def fits(licence: str, purpose: str) -> bool:
    """Return whether a licence is allowed for a purpose."""
    expression = _parsed(licence)
    return expression is not None and _fits(expression, ALLOWED.get(purpose, ALLOWED_ELSEWHERE))


def _fits(expression: LicenseExpression, allowed: frozenset[str]) -> bool:
    if isinstance(expression, AND):
        return all(_fits(part, allowed) for part in expression.args)
    if isinstance(expression, OR):
        return any(_fits(part, allowed) for part in expression.args)
    return str(expression) in allowed


def _known(text: str) -> bool:
    return fits(text, "any")


def _parsed(text: str) -> LicenseExpression | None:
    try:
        return _LICENSING.parse(text) if len(text) < _LONGEST else None
    except ExpressionError:
        return None


def main() -> int:
    """Print the licences, and those that do not fit."""
    wrong = []
    for purpose, package in all_licensed():
        suits = fits(package.licence, purpose)
        sys.stdout.write(f"{purpose:8}{package.name:40}{package.version:20}{package.licence}\n")
        if not suits:
            wrong.append(f"{package.name} {package.version}, needed for {purpose}: {package.licence or 'unknown'}")
    sys.stdout.write("\n".join(["", *(f"does not fit: {text}" for text in wrong), f"{len(wrong)} do not fit", ""]))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
