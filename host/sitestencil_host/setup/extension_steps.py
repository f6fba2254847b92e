"""The steps to load the unpacked extension into a browser."""

from collections.abc import Sequence
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
_FIREFOX = "about:debugging#/runtime/this-firefox"

SIGNING = """\
Firefox keeps an extension for good only if Mozilla has signed it. To have it signed for yourself (free, with an
account at addons.mozilla.org): give it an id of your own in manifest.json, and the same in the host's manifest; zip
the files of the folder, manifest.json at the top; hand the zip in at
https://addons.mozilla.org/developers/addon/submit/distribution as "On your own"; install the .xpi that comes back.
Firefox ESR, Developer Edition and Nightly also keep an unsigned one (the zip, named .xpi) where about:config has
xpinstall.signatures.required set to false."""


def steps(browser: Browser, folder: Path) -> Sequence[str]:
    """Return the steps for a browser, one sentence each.

    Args:
        browser: the browser.
        folder: the unpacked extension.
    """
    if browser.family == "firefox":
        return (
            f"Type {_FIREFOX} into the address bar.",
            "Click Load Temporary Add-on...",
            f"Choose the file {folder / 'manifest.json'}",
            "The button is in the toolbar. It stays until Firefox is closed; then do this again, or have the "
            "extension signed (below).",
        )
    return (
        f"Type {_PAGES[browser.name]} into the address bar.",
        _SWITCH.get(browser.name, "Switch on Developer mode, at the top right."),
        f"Click Load unpacked, and choose the folder {folder}",
        "Click the piece of a puzzle in the toolbar, and the pin beside Sitestencil.",
        "Keep the folder: the browser reads it at each start. After an update, run this command again and click "
        "the round arrow of Sitestencil on that page.",
    )
