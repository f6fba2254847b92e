"""Hosts that an administrator has registered for all users of a Linux or macOS machine."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from sitestencil_host.setup.browsers import Browser, Machine, System
from sitestencil_host.setup.manifests import FILE_NAME

# From the browsers' documentation; Debian uses the same for Chromium and Firefox.
_FOLDERS: Mapping[System, Mapping[str, tuple[str, ...]]] = {
    "linux": {
        "chromium": ("etc/chromium/native-messaging-hosts",),
        "chrome": ("etc/opt/chrome/native-messaging-hosts",),
        "edge": ("etc/opt/edge/native-messaging-hosts",),
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


def system_hosts(machine: Machine, browser: Browser) -> Iterator[tuple[Path, str]]:
    """Yield the manifests for all users, each with its program."""
    for folder in _FOLDERS[machine.system].get(browser.name, ()):
        file = machine.root / folder / FILE_NAME
        if file.is_file():
            yield file, _executable(file)


def _executable(file: Path) -> str:
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
        return str(manifest["path"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "nothing: it is no host manifest"
