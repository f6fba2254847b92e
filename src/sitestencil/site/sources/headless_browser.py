"""A browser without a window, driven through selenium: found on this machine, never downloaded, always ended."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitestencil.errors import BrowserMissing, PackageMissing, WrongArgument

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

WINDOW = (1280, 900)


@dataclass(frozen=True, slots=True)
class BrowserKind:
    """A kind of browser.

    Attributes:
        programs: what it may be called on PATH.
        driver: the program that drives it.
        start: starts it, by the paths of driver and program.
        packages: what to install where it is missing.
    """

    programs: tuple[str, ...]
    driver: str
    start: Callable[[str, str], "WebDriver"]
    packages: str


def start_browser(name: str | None, answers_within: float) -> "WebDriver":
    """Start a browser without a window, with an empty profile.

    Args:
        name: ``chromium`` or ``firefox``; None for the first of them that is there with its driver.
        answers_within: seconds after which an answer of the driver's is not waited for any longer.

    Raises:
        PackageMissing: selenium is not installed.
        BrowserMissing: the browser or its driver is not installed, or does not start; the text says what to do.
        WrongArgument: there is no such kind of browser.
    """
    if name is not None and name not in BROWSER_KINDS:
        raise WrongArgument(f"browser= takes one of {', '.join(BROWSER_KINDS)}, not {name!r}.")
    _check_selenium()
    from selenium.common.exceptions import WebDriverException

    kinds = BROWSER_KINDS.values() if name is None else (BROWSER_KINDS[name],)
    paths = next(((kind, found) for kind in kinds if (found := _paths(kind))), None)
    if paths is None:
        packages = ", or ".join(kind.packages for kind in kinds)
        raise BrowserMissing(f"Rendering needs a browser and the program that drives it: install {packages}.")
    kind, (driver, program) = paths
    try:
        browser = kind.start(driver, program)
    except (WebDriverException, OSError) as error:
        raise BrowserMissing(
            f"{program} does not start with {driver}: {getattr(error, 'msg', None) or error} "
            f"Look whether both are of one version: {kind.packages}."
        ) from None
    browser.set_script_timeout(answers_within)
    executor = browser.command_executor
    assert not isinstance(executor, str), "a started browser has its connection"
    executor.client_config.timeout = answers_within
    return browser


def _check_selenium() -> None:
    try:
        import selenium  # noqa: F401
    except ImportError:
        raise PackageMissing("Rendering needs selenium.", "render") from None


def _paths(kind: BrowserKind) -> tuple[str, str] | None:
    """Return where the driver and the program are, if both are there."""
    driver = shutil.which(kind.driver)
    program = next(filter(None, map(shutil.which, kind.programs)), None)
    return (driver, program) if driver and program else None


def _chromium(driver: str, program: str) -> "WebDriver":
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = _with_common(ChromeOptions())
    options.binary_location = program
    flags = "--headless=new --disable-gpu --no-first-run --disable-background-networking --disable-component-update"
    for flag in (
        *flags.split(),
        "--disable-sync",
        "--disable-extensions",
        "--mute-audio",
        "--disable-dev-shm-usage",
    ):
        options.add_argument(flag)
    options.add_argument(f"--window-size={WINDOW[0]},{WINDOW[1]}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # Chromium refuses to start as root with it
    options.add_experimental_option("prefs", {"download_restrictions": 3})  # none
    return Chrome(options=options, service=ChromeService(executable_path=driver))


def _firefox(driver: str, program: str) -> "WebDriver":
    from selenium.webdriver import Firefox, FirefoxOptions, FirefoxService

    options = _with_common(FirefoxOptions())
    options.binary_location = program
    for flag in ("-headless", f"--width={WINDOW[0]}", f"--height={WINDOW[1]}"):
        options.add_argument(flag)
    options.set_preference("browser.download.always_ask_before_handling_new_types", True)
    options.set_preference("media.volume_scale", "0.0")
    return Firefox(options=options, service=FirefoxService(executable_path=driver, log_output=os.devnull))


def _with_common(options: Any) -> Any:  # noqa: ANN401 - selenium's options have no common type that is told
    options.page_load_strategy = "eager"
    options.unhandled_prompt_behavior = "dismiss"
    return options


BROWSER_KINDS = {
    "chromium": BrowserKind(
        ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
        "chromedriver",
        _chromium,
        "Chromium or Chrome and its chromedriver (Debian: chromium-driver)",
    ),
    "firefox": BrowserKind(("firefox", "firefox-esr"), "geckodriver", _firefox, "Firefox and geckodriver"),
}
