"""The names for ``--browser``, in their own module so that ``sitestencil --help`` starts fast."""

BROWSER_NAMES = ("chromium", "chrome", "edge", "brave", "vivaldi", "firefox")
