"""Real browsers with a scratch profile, driven as a person would: by the toolbar button, keys and mouse."""

from tests.support.browsers.browser import Browser, BrowserError, ButtonState, wait_until
from tests.support.browsers.chromium import Chromium
from tests.support.browsers.firefox import Firefox

BROWSERS: dict[str, type[Browser]] = {"chromium": Chromium, "firefox": Firefox}

__all__ = ["BROWSERS", "Browser", "BrowserError", "ButtonState", "Chromium", "Firefox", "wait_until"]
