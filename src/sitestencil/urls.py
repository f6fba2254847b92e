"""Parse and resolve addresses by the WHATWG rules, as browsers do."""

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar, cast

import ada_url

from sitestencil.errors import InvalidAddress, WrongArgument, shown

# The address of HTML from nowhere, while it is worked on; no server has it (RFC 2606).
UNKNOWN_ADDRESS = "https://unknown.invalid/"
_SCHEMES = ("http://", "https://")
# Servers refuse longer ones, and caches keep what they resolve.
_LONGEST_REFERENCE = 8_192
# Each relative address of a page repeats it.
_LONGEST_BASE = 2_048
_LONGEST_CACHED = 512
_Function = TypeVar("_Function", bound=Callable[..., object])
# The rules strip these from both ends of a reference: "C0 control or space", and no other white space.
_IGNORED_AROUND = "".join(map(chr, range(ord(" ") + 1)))
# A scheme before a query, a fragment or nothing. If it is the base's own, it changes nothing: "http:?a" is "?a".
_SCHEME_ONLY = re.compile(r"[\0- https]+:[\0- ]*(?:[?#]|$)", re.IGNORECASE)
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid)=[^/?#;]*", re.IGNORECASE)
_SESSION = re.compile(
    r"(?:phpsessid|jsessionid|aspsessionid\w*|oscsid|zenid|cfid|cftoken)(?:=|\Z)|"
    r"(?:s|sid|sessid|session_?id)=[0-9a-z]{20,}\Z",
    re.IGNORECASE,
)
# References from the root that the rules leave unchanged: most links of most pages.
_PLAIN_PATH = re.compile(r"/(?:[\w~-][\w~.-]*(?:/[\w~-][\w~.-]*)*/?)?(?:\?[\w~./&=-]*)?", re.ASCII)


def page_address(text: str) -> str:
    """Return a page's address in the normal form that the other functions expect, without user and password.

    Raises:
        InvalidAddress: it is not an http or https URL.
        WrongArgument: it is not a str.
    """
    if not isinstance(text, str):
        raise WrongArgument(f"An address is a str, such as 'https://example.org/', not {shown(text)}.")
    try:
        url = ada_url.URL(text.strip())
    except ValueError:
        raise InvalidAddress(
            f"{shown(text)} is not a web address. A web address looks like https://example.org/."
        ) from None
    if not url.href.startswith(_SCHEMES) or not url.hostname:
        raise InvalidAddress(f"{shown(text)} is not an http or https address. For a file, give its path.")
    return without_user(str(url.href))


def without_user(url: str) -> str:
    """Return a web address without its user and password: no server and no file may get them."""
    if "@" not in url or not url.startswith(_SCHEMES):
        return url
    scheme, _, rest = url.partition("://")
    end = min((at for at in map(rest.find, "/?#\\") if at >= 0), default=len(rest))
    return f"{scheme}://{rest[:end].rpartition('@')[2]}{rest[end:]}"


def resolve(reference: str, base: str) -> str | None:
    """Return a link's absolute address, without user and password; None if it leads to no web page.

    A reference of more than 8,192 characters leads to none.
    """
    if len(reference) > _LONGEST_REFERENCE:
        return None
    reference = reference.strip(_IGNORED_AROUND)
    return _resolve(reference, resolving_base(reference, base))


def base_address(written: str, url: str) -> str:
    """Return the base that a page gives; the page's own address where that has more than 2,048 characters."""
    return written if len(written) <= _LONGEST_BASE else url


def resolving_base(reference: str, base: str) -> str:
    """Return the part of a base that a reference needs: only the directory, except for queries and fragments."""
    if reference[:1] <= " ":
        reference = reference.lstrip(_IGNORED_AROUND)
    if not reference or reference[0] in "?#" or (reference[0] in "hH" and _SCHEME_ONLY.match(reference)):
        return base
    return directory(base)


def cached_if_short(function: _Function) -> _Function:
    """Cache a function's answers for short texts; long ones would fill the memory that caches keep."""
    cached = lru_cache(maxsize=16384)(function)

    @wraps(function)
    def answer(*texts: str) -> object:
        return (cached if sum(map(len, texts)) <= _LONGEST_CACHED else function)(*texts)

    answer.cache_clear = cached.cache_clear  # type: ignore[attr-defined]
    return cast("_Function", answer)


@lru_cache(maxsize=1024)
def directory(url: str) -> str:
    """Return an address up to its last slash; neighbouring pages share it."""
    end = min((place for place in (url.find("?"), url.find("#")) if place >= 0), default=len(url))
    return url[: url.rfind("/", 8, end) + 1] or url


@cached_if_short
def _resolve(reference: str, base: str) -> str | None:
    if _PLAIN_PATH.fullmatch(reference) and base.startswith(_SCHEMES):
        return without_user(f"{'/'.join(base.split('/', 3)[:3])}{reference}")
    try:
        url = str(ada_url.join_url(base, reference))
    except ValueError:
        return None
    return without_user(url) if url.startswith(_SCHEMES) else None


def host(url: str) -> str:
    """Return host and port; the scheme's default port is left out."""
    return url.split("/", 3)[2].rpartition("@")[2]


def origin(url: str) -> str:
    """Return scheme, host and port.

    >>> origin("https://example.org:8080/a?b")
    'https://example.org:8080'
    """
    return f"{url.partition('://')[0]}://{host(url)}"


def site_host(url: str) -> str:
    """Return the host that identifies a site; a ``www.`` before a name with a dot does not count."""
    name = host(url)
    bare = name.removeprefix("www.")
    return bare if "." in bare else name


def spelled_as(url: str, own_url: str) -> str:
    """Return an address with the host and scheme of the site's own page; another site's address stays as it is.

    ``www.example.org`` and ``example.org`` are one site, and so are its http and https pages. The http links of an
    https page are requested by https, never unencrypted.
    """
    if site_host(url) != site_host(own_url):
        return url
    own_scheme = own_url.partition("://")[0]
    scheme, _, rest = url.partition("://")
    _, slash, path = rest.partition("/")
    return f"{'https' if own_scheme == 'https' else scheme}://{host(own_url)}{slash}{path}"


def without_session(url: str) -> str:
    """Return an address without the number of a visitor's session, which servers give those who take no cookies.

    >>> without_session("https://site.example/a;jsessionid=1A?PHPSESSID=2b&page=3")
    'https://site.example/a?page=3'
    """
    if ";" not in url and "?" not in url:
        return url
    path, mark, query = url.partition("?")
    if not mark:
        return _SESSION_IN_PATH.sub("", url)
    kept = "&".join(one for one in query.split("&") if not _SESSION.match(one))
    return f"{_SESSION_IN_PATH.sub('', path)}?{kept}" if kept else _SESSION_IN_PATH.sub("", path)


def page_key(url: str) -> str:
    """Return the part that two addresses of one page share: no fragment, no scheme, no ``index`` resource.

    The number of a visitor's session does not count either. Servers answer ``/a/`` with ``/a/index.html``; a link
    between the two is a self link (definitions.md, 1.1).
    """
    address, _, query = without_session(url.partition("#")[0]).partition("?")
    head, _, resource = address.rpartition("/")
    stem, _, extension = resource.partition(".")
    if stem.lower() in {"index", "default"} and extension and len(extension) <= 5:
        resource = ""
    authority, slash, path = head.partition("://")[2].partition("/")
    directory = f"{authority.rpartition('@')[2]}{slash}{path}"
    return f"{directory}/{resource}?{query}" if query else f"{directory}/{resource}"


def directories(url: str) -> tuple[str, ...]:
    """Return a link as the thesis sees it: its host, then its directories (definitions.md, 1.1).

    The resource name, a last path segment with a dot, is dropped. Query and fragment do not count.
    """
    path = url.partition("#")[0].partition("?")[0].split("/", 3)[3:]
    segments = [segment for segment in "".join(path).split("/") if segment]
    if segments and "." in segments[-1]:
        segments.pop()
    return (host(url), *segments)
