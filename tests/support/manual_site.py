"""A manual on this machine with all that a visit meets: a frame, kinds of pages, traps, errors, versions."""

from collections import Counter
from collections.abc import Iterable
from urllib.parse import urlsplit

from tests.support.server import Answer, Handler, Request, SiteServer

from sitestencil.crawl.input.crawled import CrawlPage

KNOTS = {
    "bowline": "A loop that never slips, and comes apart after any load: pilots hang their boats on it.",
    "sheet-bend": "Joins two lines of unequal thickness; weavers tie it hundreds of times in a morning.",
    "clove-hitch": "Quick around a pole, but it creeps under a swinging weight, so watch your mooring.",
    "reef": "Flat and easy on bandages. Never hang a person from it, whatever old books told you.",
    "anchor": "Two turns through the ring, then tucked below both. Chain wears it least of all.",
    "figure": "Stops a sheet from running out of its block while nobody looks at the foresail.",
    "prusik": "Climbers slide it up a fixed line by hand, and trust it with their weight at once.",
    "fisherman": "Gut and nylon hold in it when wet; cut both ends short, or weeds will catch there.",
    "square": "Sailmakers decorate sea chests with it, and few of them could say where it began.",
}
FOOTER = "The Harbour Press, 1 Quay Lane, telephone in the hall"

START = "Ropes are old, and this book is about them and about nothing else."


def manual_page(title: str, content: str, footer: str = FOOTER) -> str:
    items = "".join(f"<li><a href='/manual/knots/{name}.html'>{name.title()}</a>" for name in KNOTS)
    return (
        f"<!doctype html><html lang=en><title>{title} - Rope Manual</title>"
        f"<meta name=description content='All about {title}'>"
        "<body><header class=top><p class=brand>Rope Manual</p><nav><ul><li><a href='/manual/'>Start</a>"
        f"<ul>{items}</ul></ul></nav></header><main><article><h1>{title}</h1>{content}</article></main>"
        f"<footer class=end>{footer}</footer>"
    )


def knot(name: str, more: str = "") -> str:
    words = KNOTS[name].split()
    hints = "".join(f"<li>{' '.join(words[at : at + 5])}" for at in (0, 4, 8))
    return (
        f"<p class=lead>{KNOTS[name]}{more}<h2>In use</h2><p>{' '.join(words[3:])} <b>{words[0]}</b>: compare "
        f"<a href='../#tools'>the start</a>.<ul class=hints>{hints}</ul><p>{' '.join(words[::-1])}"
    )


def in_order_of_paths(pages: Iterable[CrawlPage]) -> list[CrawlPage]:
    """Return pages in an order that does not depend on the server's port."""
    return sorted(pages, key=lambda page: page.url.partition("/manual/")[2])


class ManualSite(SiteServer):
    """The manual below `/manual/`: eleven pages, an unlinked one among them, which only the sitemap has.

    Attributes:
        footer: of all pages; may be changed.
        busy: how often each path is to be answered by 429 first.
    """

    def __init__(self) -> None:
        super().__init__({})
        self.footer = FOOTER
        self.busy: Counter[str] = Counter()
        self.texts = {f"/manual/knots/{name}.html": (name.title(), knot(name)) for name in KNOTS}
        self.texts["/manual/"] = ("Start", f"<p>{START}")
        self.texts["/manual/unlinked.html"] = ("Index of words", "<p>Bight, bitter end and standing part.")
        self.answers["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /manual/private/\n", "text/plain")
        addresses = (f"<url><loc>{self.base}{path}</loc></url>" for path in self.texts)
        self.answers["/sitemap.xml"] = Answer(f"<urlset>{''.join(addresses)}</urlset>".encode(), "text/xml")

    @property
    def paths(self) -> list[str]:
        """The paths and queries asked for, in their order."""
        return [request.path for request in self.requests]

    def add_traps(self) -> None:
        """Link to endless addresses, missing and forbidden pages, other hosts, copies, and what acts."""
        links = "calendar?month=1 a/a/a/ gone.html private/diary.html away old.html start?utm_source=x logout big"
        title, text = self.texts["/manual/"]
        self.texts["/manual/"] = (
            title,
            text + "".join(f"<a href='/manual/{link}'>{link.partition('?')[0]}</a> " for link in links.split()),
        )
        self.answers["/manual/away"] = Answer(b"", status=302, headers={"Location": "http://other.example/"})
        self.answers["/manual/old.html"] = Answer(b"", status=301, headers={"Location": "/manual/knots/reef.html"})
        self.answers["/manual/big"] = Answer(b"<p>" + b"x" * 5_100_000)

    def answer(self, request: Request) -> Answer | Handler:
        """The answer to a request: 304 if the client has this version."""
        stored = super().answer(request)
        parts = urlsplit(request.path)
        path = "/manual/" if parts.path == "/manual/start" else parts.path
        if self.busy[path] > 0:
            self.busy[path] -= 1
            return Answer(b"Later", "text/plain", {"Retry-After": "7"}, 429)
        if path == "/manual/calendar":
            month = int(parts.query.partition("=")[2])
            text = f"<p>Month {month}<a href='/manual/calendar?month={month + 1}'>Next</a>"
            return Answer(manual_page("Calendar", text, self.footer).encode())
        if path.startswith("/manual/a/"):
            return Answer(manual_page("Deep", f"<p>Deep<a href='{path}a/'>deeper</a>", self.footer).encode())
        if path not in self.texts:
            return stored
        body = manual_page(*self.texts[path], self.footer).encode()
        version = f'"{hash(body):x}"'
        if request.headers.get("If-None-Match") == version:
            return Answer(b"", status=304)
        return Answer(body, headers={"ETag": version})
