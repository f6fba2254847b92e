"""Reads a browser's version: from its program on Linux, elsewhere from a profile."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sitestencil_host.setup.browsers import Browser, Machine

_SECONDS = 10.0
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_OF_FIREFOX = re.compile(r"^LastVersion=([\d.]+)", re.MULTILINE)


def browser_version(machine: Machine, browser: Browser) -> str | None:
    """Return a browser's version; None if it is unknown.

    Only Linux programs are called: on other systems they would open a window.
    """
    if machine.system == "linux":
        programs = (path for path in map(machine.which, browser.programs) if path is not None)
        for program in programs:
            if version := _said_by(program):
                return version
    return next(_left_in_profiles(machine, browser), None)


def is_older(version: str, least: str) -> bool:
    """Return whether a version comes before another.

    >>> is_older("99.0.1", "148"), is_older("148.0.7", "148"), is_older("142.0", "142.0")
    (True, False, False)
    """
    return _numbers(version) < _numbers(least)


def _said_by(program: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - the browser itself
            [program, "--version"], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(done.stdout)
    return found[0] if found else None


def _left_in_profiles(machine: Machine, browser: Browser) -> Iterator[str]:
    for folder in map(machine.folder, browser.places[machine.system].profiles):
        if browser.family == "chromium":
            found = _VERSION.search(_text(folder / "Last Version"))
            if found:
                yield found[0]
        else:
            files = [*folder.glob("*/compatibility.ini"), *folder.glob("Profiles/*/compatibility.ini")]
            versions = [found[1] for file in files if (found := _OF_FIREFOX.search(_text(file)))]
            yield from sorted(versions, key=_numbers, reverse=True)


def _text(file: Path) -> str:
    with suppress(OSError):
        return file.read_text(encoding="utf-8", errors="replace")
    return ""


def _numbers(version: str) -> list[int]:
    numbers = [int(number) for number in re.findall(r"\d+", version)]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers
