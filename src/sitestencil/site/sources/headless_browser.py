"""Start a headless browser through selenium: installed on this machine, never downloaded, always stopped."""

import os
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitestencil.errors import BrowserMissing, PackageMissing, WrongArgument
from sitestencil.page.memory_limit import without_memory_limit

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

WINDOW = (1280, 900)
# No name has an address, and all requests, also those to this machine, go to a proxy that does not exist.
_OFFLINE = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:1",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_OFFLINE_PREFERENCES: dict[str, str | int | bool] = {
    "network.proxy.type": 1,
    **{f"network.proxy.{kind}": "127.0.0.1" for kind in ("http", "ssl", "socks")},
    **{f"network.proxy.{kind}_port": 1 for kind in ("http", "ssl", "socks")},
    "network.proxy.allow_hijacking_localhost": True,
    "network.proxy.no_proxies_on": "",
    "network.proxy.failover_direct": False,
    "network.dns.disablePrefetch": True,
    "javascript.enabled": False,
}


@dataclass(frozen=True, slots=True)
class BrowserKind:
    """A kind of browser: its names on PATH, its driver, what starts both, and the packages that have them."""

    programs: tuple[str, ...]
    driver: str
    start: Callable[[str, str, bool], "WebDriver"]
    packages: str


def start_browser(name: str | None, answers_within: float, *, online: bool = True) -> "WebDriver":
    """Start a headless browser with an empty profile.

    Args:
        name: ``chromium`` or ``firefox``; None for the first one installed with its driver.
        answers_within: the timeout for the driver's answers, in seconds.
        online: whether it may use the network; without it, it shows files alone, and runs no scripts.

    Raises:
        PackageMissing: selenium is not installed.
        BrowserMissing: the browser or its driver is missing, or does not start; the message tells the remedy.
        WrongArgument: the name is unknown.
    """
    if name is not None and name not in BROWSER_KINDS:
        raise WrongArgument(f"browser= takes one of {', '.join(BROWSER_KINDS)}, not {name!r}.")
    try:
        from selenium.common.exceptions import WebDriverException
    except ImportError:
        raise PackageMissing("Rendering needs selenium.", "render") from None
    kinds = BROWSER_KINDS.values() if name is None else (BROWSER_KINDS[name],)
    paths = next(((kind, found) for kind in kinds if (found := _paths(kind))), None)
    if paths is None:
        packages = ", or ".join(kind.packages for kind in kinds)
        raise BrowserMissing(f"Rendering needs a browser and the program that drives it: install {packages}.")
    kind, (driver, program) = paths
    try:
        with without_memory_limit():
            browser = kind.start(driver, program, online)
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


def stop_browser(browser: "WebDriver", *, hangs: bool = False) -> None:
    """Stop a browser.

    Args:
        browser: the browser.
        hangs: whether a page holds it up. Chromium's driver would wait for it, and end without it.
    """
    profile = browser.capabilities.get("chrome", {}).get("userDataDir")
    if hangs and profile:
        with suppress(OSError, ValueError):  # Chromium's lock is a link to "host-process"; Windows has none
            lock = Path(profile, "SingletonLock").readlink().name
            os.kill(int(lock.rpartition("-")[2]), signal.SIGKILL)
    with suppress(Exception):
        browser.quit()


def _paths(kind: BrowserKind) -> tuple[str, str] | None:
    """Return the paths of the driver and the program, if both exist."""
    driver = shutil.which(kind.driver)
    program = next(filter(None, map(shutil.which, kind.programs)), None)
    return (driver, program) if driver and program else None


def _chromium(driver: str, program: str, online: bool) -> "WebDriver":
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = _with_common(ChromeOptions())
    options.binary_location = program
    flags = (
        "--headless=new --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
        "--disable-sync --disable-extensions --mute-audio --disable-dev-shm-usage "
        f"--window-size={WINDOW[0]},{WINDOW[1]}"
    )
    for flag in flags.split():
        options.add_argument(flag)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # as root, Chromium needs this flag to start
    prefs: dict[str, object] = {"download_restrictions": 3}  # forbid all downloads
    if not online:
        for flag in _OFFLINE:
            options.add_argument(flag)
        prefs["profile.managed_default_content_settings.javascript"] = 2  # forbid
    options.add_experimental_option("prefs", prefs)
    return Chrome(options=options, service=ChromeService(executable_path=driver))


def _firefox(driver: str, program: str, online: bool) -> "WebDriver":
    from selenium.webdriver import Firefox, FirefoxOptions, FirefoxService

    options = _with_common(FirefoxOptions())
    options.binary_location = program
    for flag in ("-headless", f"--width={WINDOW[0]}", f"--height={WINDOW[1]}"):
        options.add_argument(flag)
    options.set_preference("browser.download.always_ask_before_handling_new_types", True)
    options.set_preference("media.volume_scale", "0.0")
    for name, value in {} if online else _OFFLINE_PREFERENCES.items():
        options.set_preference(name, value)
    return Firefox(options=options, service=FirefoxService(executable_path=driver, log_output=os.devnull))


def _with_common(options: Any) -> Any:  # noqa: ANN401 - selenium's options share no type
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
