"""The browsers (`browsers.json`): where each looks for host manifests, and how to detect it and its version.

The places on Linux are measured. Those on macOS and Windows come from documentation and users' reports. Brave reads
Chrome's folder on macOS (its own in some versions); Brave and Vivaldi read Chrome's key on Windows.
docs/packaging.md says where the folders for all users are known from.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from sitestencil.errors import SitestencilError

Family = Literal["chromium", "firefox"]
System = Literal["linux", "macos", "windows"]

HOSTS_FOLDER = "NativeMessagingHosts"
_SECONDS_TO_TELL = 10.0
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_OF_FIREFOX = re.compile(r"^LastVersion=([\d.]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Places:
    """A browser on one system.

    Attributes:
        profiles: folders that exist where the browser has run for this user.
        hosts: folders (Linux, macOS) or registry keys (Windows) for host manifests.
        for_all: folders for host manifests of all users.
    """

    profiles: tuple[str, ...]
    hosts: tuple[str, ...]
    for_all: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that can run the extension.

    Attributes:
        name: its name for ``--browser``.
        title: its name in texts.
        family: decides which manifest it reads.
        extensions_page: the address of its page for extensions.
        places: per system; ``{config}``, ``{home}``, ``{support}`` and ``{local}`` stand for folders.
        programs: its names on PATH.
        applications: its folders in macOS's ``Applications``.
        snap: its name as a snap.
        flatpak: its name as a flatpak.
    """

    name: str
    title: str
    family: Family
    extensions_page: str
    places: Mapping[System, Places]
    programs: tuple[str, ...]
    applications: tuple[str, ...] = ()
    snap: str | None = None
    flatpak: str | None = None


BROWSERS = msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes(), type=tuple[Browser, ...])
_DATA: Mapping[System, str] = {"linux": "{data}", "macos": "{support}", "windows": "{local}"}
BY_NAME: Mapping[str, Browser] = {browser.name: browser for browser in BROWSERS}


def _system() -> System:
    return "windows" if sys.platform == "win32" else "macos" if sys.platform == "darwin" else "linux"


def _home() -> Path:
    with suppress(RuntimeError):
        home = Path.home()
        if home.is_absolute() and home != home.parent:
            return home
    raise SitestencilError("HOME is not set to your home folder.")


@dataclass(frozen=True, slots=True)
class Sandbox:
    """An installed sandboxed package of a browser, an explanation, and whether it rules the host out."""

    words: str
    in_the_way: bool


@dataclass(frozen=True, slots=True)
class Machine:
    """The user's machine, with all that decides where browsers are.

    Attributes:
        system: the operating system.
        home: the user's home folder.
        environment: the environment variables.
        which: finds a program on PATH.
        snaps: where snaps are installed.
        flatpaks: where flatpaks are installed for all users.
        root: the root of the file system, for hosts of all users.
    """

    system: System = field(default_factory=_system)
    home: Path = field(default_factory=_home)
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    which: Callable[[str], str | None] = shutil.which
    snaps: Path = Path("/snap")
    flatpaks: Path = Path("/var/lib/flatpak/app")
    root: Path = Path("/")

    def found(self, browser: Browser) -> bool:
        """Return whether the user has the browser: it has run, or its program is installed."""
        profiles = (self.folder(profile) for profile in browser.places[self.system].profiles)
        return any(profile.is_dir() for profile in profiles) or self._installed(browser)

    def host_places(self, browser: Browser) -> list[str]:
        """Return the folders (registry keys on Windows) in which the browser looks for host manifests."""
        hosts = browser.places[self.system].hosts
        return list(hosts) if self.system == "windows" else [str(self.folder(place)) for place in hosts]

    @property
    def own_folder(self) -> Path:
        """The folder for files that browsers have to find."""
        return self.folder(f"{_DATA[self.system]}/sitestencil")

    @property
    def extension_folder(self) -> Path:
        """The folder for the unpacked extension: the file pickers of all systems and sandboxes show it."""
        return self.home / "Sitestencil"

    def folder(self, pattern: str) -> Path:
        """Return the folder for a pattern of the table."""
        get = self.environment.get
        config = get("CHROME_CONFIG_HOME") or get("XDG_CONFIG_HOME") or str(self.home / ".config")
        return Path(
            pattern.format(
                home=self.home,
                config=config,
                support=self.home / "Library/Application Support",
                local=get("LOCALAPPDATA") or self.home / "AppData/Local",
                data=get("XDG_DATA_HOME") or self.home / ".local/share",
                roaming=get("APPDATA") or self.home / "AppData/Roaming",
            )
        )

    def sandboxes(self, browser: Browser) -> list[Sandbox]:
        """Return the browser's installed sandboxed packages."""
        if self.system != "linux":
            return []
        found = []
        snaps = (self.snaps, self.root / "var/lib/snapd/snap")
        flatpaks = (self.folder("{data}/flatpak/app"), self.flatpaks)
        if browser.snap and any((folder / browser.snap).is_dir() for folder in snaps):
            found.append(_snap(browser))
        if browser.flatpak and any((folder / browser.flatpak).is_dir() for folder in flatpaks):
            found.append(_flatpak(browser))
        return found

    def _installed(self, browser: Browser) -> bool:
        if self.system == "macos":
            folders = (Path("/Applications"), self.home / "Applications")
            return any((folder / name).is_dir() for folder in folders for name in browser.applications)
        return any(map(self.which, browser.programs)) or bool(self.sandboxes(browser))


# The portal asks, remembers the answer, and shows it nowhere.
_ALLOWED = "If it does not ask, run: flatpak permission-set webextensions org.sitestencil.host"


def _snap(browser: Browser) -> Sandbox:
    if browser.family == "firefox":
        words = f"the snap asks once whether the extension may start the helper program: allow it. {_ALLOWED}"
        return Sandbox(f"{browser.title}: {words} snap.firefox yes", in_the_way=False)
    return _no_way_out(browser, "snap")


def _flatpak(browser: Browser) -> Sandbox:
    if browser.family == "firefox":
        words = "the flatpak can start the helper program from Firefox 157 on. Install an older one as a package."
        return Sandbox(f"{browser.title}: {words} {_ALLOWED} {browser.flatpak} yes", in_the_way=False)
    return _no_way_out(browser, "flatpak")


def _no_way_out(browser: Browser, package: str) -> Sandbox:
    return Sandbox(
        f"{browser.title} is installed as a {package}, which cannot start programs outside its sandbox, so the "
        f"extension will not find the helper program. Install {browser.title} as a package of your system instead.",
        in_the_way=True,
    )


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
            [program, "--version"], capture_output=True, text=True, timeout=_SECONDS_TO_TELL, check=False
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
