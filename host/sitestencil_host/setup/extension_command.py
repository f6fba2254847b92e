"""``sitestencil extension``: unpacks the browser extension and explains the clicks.

Every ``sitestencil --help`` imports this module, so it imports the rest only when needed.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command, say
from sitestencil_host.setup import BROWSER_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitestencil_host.setup.browsers import Browser, Machine
    from sitestencil_host.setup.extension_steps import Step


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--browser", choices=BROWSER_NAMES, help="for this browser only (default: all that are found)"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="DIR",
        help="unpack below this folder, as chromium or firefox (default: Sitestencil in the home folder)",
    )
    parser.add_argument("--no-open", action="store_true", help="open no browser with the steps")


def _run(options: argparse.Namespace) -> int:
    from sitestencil_host.setup.browsers import Machine
    from sitestencil_host.setup.extension_package import unpack_extension
    from sitestencil_host.setup.extension_steps import PAGE_NAME, SIGNING, open_steps, steps, steps_page
    from sitestencil_host.setup.file_replacement import replace_file
    from sitestencil_host.setup.manifests import InstallError

    machine = Machine()
    browsers = _without_extension(options, machine)
    if not browsers:
        return 0
    above = (options.output or machine.extension_folder).expanduser().absolute()
    for family in dict.fromkeys(browser.family for browser in browsers):
        unpack_extension(family, above / family)
    page = above / PAGE_NAME
    told = [(browser, steps(browser, above / browser.family)) for browser in browsers]
    try:
        replace_file(page, steps_page(told).encode())
    except OSError as error:
        raise InstallError(f"{page} cannot be written: {error.strerror}.") from None
    for browser, each in told:
        _tell(browser, each, machine)
    if any(browser.family == "firefox" for browser in browsers):
        say(SIGNING)
        say()
    say(f"The same steps with a picture: {page}")
    for browser in () if options.no_open else browsers:
        if open_steps(machine, browser, page.as_uri() + (f"#{browser.name}" if len(browsers) > 1 else "")):
            say(f"{browser.title} shows them now.")
    say("The extension needs the helper program: run sitestencil install, if you have not.")
    return 0


def _without_extension(options: argparse.Namespace, machine: "Machine") -> "list[Browser]":
    """Return the browsers to tell of, and tell which of the found ones have the extension."""
    from sitestencil_host.setup.extension_package import has_extension_of_package
    from sitestencil_host.setup.targets import chosen_browsers

    browsers = chosen_browsers(machine, options.browser)
    if options.browser is not None:
        return browsers
    ready = [browser for browser in browsers if has_extension_of_package(machine, browser.name)]
    for browser in ready:
        say(f"{browser.title} has the extension from the Debian package. Without a button, start it again.")
        say(f"  For a {browser.title} from elsewhere: sitestencil extension --browser {browser.name}")
        say()
    return [browser for browser in browsers if browser not in ready]


def _tell(browser: "Browser", steps: "Sequence[Step]", machine: "Machine") -> None:
    from sitestencil_host.setup.extension_package import extension_manifest, least_version

    version = extension_manifest(browser.family)["version"]
    say(f"{browser.title} ({least_version(browser.family)} or newer), extension {version}")
    for number, step in enumerate(steps, start=1):
        say(f"  {number}. {step}")
    for sandbox in machine.sandboxes(browser):
        say(f"  Note: {sandbox.words}")
    say()


extension = Command(
    name="extension",
    group="setup",
    help="unpack the extension, and show where to click",
    description="Unpack the extension, and show for each browser where to click.",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil extension
  sitestencil extension --browser firefox -o ~/sitestencil-extension""",
)
