"""The steps to load the unpacked extension into a browser, and a page that shows them with a picture."""

import base64
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template

from sitestencil_host.setup.browsers import Browser, Machine

PAGE_NAME = "steps.html"
_HERE = Path(__file__).parent
_MARK = "<title>Add Sitestencil to your browser</title>"
_MARKED_BYTES = 2_000
_SWITCH = {"edge": "Switch on Developer mode, on the left."}
# A browser that cannot start says so within this time; one that starts runs on.
_SECONDS_TO_FAIL = 1.0
_SECTION = """\
<section id="{name}">
<h2>{title}</h2>
<ol>
{steps}
</ol>
<p><img src="data:image/png;base64,{picture}" alt="{alt}"></p>
</section>"""
_SHOWN = {
    "chromium": "The page of extensions. 2: the switch Developer mode, at the top right. 3: the button Load "
    "unpacked, at the top left.",
    "firefox": "The page This Firefox. 2: the button Load Temporary Add-on, at the right.",
}

SIGNING = """\
Firefox keeps an extension for good only if Mozilla has signed it. To have it signed for yourself (free, with an
account at addons.mozilla.org): give it an id of your own in manifest.json, and the same in the host's manifest; zip
the files of the folder, manifest.json at the top; hand the zip in at
https://addons.mozilla.org/developers/addon/submit/distribution as "On your own"; install the .xpi that comes back.
Firefox ESR, Developer Edition and Nightly also keep an unsigned one (the zip, named .xpi) where about:config has
xpinstall.signatures.required set to false."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Attributes:
        words: the sentence; ``{}`` stands for the text to type or choose.
        typed: that text.
    """

    words: str
    typed: str = ""

    def __str__(self) -> str:
        return self.words.format(self.typed)


def steps(browser: Browser, folder: Path) -> Sequence[Step]:
    """Return the steps to load the unpacked extension in a folder into a browser."""
    if browser.family == "firefox":
        return (
            Step("Type {} into the address bar, if no tab shows it yet.", browser.extensions_page),
            Step("Click Load Temporary Add-on..."),
            Step("Choose the file {}", str(folder / "manifest.json")),
            Step("The button is in the toolbar. It stays until Firefox is closed; then do this again."),
        )
    return (
        Step("Type {} into the address bar.", browser.extensions_page),
        Step(_SWITCH.get(browser.name, "Switch on Developer mode, at the top right.")),
        Step("Click Load unpacked, and choose the folder {}", str(folder)),
        Step("Click the piece of a puzzle in the toolbar, and the pin beside Sitestencil."),
        Step(
            "Keep the folder: the browser reads it at each start. After an update, run this command again and "
            "click the round arrow of Sitestencil on that page."
        ),
    )


def steps_page(told: Iterable[tuple[Browser, Sequence[Step]]]) -> str:
    """Return the page with the steps for these browsers; its pictures are inside."""
    return Template((_HERE / "steps.html").read_text("utf-8")).substitute(
        sections="\n".join(_section(browser, steps) for browser, steps in told)
    )


def is_steps_page(file: Path) -> bool:
    """Return whether a file is such a page.

    Raises:
        OSError: it cannot be read.
    """
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        return _MARK.encode() in stream.read(_MARKED_BYTES)


def _section(browser: Browser, steps: Sequence[Step]) -> str:
    picture = (_HERE / "pictures" / f"{browser.family}.png").read_bytes()
    return _SECTION.format(
        name=browser.name,
        title=escape(browser.title),
        steps="\n".join(f"<li>{_marked(step)}</li>" for step in steps),
        picture=base64.b64encode(picture).decode(),
        alt=_SHOWN[browser.family],
    )


def _marked(step: Step) -> str:
    return escape(step.words).format(f"<code>{escape(step.typed)}</code>")


def open_steps(machine: Machine, browser: Browser, address: str) -> bool:
    """Open the page of steps in a browser, and the browser's own where it allows that; return whether it is open.

    Firefox opens its page for extensions from a command line. Chromium and its kin refuse theirs.
    """
    if machine.system == "windows":
        return _open_by_windows(address)
    command = _command(machine, browser)
    if command is None:
        return False
    browser_pages = [browser.extensions_page] if browser.family == "firefox" and machine.system == "linux" else []
    return _starts([*command, address, *browser_pages])


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
