"""Opens pages in a browser that the user has."""

import os
import subprocess
import sys
from contextlib import suppress

from sitestencil_host.setup.browsers import Browser, Machine
from sitestencil_host.setup.extension_steps import FIREFOX_PAGE

# A browser that cannot start says so within this time; one that starts runs on.
_SECONDS_TO_FAIL = 1.0


def open_steps(machine: Machine, browser: Browser, address: str) -> bool:
    """Open the page of steps in a browser, and the browser's own where it allows that; return whether it is open.

    Firefox opens its page for extensions from a command line. Chromium and its kin refuse theirs.
    """
    if machine.system == "windows":
        return _open_by_windows(address)
    command = _command(machine, browser)
    if command is None:
        return False
    own = [FIREFOX_PAGE] if browser.family == "firefox" and machine.system == "linux" else []
    return _starts([*command, address, *own])


def _command(machine: Machine, browser: Browser) -> list[str] | None:
    if machine.system == "macos":
        return ["open", "-a", browser.applications[0].removesuffix(".app")]
    has_display = machine.environment.get("DISPLAY") or machine.environment.get("WAYLAND_DISPLAY")
    program = next(filter(None, map(machine.which, browser.programs)), None)
    return [program] if has_display and program else None


def _starts(command: list[str]) -> bool:
    try:
        process = subprocess.Popen(  # noqa: S603 - the browser itself
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return process.wait(_SECONDS_TO_FAIL) == 0
    except subprocess.TimeoutExpired:
        process.returncode = 0  # it is the user's from now on
        return True
    except OSError:
        return False


def _open_by_windows(address: str) -> bool:
    if sys.platform == "win32":
        with suppress(OSError):
            os.startfile(address)  # noqa: S606 - our own page, in the browser of the user's choice
            return True
    return False
