"""The places of registration, of this user or of all: manifest files, and on Windows registry keys."""

import json
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sitestencil_host.setup.browsers import BROWSERS, BY_NAME, HOSTS_FOLDER, Browser, Family, Machine
from sitestencil_host.setup.manifests import FILE_NAME, HOST_NAME, InstallError, Launcher


@dataclass(frozen=True, slots=True)
class Target:
    """One place of registration.

    Attributes:
        title: the browser's name in texts.
        family: decides the manifest.
        file: the manifest.
        key: the registry key that holds the file's path; None without a registry.
        option: the command-line option that chooses it.
        for_all: where manifests for all users may be; the browser looks there where ``file`` is missing.
    """

    title: str
    family: Family
    file: Path
    key: str | None
    option: str
    for_all: tuple[Path, ...] = ()

    @property
    def read(self) -> Path:
        """The manifest that the browser reads."""
        return next((file for file in (self.file, *self.for_all) if file.is_file()), self.file)

    @property
    def place(self) -> str:
        """The identity of a target."""
        return self.key or str(self.file)


def chosen_browsers(machine: Machine, name: str | None) -> list[Browser]:
    """Return the browsers of ``--browser NAME``, or all installed ones without it.

    Raises:
        InstallError: none is found.
    """
    found = named_or_found(machine, name)
    if not found:
        raise InstallError(
            "No browser was found for this user. Name one with --browser, or its folder with --user-data-dir."
        )
    return found


def named_or_found(machine: Machine, name: str | None) -> list[Browser]:
    """Return the browser of this name, or all installed ones."""
    if name and name != "all":
        return [BY_NAME[name]]
    return [browser for browser in BROWSERS if machine.found(browser)]


def browser_targets(machine: Machine, browsers: Iterable[Browser]) -> list[Target]:
    """Return the browsers' places, shared ones only once."""
    targets: dict[str, Target] = {}
    for browser in browsers:
        for place in machine.host_places(browser):
            if machine.system == "windows":
                file, key = machine.own_folder / browser.family / FILE_NAME, rf"{place}\{HOST_NAME}"
            else:
                file, key = Path(place) / FILE_NAME, None
            for_all = system_manifests(machine, browser)
            target = Target(browser.title, browser.family, file, key, f"--browser {browser.name}", for_all)
            targets.setdefault(target.place, target)
    return list(targets.values())


def user_data_target(machine: Machine, folder: Path) -> Target:
    """Return the place for a Chromium with ``--user-data-dir``.

    Raises:
        InstallError: Windows has none.
    """
    if machine.system == "windows":
        raise InstallError(
            "On Windows a browser finds the helper program by the registry, whatever its user data folder: "
            "leave --user-data-dir out."
        )
    folder = folder.expanduser().absolute()
    return Target(
        f"Chromium with {folder}",
        "chromium",
        folder / HOSTS_FOLDER / FILE_NAME,
        None,
        f"--user-data-dir {shlex.quote(str(folder))}",
        system_manifests(machine, BY_NAME["chromium"]),
    )


def system_manifests(machine: Machine, browser: Browser) -> tuple[Path, ...]:
    """Return where the browser looks for a manifest of all users, after the user's own."""
    return tuple(machine.root / folder / FILE_NAME for folder in browser.places[machine.system].for_all)


def names(manifests: Iterable[Path], launcher: Launcher) -> bool:
    """Return whether one of the manifests for all users names this installation's program."""
    return any(file.is_file() and executable_of(file) == str(launcher.path) for file in manifests)


def is_for_all_users(machine: Machine, launcher: Launcher) -> bool:
    """Return whether this installation is registered for all users, as that of a Debian package is."""
    return any(names(system_manifests(machine, browser), launcher) for browser in BROWSERS)


def is_foreign(file: Path) -> bool:
    """Return whether a file lies there that is no manifest of this host: by its name, or as it is damaged."""
    return file.is_file() and _field(file, "name") != HOST_NAME


def executable_of(file: Path) -> str:
    """Return the program that a manifest names, or words that say that it names none."""
    return _field(file, "path")


def _field(file: Path, name: str) -> str:
    try:
        return str(json.loads(file.read_text(encoding="utf-8"))[name])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "nothing: it is no host manifest"
