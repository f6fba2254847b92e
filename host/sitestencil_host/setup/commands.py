"""The host's subcommands of ``sitestencil``: install, uninstall, doctor, extension.

Every ``sitestencil --help`` imports this module, so it imports the rest only when needed.
"""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command, say
from sitestencil.cli.options import folder_path
from sitestencil.errors import WrongUsage
from sitestencil_host.setup import BROWSER_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitestencil_host.setup.browsers import Browser, Machine
    from sitestencil_host.setup.extension_steps import Step
    from sitestencil_host.setup.install import Say
    from sitestencil_host.setup.targets import Target


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--browser", choices=(*BROWSER_NAMES, "all"), help="this browser only (default: all that are found)"
    )
    parser.add_argument(
        "--user-data-dir",
        type=folder_path,
        metavar="DIR",
        help="the Chromium, of whatever make, that is started with this --user-data-dir (Linux, macOS)",
    )


def _configure_with_dry_run(parser: argparse.ArgumentParser) -> None:
    _configure(parser)
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")


def _targets(options: argparse.Namespace, machine: "Machine") -> list["Target"]:
    from sitestencil_host.setup.targets import browser_targets, chosen_browsers, user_data_target

    if options.user_data_dir is not None:
        if options.browser == "firefox":
            raise WrongUsage("Firefox has no --user-data-dir: its host manifests stand in one place. Leave it out.")
        return [user_data_target(machine, options.user_data_dir)]
    return browser_targets(machine, chosen_browsers(machine, options.browser))


def _install(options: argparse.Namespace) -> int:
    from sitestencil_host.setup.browsers import BROWSERS, Machine
    from sitestencil_host.setup.install import compile_missing, without_package
    from sitestencil_host.setup.install import install as register
    from sitestencil_host.setup.manifests import Registry, host_launcher

    machine = Machine()
    chosen = _targets(options, machine)
    launcher = host_launcher(machine)
    targets = without_package(chosen, launcher, say)
    if not targets:
        say("The package connects the browsers of all users. For one without a button, run: sitestencil extension")
        return 0
    register(targets, launcher, Registry(), say, dry_run=options.dry_run)
    if not options.dry_run and (count := compile_missing()):
        say(f"Compiled {count} modules, so that the helper program starts fast.")
    for browser in BROWSERS if options.user_data_dir is None else ():
        if options.browser in {None, "all", browser.name}:
            for sandbox in machine.sandboxes(browser):
                say(f"Note: {sandbox.words}")
    say(f"The helper program is {launcher.path}")
    say()
    say("Next, run: sitestencil extension")
    say("It says how the browser gets the extension. Then open a page, and click the extension's button.")
    say("If it does not find the helper program, run: sitestencil doctor")
    return 0


def _uninstall(options: argparse.Namespace) -> int:
    from sitestencil_host.log import log_folder
    from sitestencil_host.setup.browsers import BROWSERS, Machine
    from sitestencil_host.setup.extension_package import remove_extension
    from sitestencil_host.setup.install import uninstall as unregister
    from sitestencil_host.setup.manifests import Registry, host_launcher
    from sitestencil_host.setup.targets import browser_targets, is_for_all_users

    machine = Machine()
    log = log_folder()
    kept: list[Target] = []
    if options.user_data_dir is None and options.browser in {None, "all"}:
        targets = browser_targets(machine, BROWSERS)
    else:
        targets = _targets(options, machine)
        others = [browser for browser in BROWSERS if browser.name != options.browser and machine.found(browser)]
        kept = browser_targets(machine, others)
    count = unregister(targets, kept, machine, Registry(), say, dry_run=options.dry_run)
    if options.user_data_dir is None:
        families = dict.fromkeys(target.family for target in targets)
        unused = [family for family in families if family not in {target.family for target in kept}]
        count += remove_extension(machine.extension_folder, unused, say, dry_run=options.dry_run)
    if not count:
        say("There was nothing to remove.")
    say(f"The log, if there is one, stays: {log}")
    if is_for_all_users(machine, host_launcher(machine)):
        say("The package stays, for all users. To remove it: sudo apt remove sitestencil")
    return 0


def _configure_doctor(parser: argparse.ArgumentParser) -> None:
    _configure(parser)
    parser.add_argument(
        "--report", action="store_true", help="print it to be pasted into a report: fenced, the home folder as ~"
    )


