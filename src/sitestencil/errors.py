"""What can go wrong, in words for the person who can do something about it."""


class SitestencilError(Exception):
    """Base of every error this library raises on purpose; its text is a sentence for the user."""


class UnknownDetector(SitestencilError):
    """No detector of the given name."""


class SnapshotError(SitestencilError):
    """A snapshot that is no element tree."""


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


class CannotBeSaved(SitestencilError):
    """A page that no HTML gives again, or that is nested too deeply to be written."""
