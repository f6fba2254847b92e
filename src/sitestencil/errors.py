"""What can go wrong, in words for the person who can do something about it."""

from sitestencil.printable import printable

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

    def __str__(self) -> str:
        """Return the sentence. It may quote a page or a server, so it is made printable."""
        return printable(super().__str__())


class WrongArgument(SitestencilError, TypeError):
    """An argument of a type that a function does not take, or arguments that do not go together."""


class InvalidAddress(SitestencilError):
    """An address that is not an http or https URL."""


class UnknownDetector(SitestencilError):
    """No detector of the given name."""


class CannotLearn(SitestencilError):
    """A detector that answers about one page, but does not learn a template to apply to others."""


class PageUnavailable(SitestencilError):
    """One page could not be had: not found, not HTML, too large, too slow, refused."""


class NotReadable(SitestencilError):
    """A page that the compiled modules do not read; plain Python does, so no caller sees this."""


class BrokenAnswer(SitestencilError):
    """What came from a server is no answer by HTTP, or cannot be unpacked."""


class NothingToCompare(SitestencilError):
    """There is no page of the site to compare the key page with."""


class NoCandidates(NothingToCompare):
    """The key page links to no other page of its site."""


class NothingLoaded(NothingToCompare):
    """The key page has links, but none of the linked pages could be loaded."""


class TimeOut(NothingToCompare):
    """The time for the whole extraction ran out before any page could be compared."""


class MalformedSnapshot(SitestencilError):
    """A snapshot that is no element tree."""

    def __str__(self) -> str:
        """Return what is wrong, and what the person at the browser can do."""
        return f"{super().__str__()} The page may have changed while it was read: reload it and try again."


class UnusableSite(SitestencilError):
    """A stored site whose folder, site.json, labels or key page are missing or malformed."""


class UnusableInput(SitestencilError):
    """An input of a crawl that is not there, or is nothing that can be read."""


class UnusableOutput(SitestencilError):
    """A folder for a crawl's output that holds something else, or another job's output, or cannot be written to."""


class WorkerLost(SitestencilError):
    """A process or a machine that shared a crawl's job ended, and so did those that took over from it."""


class UnusableLearnedTemplate(SitestencilError):
    """Bytes that hold no learned template that this version can use."""


class UnusableRules(SitestencilError):
    """A file of rules that cannot be used: damaged, too large, of a later version, or a selector that is none."""


class MemoryUnavailable(SitestencilError):
    """What is remembered of sites cannot be read or written now: the file is locked, or the disk is full."""


class UnusableMemory(MemoryUnavailable):
    """The file that holds what is remembered of sites is damaged, or of a later version; its text is which."""


class UnusableModel(SitestencilError):
    """A file that holds no model that this version can use."""


class UnusableGrid(SitestencilError):
    """Parameters to try of which one is out of its range, or none is left."""


class TooFewSites(SitestencilError):
    """The labelled sites are too few, or too much alike, for what is to be learned or measured on them."""


class PackageMissing(SitestencilError):
    """A package that an extra of this one installs is not there.

    Args:
        what: the sentence that says what needs which package.
        extra: the extra that installs it.
        otherwise: what can be done without it, as the end of a sentence.
    """

    def __init__(self, what: str, extra: str, otherwise: str = "") -> None:
        command = f"""run in Sitestencil's folder: pipx install --force ".[{extra}]\""""
        super().__init__(f"{what} To install it, {command}{otherwise}.")


class BrowserMissing(SitestencilError):
    """A browser that is to load pages or to take pictures is not there, or does not start."""


class CannotWrite(SitestencilError):
    """A file cannot be written."""


class WrongUsage(SitestencilError):
    """Options of the command that do not go together, or do not mean what they must."""


class CannotBeSaved(SitestencilError):
    """A page that no HTML gives again, or that is nested too deeply to be written."""


def shown(value: object) -> str:
    """Return a value as an error's sentence shows it: short, and where it is no text with its type."""
    text = repr(value)
    short = text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."
    return short if isinstance(value, str) else f"{short} ({type(value).__name__})"