def _doctor(options: argparse.Namespace) -> int:
    if not options.report:
        return _examine(options, say)
    home = str(Path.home())

    def say_without_home(line: str = "") -> None:
        say(line.replace(home, "~") if len(home) > 1 else line)

    say("```")
    try:
        return _examine(options, say_without_home)
    finally:
        say("```")


def _examine(options: argparse.Namespace, say: "Say") -> int:
    from sitestencil_host.log import log_folder
    from sitestencil_host.setup.browsers import BROWSERS, Machine
    from sitestencil_host.setup.doctor import Doctor
    from sitestencil_host.setup.manifests import Registry, host_launcher
    from sitestencil_host.setup.targets import named_or_found

    machine = Machine()
    doctor = Doctor(machine, Registry(), host_launcher(machine), say)
    doctor.tell_versions(named_or_found(machine, options.browser))
    targets = _targets(options, machine)
    if options.user_data_dir is None:
        doctor.check_sandboxes(b for b in BROWSERS if options.browser in {None, "all", b.name})
    answered = [doctor.check(target) for target in targets]
    if not any(answered):
        doctor.check_own_host()
    say(f"The helper program's log: {log_folder()}")
    wrong = "One thing is" if doctor.wrong == 1 else f"{doctor.wrong} things are"
    say(f"{wrong} wrong." if doctor.wrong else "All is well.")
    if not options.report:
        say("To report what you see: sitestencil doctor --report")
    return 1 if doctor.wrong else 0


def _configure_extension(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--browser", choices=BROWSER_NAMES, help="for this browser only (default: all that are found)"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=folder_path,
        metavar="DIR",
        help="unpack below this folder, as chromium or firefox (default: Sitestencil in the home folder)",
    )
    parser.add_argument("--no-open", action="store_true", help="open no browser with the steps")


def _extension(options: argparse.Namespace) -> int:
    from sitestencil.kept_files import write_file
    from sitestencil_host.setup.browsers import Machine
    from sitestencil_host.setup.extension_package import unpack_extension
    from sitestencil_host.setup.extension_steps import (
        PAGE_NAME,
        SIGNING,
        is_steps_page,
        open_steps,
        steps,
        steps_page,
    )
    from sitestencil_host.setup.manifests import InstallError

    machine = Machine()
    browsers = _without_extension(options, machine)
    if not browsers:
        return 0
    above = (options.output or machine.extension_folder).expanduser().absolute()
    page = above / PAGE_NAME
    try:
        if os.path.lexists(page) and not is_steps_page(page):
            raise InstallError(f"{page} is not a page of this program. Name another folder with -o.")
    except OSError as error:
        raise InstallError(f"{page} cannot be read: {error.strerror}.") from None
    for family in dict.fromkeys(browser.family for browser in browsers):
        unpack_extension(family, above / family)
    told = [(browser, steps(browser, above / browser.family)) for browser in browsers]
    try:
        write_file(page, steps_page(told).encode(), 0o644, sync=True)
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


install = Command(
    name="install",
    group="setup",
    help="connect your browsers with the helper program",
    description="Connect your browsers with the helper program: write the host manifests that name it.",
    configure=_configure_with_dry_run,
    run=_install,
    epilog="""\
examples:
  sitestencil install
  sitestencil install --browser firefox --dry-run""",
)
uninstall = Command(
    name="uninstall",
    group="setup",
    help="undo install",
    description="Remove the host manifests that install wrote, and what extension put into the folder Sitestencil.",
    configure=_configure_with_dry_run,
    run=_uninstall,
)
doctor = Command(
    name="doctor",
    group="setup",
    help="say why a browser does not find the helper program",
    description="Tell all versions, check each browser's host manifest, start the helper program as the browser "
    "would, and say what is wrong.",
    configure=_configure_doctor,
    run=_doctor,
)
extension = Command(
    name="extension",
    group="setup",
    help="unpack the extension, and show where to click",
    description="Unpack the extension, and show for each browser where to click.",
    configure=_configure_extension,
    run=_extension,
    epilog="""\
examples:
  sitestencil extension
  sitestencil extension --browser firefox -o ~/sitestencil-extension""",
)
