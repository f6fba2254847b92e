"""``sitestencil extension``: unpacks the browser extension and explains the clicks.

Every ``sitestencil --help`` imports this module, so it imports the rest only when needed.
"""

import argparse
from pathlib import Path

from sitestencil.cli.command import Command, say
from sitestencil_host.setup.browser_names import BROWSER_NAMES


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--browser", choices=BROWSER_NAMES, help="for this browser only (default: all that are found)"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="DIR",
        help="unpack below this folder, as chromium or firefox (default: Sitestencil's own, which stays)",
    )


def _run(options: argparse.Namespace) -> int:
    from sitestencil_host.setup.browsers import Machine
    from sitestencil_host.setup.extension_package import (
        extension_manifest,
        has_extension_of_package,
        least_version,
        unpack_extension,
    )
    from sitestencil_host.setup.extension_steps import SIGNING, steps
    from sitestencil_host.setup.targets import chosen_browsers

    machine = Machine()
    browsers = chosen_browsers(machine, options.browser)
    if options.browser is None:
        ready = [browser for browser in browsers if has_extension_of_package(machine, browser.name)]
        for browser in ready:
            say(f"{browser.title} has the extension from the Debian package. Without a button, start it again.")
            say(f"  For a {browser.title} from elsewhere: sitestencil extension --browser {browser.name}")
            say()
        browsers = [browser for browser in browsers if browser not in ready]
        if not browsers:
            return 0
    above = (options.output or machine.own_folder / "extension").expanduser().absolute()
    for family in dict.fromkeys(browser.family for browser in browsers):
        unpack_extension(family, above / family)
    for browser in browsers:
        version = extension_manifest(browser.family)["version"]
        say(f"{browser.title} ({least_version(browser.family)} or newer), extension {version}")
        for number, step in enumerate(steps(browser, above / browser.family), start=1):
            say(f"  {number}. {step}")
        for sandbox in machine.sandboxes(browser):
            say(f"  Note: {sandbox.words}")
        say()
    if any(browser.family == "firefox" for browser in browsers):
        say(SIGNING)
        say()
    say("The extension needs the helper program: run sitestencil install, if you have not.")
    return 0


extension = Command(
    name="extension",
    group="setup",
    help="unpack the extension, and say where to click",
    description="Unpack the extension, and say for each browser where to click.",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil extension
  sitestencil extension --browser firefox -o ~/sitestencil-extension""",
)
