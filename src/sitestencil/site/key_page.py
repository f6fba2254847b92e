"""The key page of a stored site."""

from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.site.sources.stored import StoredSite


def key_page_bytes(site: StoredSite) -> bytes:
    """Return the key page of a stored site as it is stored."""
    return (site.pages / site.key_page).read_bytes()


def key_page_document(site: StoredSite) -> Document:
    """Return the key page of a stored site as a browser without scripts has it."""
    return parse(key_page_bytes(site), site.key_url)
