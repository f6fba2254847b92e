"""The names that ``--browser`` takes; apart, so that ``sitestencil --help`` reads no more than these."""

BROWSER_NAMES = ("chromium", "chrome", "edge", "brave", "vivaldi", "firefox")
