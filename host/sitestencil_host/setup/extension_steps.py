"""The steps to load the unpacked extension into a browser."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sitestencil_host.setup.browsers import Browser

_PAGES = {
    "chromium": "chrome://extensions",
    "chrome": "chrome://extensions",
    "edge": "edge://extensions",
    "brave": "brave://extensions",
    "vivaldi": "vivaldi://extensions",
}
_SWITCH = {"edge": "Switch on Developer mode, on the left."}
FIREFOX_PAGE = "about:debugging#/runtime/this-firefox"

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
    """Return the steps for a browser.

    Args:
        browser: the browser.
        folder: the unpacked extension.
    """
    if browser.family == "firefox":
        return (
            Step("Type {} into the address bar, if no tab shows it yet.", FIREFOX_PAGE),
            Step("Click Load Temporary Add-on..."),
            Step("Choose the file {}", str(folder / "manifest.json")),
            Step("The button is in the toolbar. It stays until Firefox is closed; then do this again."),
        )
    return (
        Step("Type {} into the address bar.", _PAGES[browser.name]),
        Step(_SWITCH.get(browser.name, "Switch on Developer mode, at the top right.")),
        Step("Click Load unpacked, and choose the folder {}", str(folder)),
        Step("Click the piece of a puzzle in the toolbar, and the pin beside Sitestencil."),
        Step(
            "Keep the folder: the browser reads it at each start. After an update, run this command again and "
            "click the round arrow of Sitestencil on that page."
        ),
    )
