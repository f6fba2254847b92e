"""Find the browsers; on Debian as root, install them: `python -m tests.support.browsers.programs [NAME ...]`."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.support.browsers import BROWSERS


class NoBrowserError(Exception):
    """The browser is not to be had; the message says what the user can do."""


@dataclass(frozen=True, slots=True)
class Program:
    """A browser as a program of the system.

    Attributes:
        candidates: where it may be: names on PATH, or absolute paths.
        least: the first version that the extension works in.
        package: its package in Debian.
        homepage: where everybody else gets it.
    """

    candidates: tuple[str, ...]
    least: int
    package: str
    homepage: str


PROGRAMS = {
    "chromium": Program(
        (
            "chromium",
            "chromium-browser",
            "google-chrome",
            "google-chrome-stable",
            "/Applications/Chromium.app/Contents/MacOS/Chromium",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        ),
        148,
        "chromium",
        "https://www.chromium.org/getting-involved/download-chromium/",
    ),
    "firefox": Program(
        ("firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"),
        142,
        "firefox-esr",
        "https://www.mozilla.org/firefox/",
    ),
    # The benchmark's report takes its pictures through it; no browser of its own.
    "chromedriver": Program(
        ("chromedriver",), 148, "chromium-driver", "https://developer.chrome.com/docs/chromedriver"
    ),
    # Shells that complete the command.
    "zsh": Program(("zsh",), 5, "zsh", "https://www.zsh.org/"),
    "fish": Program(("fish",), 3, "fish", "https://fishshell.com/"),
    # Checks the Debian package.
    "lintian": Program(("lintian",), 2, "lintian", "https://lintian.debian.org/"),
    # Builds a rebuilt site.
    "hugo": Program(("hugo",), 0, "hugo", "https://gohugo.io/installation/"),
}


def browser_program(name: str) -> Path:
    """The executable of a browser that is new enough.

    Raises:
        NoBrowserError: there is none.
    """
    program = PROGRAMS[name]
    rejected = []
    for candidate in program.candidates:
        path = shutil.which(candidate)
        if path is None:
            continue
        if _in_snap(Path(path)):
            rejected.append(f"{path} is a snap, which cannot use a scratch profile")
        elif (version := _version(path)) < program.least:
            rejected.append(f"{path} is version {version}")
        else:
            return Path(path)
    reason = "; ".join(rejected) or "none was found"
    raise NoBrowserError(
        f"{name.capitalize()} {program.least} or later is needed: {reason}.\n"
        f"On Debian: apt-get install {program.package}. Elsewhere: {program.homepage}"
    )


def ensure_browser(name: str) -> Path:
    """The executable of a browser, installed by apt first if it is missing and we are root on Debian.

    Raises:
        NoBrowserError: there is none and it could not be installed.
    """
    try:
        return browser_program(name)
    except NoBrowserError:
        if not _can_install():
            raise
    package = PROGRAMS[name].package
    _say(f"Installing {package} (apt-get) ...")
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", package, "fonts-liberation"]):
        _apt(arguments)
    return browser_program(name)


def _apt(arguments: list[str]) -> None:
    done = subprocess.run(
        ["apt-get", "--quiet", *arguments],
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NoBrowserError(f"apt-get {' '.join(arguments)} failed:\n{done.stderr.strip()}")


def _can_install() -> bool:
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return root and Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None


def _in_snap(program: Path) -> bool:
    if program.resolve().is_relative_to("/snap"):
        return True
    with program.open("rb") as file:  # Ubuntu's package is a script that calls the snap
        start = file.read(4096)
    return start.startswith(b"#!") and b"/snap/bin/" in start


def _version(program: str) -> int:
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60, check=False)
    number = re.search(r"(\d+)\.\d", done.stdout)
    return int(number[1]) if number else 0


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main(names: list[str]) -> int:
    """Make sure of the browsers that are named, by default of all."""
    wanted = names or list(BROWSERS)
    if unknown := [name for name in wanted if name not in PROGRAMS]:
        _say(f"no such browser: {', '.join(unknown)} (there are {', '.join(PROGRAMS)})")
        return 2
    failed = False
    for name in wanted:
        try:
            _say(f"{name}: {ensure_browser(name)}")
        except NoBrowserError as error:
            _say(str(error))
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
