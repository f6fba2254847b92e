"""What can go wrong, in words for the person who can do something about it."""

_LONGEST_SHOWN = 100


class SitestencilError(Exception):
    """Base of every error this library raises on purpose; its text is a sentence for the user.

    Example:
        >>> from sitestencil import extract
        >>> try:
        ...     extract("example.org")
        ... except SitestencilError as error:
        ...     print(error)
        'example.org' is neither a web address nor HTML. ...
    """


class WrongArgument(SitestencilError, TypeError):
    """An argument of a type that a function does not take, or arguments that do not go together."""


class UnknownDetector(SitestencilError):
    """No detector of the given name."""


class CannotLearn(SitestencilError):
    """A detector that answers about one page, but does not learn a template to apply to others."""


class SnapshotError(SitestencilError):
    """A snapshot that is no element tree."""

    def __str__(self) -> str:
        """Return what is wrong, and what the person at the browser can do."""
        return f"{super().__str__()} The page may have changed while it was read: reload it and try again."


class AddressError(SitestencilError):
    """An address that is not an http or https URL."""


class PageUnavailable(SitestencilError):
    """One page could not be had: not found, not HTML, too large, too slow, refused."""


class NoCandidates(SitestencilError):
    """The key page links to no other page of its site."""


class NothingLoaded(SitestencilError):
    """The key page has links, but none of the linked pages could be loaded."""


class TimeOut(SitestencilError):
    """The time for the whole extraction ran out before any page could be compared."""


class SiteError(SitestencilError):
    """A stored site whose folder, site.json or key page is missing or malformed."""


class LearnedTemplateError(SitestencilError):
    """Bytes that hold no learned template that this version can use."""


def shown(value: object) -> str:
    """Return a value as an error's sentence shows it: short, and where it is no text with its type."""
    text = repr(value)
    short = text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."
    return short if isinstance(value, str) else f"{short} ({type(value).__name__})"
