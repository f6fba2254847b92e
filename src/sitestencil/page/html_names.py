"""Names of HTML elements that several rooms use. Sets that differ on purpose stand side by side."""

from os import urandom
from pathlib import Path

from sitestencil.page.lists import read_lists

_LISTS = read_lists(Path(__file__).with_name("html_names.txt"))

# Elements that link to another page by an ``href``.
LINKS = frozenset({"a", "area"})
VOID = frozenset(_LISTS["without end tag"])
BLOCKS = frozenset(_LISTS["blocks"])
INLINE = frozenset(_LISTS["inline"])
CELLS = frozenset({"td", "th"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
UNSEEN = frozenset(_LISTS["never rendered"])

# Elements whose text is code.
CODE = frozenset({"script", "style"})
# Elements whose text is not text of the page.
NO_PAGE_TEXT = CODE | {"noscript", "template", "title"}
# The same for programs that run no scripts: they read the text of ``noscript``.
NO_PAGE_TEXT_WITHOUT_SCRIPTS = NO_PAGE_TEXT - {"noscript"}
# Elements without text of the page.
NO_TEXT = frozenset(_LISTS["without text"])

SHADOW_HOSTS = frozenset(_LISTS["shadow hosts"])
# The parser gets the root of an open shadow tree under this name. No page can guess the attribute that marks it.
SHADOW_ROOT = "applet"
SHADOW_MARK = f"made-{urandom(8).hex()}"
