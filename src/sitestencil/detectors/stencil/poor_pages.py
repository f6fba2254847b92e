"""Recognize pages that say nothing about their site: error pages and almost empty pages.

Many sites serve an error page with the status of a good one. Its title or heading then consists of nothing but
words such as "Page not found", and it has little text. Or the source serves a login form, or
a shell for scripts, instead of the page on the screen.
"""

import asyncio
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from sitestencil.detectors.detection import Doubt
from sitestencil.detectors.stencil.similarity import NEAR, KeyPage
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.lists import read_lists
from sitestencil.page.sketch import TEXT_SEPARATOR, Sketch
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader, passing_over

ERROR_STATUS = 400
# Set by hand: a shell says little more than that it is loading, or needs scripts.
_TEXT_OF_A_SHELL = 200
_TEXT_OF_AN_EMPTY_PAGE = 50
# Set by hand: an article about errors is longer, without its links.
_TEXT_OF_ERROR_PAGE = 900
_LONGEST_HEADING = 120
_OF_A_PAGE = frozenset({"a", "input"})
_TO_LOOK_AT = frozenset(
    "img picture video audio canvas svg iframe frame object embed textarea select button".split()
)
_HEADINGS = frozenset({"h1", "h2", "h3"})
_FIRST_HEADINGS = 4  # the site's name may be the first one

# A heading is an error if all its words are here, and one of them is a failure, or a lack and a presence.
_ERROR_WORDS = {
    name: frozenset(words) for name, words in read_lists(Path(__file__).with_name("error_words.txt")).items()
}
_FAILURES, _LACKS, _PRESENCES = (_ERROR_WORDS[name] for name in ("failures", "lacks", "presences"))
_ALL = frozenset().union(*_ERROR_WORDS.values())
_BETWEEN_PARTS = re.compile(r"\s[-–—:/\\]\s|\s*[|·•»«›‹]\s*")  # noqa: RUF001
_WORD = re.compile(r"[^\W_]+")
_APOSTROPHES = str.maketrans("", "", "'\u2019`\u00b4")


def is_error_page(sketch: Sketch, title: str, status: int = 200) -> bool:
    """Return whether a page is its server's answer to a wrong address or a failure.

    Args:
        sketch: the page.
        title: its title.
        status: its HTTP status.
    """
    return status >= ERROR_STATUS or (
        any(map(_is_error, _headings(sketch, title))) and _text_outside_links(sketch) < _TEXT_OF_ERROR_PAGE
    )


def is_shell(sketch: Sketch) -> bool:
    """Return whether a page has almost no text, no link and no field: scripts may be to build it."""
    return _OF_A_PAGE.isdisjoint(sketch.tags) and text_length(sketch) < _TEXT_OF_A_SHELL


def says_little(sketch: Sketch) -> bool:
    """Return whether a page has at most a few words, no link and no field."""
    return _OF_A_PAGE.isdisjoint(sketch.tags) and text_length(sketch) < _TEXT_OF_AN_EMPTY_PAGE


def is_almost_empty(sketch: Sketch) -> bool:
    """Return whether a page has almost nothing to read or to look at."""
    return says_little(sketch) and _TO_LOOK_AT.isdisjoint(sketch.tags)


def text_length(sketch: Sketch) -> int:
    """Return the number of characters of a page's texts."""
    return sum(map(len, sketch.own_texts))


def _headings(sketch: Sketch, title: str) -> Iterator[str]:
    """Yield the parts of the title, the first headings, and all of the text if it is short."""
    yield from _BETWEEN_PARTS.split(title)
    headings = (element for element, tag in enumerate(sketch.tags) if tag in _HEADINGS)
    for heading in islice(headings, _FIRST_HEADINGS):
        yield _text(sketch, heading, sketch.ends[heading])
    if text_length(sketch) < _LONGEST_HEADING:
        yield _text(sketch, 0, len(sketch))


def _text(sketch: Sketch, start: int, end: int) -> str:
    return " ".join(filter(None, sketch.own_texts[start:end])).replace(TEXT_SEPARATOR, " ")


def _is_error(heading: str) -> bool:
    words = set(_WORD.findall(heading[:_LONGEST_HEADING].lower().translate(_APOSTROPHES)))
    if len(heading) >= _LONGEST_HEADING or not words <= _ALL:
        return False
    return not words.isdisjoint(_FAILURES) or not (words.isdisjoint(_LACKS) or words.isdisjoint(_PRESENCES))


def _text_outside_links(sketch: Sketch) -> int:
    length = element = 0
    while element < len(sketch):
        if sketch.tags[element] == "a":
            element = sketch.ends[element]
            continue
        length += len(sketch.own_texts[element])
        element += 1
    return length


# Set by hand: news and counters change between two loads, and scripts add to a page, but not half of it.
_HALF_OF_TEXT = 0.5


class ServedPage:
    """The page that the source serves at the key page's address, loaded in the background once there is doubt.

    Args:
        loader: loads the page.
    """

    def __init__(self, loader: PageLoader) -> None:
        self._loader = loader
        self._load: asyncio.Task[LoadedPage | None] | None = None

    def ask(self) -> None:
        """Start the load, unless it has started."""
        if self._load is None:
            self._load = self._loader.load_key_page()

    async def doubt(self, prepared: KeyPage) -> Doubt | None:
        """Return the doubt if the source serves another page than the one on the screen; otherwise None.

        A refusal counts as another page if other pages load.
        """
        self.ask()
        if self._load is None:
            return None
        with self._loader.stopwatch.phase("fetch"):
            page = await self._load
        if page is None:
            is_refused = self._loader.pages_received > 0 and not self._loader.timed_out
            return Doubt.NOT_THE_SERVED_PAGE if is_refused else None
        with passing_over(page.url), self._loader.stopwatch.phase("mapping"), collector_paused():
            hosts = prepared.sketch.shadow_hosts
            served = page.sketch(scripting=self._loader.key_page.scripting, shadow_hosts=hosts)
            texts = set(prepared.sketch.own_texts)
            shared = sum(map(len, texts.intersection(served.own_texts)))
            are_texts_near = shared >= _HALF_OF_TEXT * sum(map(len, texts))
            if not len(served) or not (are_texts_near or prepared.compare(served).similarity >= NEAR):
                return doubt_of_another_page(prepared, served)
        return None

    async def close(self) -> None:
        """Cancel the load."""
        if self._load is not None:
            self._load.cancel()
            await asyncio.gather(self._load, return_exceptions=True)


def doubt_of_another_page(prepared: KeyPage, served: Sketch) -> Doubt:
    """Return the doubt that a page served instead of the key page raises: a login, a shell, or another page."""
    if asks_for_password(served) and not asks_for_password(prepared.sketch):
        return Doubt.NEEDS_LOGIN
    if is_shell(served) and text_length(served) < text_length(prepared.sketch):
        return Doubt.BUILT_BY_SCRIPTS
    return Doubt.NOT_THE_SERVED_PAGE


def asks_for_password(sketch: Sketch) -> bool:
    """Return whether a page has a password field."""
    fields = (element for element, tag in enumerate(sketch.tags) if tag == "input")
    return any((sketch.attributes(field).get("type") or "").strip().lower() == "password" for field in fields)
