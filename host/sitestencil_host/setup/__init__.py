"""Connects browsers and program: install, doctor, manifests, the packed extension."""

# For `--browser`: here, so that `sitestencil --help` reads no table of browsers.
BROWSER_NAMES = ("chromium", "chrome", "edge", "brave", "vivaldi", "firefox")
