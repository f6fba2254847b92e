"""Hosts that an administrator or a package has registered for all users of a Linux or macOS machine."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from sitestencil_host.setup.browsers import BROWSERS, Browser, Machine, System
from sitestencil_host.setup.launcher import Launcher
from sitestencil_host.setup.manifests import FILE_NAME

# Measured in Debian's Chromium and Firefox; docs/packaging.md says where the others are known from.
_FOLDERS: Mapping[System, Mapping[str, tuple[str, ...]]] = {
    "linux": {
        "chromium": ("etc/chromium/native-messaging-hosts",),
        "chrome": ("etc/opt/chrome/native-messaging-hosts",),
        "edge": ("etc/opt/edge/native-messaging-hosts",),
        "brave": ("etc/chromium/native-messaging-hosts",),
        "vivaldi": ("etc/vivaldi/native-messaging-hosts",),
        "firefox": ("usr/lib/mozilla/native-messaging-hosts", "usr/lib64/mozilla/native-messaging-hosts"),
    },
    "macos": {
        "chromium": ("Library/Application Support/Chromium/NativeMessagingHosts",),
        "chrome": ("Library/Google/Chrome/NativeMessagingHosts",),
        "edge": ("Library/Microsoft/Edge/NativeMessagingHosts",),
        "firefox": ("Library/Application Support/Mozilla/NativeMessagingHosts",),
    },
    "windows": {},
}


def system_manifests(machine: Machine, browser: Browser) -> tuple[Path, ...]:
    """Return where the browser looks for a manifest of all users, after the user's own."""
    return tuple(machine.root / folder / FILE_NAME for folder in _FOLDERS[machine.system].get(browser.name, ()))


def names(manifests: Iterable[Path], launcher: Launcher) -> bool:
    """Return whether one of the manifests for all users names this installation's program."""
    return any(file.is_file() and executable_of(file) == str(launcher.path) for file in manifests)


def is_for_all_users(machine: Machine, launcher: Launcher) -> bool:
    """Return whether this installation is registered for all users, as that of a Debian package is."""
    return any(names(system_manifests(machine, browser), launcher) for browser in BROWSERS)


def executable_of(file: Path) -> str:
    """Return the program that a manifest names, or words that say that it names none."""
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
        return str(manifest["path"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "nothing: it is no host manifest"
