"""Addresses by the WHATWG rules, as browsers resolve them."""

from functools import lru_cache

import ada_url

from sitestencil.errors import AddressError

_DEFAULT_PORTS = {"http:": "80", "https:": "443"}


@lru_cache(maxsize=4096)
def _parse(url: str) -> ada_url.URL:
    return ada_url.URL(url)


def page_address(text: str) -> str:
    """Return the normal form of a page's address.

    Raises:
        AddressError: it is not an http or https URL.
    """
    try:
        url = _parse(text.strip())
    except ValueError:
        raise AddressError(
            f"{text!r} is not a web address. Give one with its scheme, such as https://example.org/."
        ) from None
    if url.protocol not in _DEFAULT_PORTS or not url.hostname:
        raise AddressError(f"{text!r} is not an http or https address; only web pages have templates.")
    return str(url.href)


def resolve(reference: str, base: str) -> str | None:
    """Return the absolute address of a link, or None where it leads to no web page."""
    try:
        url = str(ada_url.join_url(base, reference.strip()))
    except ValueError:
        return None
    return url if url.startswith(("http://", "https://")) else None


def same_page(url: str) -> str:
    """Return what two addresses of one page share: no fragment, no scheme, no ``index`` resource.

    Servers answer ``/a/`` with ``/a/index.html``; a link between the two is a self link (methods, 1.1).
    """
    address = _parse(url)
    head, _, resource = address.pathname.rpartition("/")
    stem = resource.partition(".")[0].lower()
    if stem in {"index", "default"} and len(resource) <= len(stem) + 6:
        resource = ""
    return f"{host(url)}{head}/{resource}{address.search}"


def host(url: str) -> str:
    """Return host and port; the port is left out where it is the scheme's own."""
    address = _parse(url)
    port = address.port
    return str(address.hostname if port in {"", _DEFAULT_PORTS.get(address.protocol)} else address.host)


def directories(url: str) -> tuple[str, ...]:
    """Return a link as the thesis sees it: its host, then its directories (methods, 1.1).

    The resource name is dropped: a last path segment with a dot in it; query and fragment do not count.
    """
    segments = [segment for segment in _parse(url).pathname.split("/") if segment]
    if segments and "." in segments[-1]:
        segments.pop()
    return (host(url), *segments)
