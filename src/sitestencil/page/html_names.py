"""Names of HTML elements that several rooms use. Sets that differ on purpose stand side by side."""

# Elements that link to another page by an ``href``.
LINKS = frozenset({"a", "area"})

# Elements without end tag and content.
VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)

# Elements whose text is code.
CODE = frozenset({"script", "style"})

# Elements whose text is not text of the page.
NO_PAGE_TEXT = CODE | {"noscript", "template", "title"}

# The same for programs that run no scripts: they read the text of ``noscript``.
NO_PAGE_TEXT_WITHOUT_SCRIPTS = NO_PAGE_TEXT - {"noscript"}
