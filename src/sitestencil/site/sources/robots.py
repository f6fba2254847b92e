"""The rules of a site's robots.txt for this robot, applied in bounded time, and its sitemaps."""

import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from protego import Protego

from sitestencil.errors import PackageMissing
from sitestencil.urls import resolve

ROBOT = "Sitestencil"
_WORK = 20_000_000  # rules that are compared before the first request: some 20 seconds
_WORK_A_PAGE = 1_000_000
_NAMED = re.compile(r"user(?:-|\s+)?agent(?:\s*:|\s)\s*+(.*)")
FORBIDDEN, TOO_LONG = "robots.txt", "robots.txt has too many rules to ask it for each address"


class RobotRules:
    """The rules of a robots.txt.

    Attributes:
        delay: the seconds that it asks to leave between two requests.
        sitemaps: the addresses of sitemaps, as they are written.
    """

    def __init__(self, text: str) -> None:
        lines = list(map(_without_other_robots, text.splitlines()))
        self._rules = Protego.parse("\n".join(lines))
        self._cost, self._work = len(lines) + len(text) // 16, _WORK
        self.delay = float(self._rules.crawl_delay(ROBOT) or 0)
        self.sitemaps = list(self._rules.sitemaps)

    def refusal(self, url: str) -> str | None:
        """Return why an address must not be loaded; None if it may be, and is loaded at once."""
        if self._work < self._cost:
            return TOO_LONG
        self._work -= self._cost
        if not self._rules.can_fetch(url, ROBOT):
            return FORBIDDEN
        self._work += max(self._cost, _WORK_A_PAGE)
        return None


def _without_other_robots(line: str) -> str:
    """Return a line of robots.txt in which all other robots have one name: each name has all rules of its group."""
    found = _NAMED.match(line.partition("#")[0].strip().lower())
    if found is None or found[1] in {"", "*"}:
        return line
    name = found[1].replace("*", "")
    return f"User-agent: {name if name and ROBOT.lower().startswith(name) else '-'}"


MOST_BYTES = 50_000_000  # of a sitemap: the standard's most
_GZIP = b"\x1f\x8b"
_MOST_ADDRESSES = 50_000  # the standard's most in a sitemap
_MOST_MEMBERS = 100  # of a packed sitemap
_MOST_TAGS = 2_000_000
_PIECE = 1 << 16
_HEAD = re.compile(rb"[^>]{0,200}?encoding=[\"']([\w.-]+)")
_DECLARATION = re.compile(r"\A\s*(?:<\?xml[^>]{0,1000}>)?\s*")
_BARE = re.compile(r"&(?!#?\w{1,31};)")
_END = re.compile(r"</(?:\w+:)?(?:urlset|sitemapindex|rss|feed|RDF)\s*>")
_OF_PAGES = frozenset({"url", "urlset", "item", "entry"})
_NAMES = ("loc", "link")
_WIDE = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_OF_SITEMAPS = frozenset({"sitemap", "sitemapindex"})


class Sitemap(NamedTuple):
    """The addresses of pages in a sitemap, those of further sitemaps, and whether that is all of it."""

    pages: list[str]
    further: list[str]
    is_whole: bool


def sitemap_of(content: bytes, url: str) -> Sitemap:
    """Return a sitemap, of which at most 50 MB are unpacked and 50,000 addresses read.

    >>> sitemap_of(b"<urlset><url><loc> /a?b&amp;c </loc></url></urlset>", "https://site.example/sitemap.xml")
    Sitemap(pages=['https://site.example/a?b&c'], further=[], is_whole=True)
    >>> sitemap_of(b"<sitemapindex><sitemap><loc>1.xml</loc>", "https://site.example/sitemap.xml")
    Sitemap(pages=[], further=['https://site.example/1.xml'], is_whole=False)
    """
    unpacked, is_whole, members = bytearray(), True, 0
    while content.startswith(_GZIP) and is_whole:
        members += 1
        member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        with suppress(zlib.error):
            unpacked += member.decompress(content, MOST_BYTES + 1 - len(unpacked))
        is_whole = member.eof and len(unpacked) <= MOST_BYTES and members <= _MOST_MEMBERS
        content = member.unused_data
    text = _decoded(bytes(unpacked) or content)
    is_xml = "<" in text
    has_end = not is_xml or _END.search(text, text.rfind("loc>") + 1) is not None
    found = Sitemap([], [], is_whole and has_end and text.count("<") <= _MOST_TAGS)
    written = _of_xml(text) if is_xml else ((True, line) for line in text.splitlines() if "://" in line)
    for is_page, one in islice(written, _MOST_ADDRESSES):
        if address := resolve(one.strip(), url):
            (found.pages if is_page else found.further).append(address)
    return found._replace(is_whole=found.is_whole and next(written, None) is None)


def _decoded(content: bytes) -> str:
    named = _HEAD.match(content)
    name = _WIDE.get(content[:2]) or (named[1].decode() if named else "")
    with suppress(LookupError):
        if name and (content[:2] in _WIDE or not name.lower().startswith("utf")):
            return content.decode(name, "replace")
    return content.decode("utf-8-sig", "replace")


def _of_xml(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the addresses in a document, as far as it can be read, each with whether it is a page's."""
    try:
        from lxml import etree
    except ImportError:
        raise PackageMissing("Reading a sitemap needs lxml.", "crawl") from None
    parser: Any = etree.XMLPullParser(
        events=("end",),
        recover=True,
        resolve_entities=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        encoding="utf-8",
    )
    text = _BARE.sub("&amp;", _DECLARATION.sub("", text, count=1), count=_MOST_ADDRESSES)
    elements = 0
    for at in range(0, len(text), _PIECE):
        parser.feed(text[at : at + _PIECE].encode("utf-8", "replace"))
        for _, element in parser.read_events():
            elements, above = elements + 1, element.getparent()
            if above is not None and element.tag.endswith(_NAMES):
                (space, name), (space_above, of) = _split(element), _split(above)
                if space == space_above and of in (_OF_PAGES if name == "link" else _OF_PAGES | _OF_SITEMAPS):
                    # What stands in CDATA had its signs written once more.
                    yield of in _OF_PAGES, element.get("href") or "".join(element.itertext()).replace("&amp;", "&")
            while element.getprevious() is not None:
                del above[0]
        if elements > _MOST_TAGS:
            return


def _split(element: Any) -> list[str]:  # noqa: ANN401 - of lxml
    """Return the namespace of an element, or a prefix that the document does not declare, and its name."""
    return re.split("[}:](?=[^}:]*$)", f"}}{element.tag}")[-2:]
