"""Names of HTML elements that several rooms ask for. Sets that differ on purpose stand here side by side."""

# Elements that lead to another page when they have an ``href``.
LINKS = frozenset({"a", "area"})

# Elements that have no end tag and nothing inside.
VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)

# Elements whose text is code.
CODE = frozenset({"script", "style"})

# Elements whose text nobody reads as text of the page.
NO_PAGE_TEXT = CODE | {"noscript", "template", "title"}

# The same for programs that run no scripts: to them the text of ``noscript`` is text of the page.
NO_PAGE_TEXT_WITHOUT_SCRIPTS = NO_PAGE_TEXT - {"noscript"}
