"""The library's errors, in words for the person who can act on them."""

import sys

from sitestencil.printable import printable

_LONGEST_SHOWN = 100


class SitestencilError(Exception):
    """Base of every error that this library raises on purpose; its text is a sentence for the user.

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
    """An argument has the wrong type, or arguments do not go together."""


class InvalidAddress(SitestencilError):
    """An address is not an http or https URL."""


class UnknownDetector(SitestencilError):
    """No detector has the given name."""


class CannotLearn(SitestencilError):
    """The detector answers for one page, but learns no template for others."""


class PageUnavailable(SitestencilError):
    """A page could not be loaded: not found, not HTML, too large, too slow, refused.

    Args:
        detail: a sentence.
        later: whether the server was not reached, or not in time, and may be later.
        status: that of the server's answer, if it is why.
    """

    def __init__(self, detail: str, *, later: bool = False, status: int | None = None) -> None:
        super().__init__(detail)
        self.later = later
        self.status = status


class AskedToWait(PageUnavailable):
    """A server asks for fewer requests.

    Args:
        detail: a sentence.
        seconds: how long it asks to wait; None if it does not say.
    """

    def __init__(self, detail: str, seconds: float | None = None) -> None:
        super().__init__(detail, later=True)
        self.seconds = seconds


class NothingFound(SitestencilError):
    """The input has nothing to write: it is no HTML, shows nothing, or has no main content."""


class OutOfMemory(SitestencilError):
    """A page takes more memory than the command or a crawl's worker may use."""


class BrokenAnswer(SitestencilError):
    """A server's answer is not HTTP, or cannot be unpacked."""


class BrokenMember(SitestencilError):
    """A member of a WARC file cannot be unpacked; the reader names the record as skipped.

    Args:
        detail: the reason, as a sentence.
        is_cut: whether the file ends within it, and all before is sound.
    """

    def __init__(self, detail: str, *, is_cut: bool = False) -> None:
        super().__init__(detail)
        self.is_cut = is_cut


class RecordSkipped(SitestencilError):
    """A WARC record that gives no page: it differs from its head, has none, or is no page.

    Args:
        reason: one of the fixed phrases that count skipped records.
        detail: a sentence.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class NothingToCompare(SitestencilError):
    """The site has no page to compare with the key page."""


class NoCandidates(NothingToCompare):
    """The key page links to no other page of its site."""


class NothingLoaded(NothingToCompare):
    """The key page has links, but none of the linked pages could be loaded."""


class TimeOut(NothingToCompare):
    """The time for the extraction ran out before any page could be compared."""


class MalformedSnapshot(SitestencilError):
    """A snapshot is not an element tree."""

    def __str__(self) -> str:
        """Return the error, and advice for the person at the browser."""
        return f"{super().__str__()} The page may have changed meanwhile: reload it, and try again."


class UnusableSite(SitestencilError):
    """A stored site's folder, site.json, labels or key page are missing or malformed."""


class UnusableInput(SitestencilError):
    """An input of a crawl is missing or unreadable."""


class StoreUnavailable(SitestencilError):
    """A bucket or web server with a crawl's files cannot be reached, or refuses access."""


class UnusableOutput(SitestencilError):
    """A crawl's output folder holds other files or another job's output, or is not writable."""


class WorkerLost(SitestencilError):
    """A worker or machine that shared a crawl's job ended, and so did its replacements."""


class UnusableLearnedTemplate(SitestencilError):
    """The bytes hold no learned template for this version."""


class UnusableRules(SitestencilError):
    """A file of rules is damaged, too large or of a later version, or has an invalid selector."""


class MemoryUnavailable(SitestencilError):
    """The memory of sites cannot be read or written now: the file is locked, or the disk is full."""


class UnusableMemory(MemoryUnavailable):
    """The memory's file is damaged, or of a later version; the text says which."""


class UnusableModel(SitestencilError):
    """A file holds no model for this version."""


class PackageMissing(SitestencilError):
    """An optional package is not installed.

    Args:
        what: a sentence that says which package is needed and why.
        extra: the extra that installs it.
        otherwise: an alternative without the package, as the end of the sentence.
    """

    def __init__(self, what: str, extra: str, otherwise: str = "") -> None:
        command = f"""run in Sitestencil's folder: pipx install --force ".[{extra}]\""""
        # A system's package stays as it is, and its command comes first.
        beside = ". Then run ~/.local/bin/sitestencil" if sys.prefix.startswith("/usr/lib/") else ""
        super().__init__(f"{what} To install it, {command}{otherwise}{beside}.")


class BrowserMissing(SitestencilError):
    """A browser for loading pages or taking pictures is missing, or does not start."""


class UnknownSelector(SitestencilError):
    """A selector is of a form that is not read: its rule stays in a saved file, so no caller sees this."""


class WrongUsage(SitestencilError):
    """Options of the command do not go together, or are invalid."""


class CannotBeSaved(SitestencilError):
    """A page that no HTML can reproduce, or that is nested too deeply to be written."""


def check_choice(argument: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise WrongArgument unless an argument is one of some words."""
    if not isinstance(value, str) or value not in choices:
        raise WrongArgument(f"{argument}= takes {', '.join(choices)}, and not {shown(value)}.")


def check_type(argument: str, value: object, kind: type, takes: str) -> None:
    """Raise WrongArgument unless an argument is None or has a type; `takes` is the type in words."""
    if value is not None and not isinstance(value, kind):
        raise WrongArgument(f"{argument}= takes {takes} or None, not {shown(value)}.")


def shown(value: object) -> str:
    """Return a value as an error's sentence shows it: short, with its type unless it is a str."""
    text = repr(value)
    short = text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."
    return short if isinstance(value, str) else f"{short} ({type(value).__name__})"
