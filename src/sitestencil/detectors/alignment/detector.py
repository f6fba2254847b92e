"""Alignment: the tokens that half of t pages share in one order (Geraci and Maggini; definitions.md, 5).

The tokens of a page are all tags and the texts between (section 2).
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from sitestencil.detectors.alignment.distillation import distill, page_profile
from sitestencil.detectors.detection import Detection, with_frame
from sitestencil.page.document import Document
from sitestencil.page.html_names import VOID
from sitestencil.page.serialization import Event, walk
from sitestencil.progress import Progress
from sitestencil.site.frontier import crawl
from sitestencil.site.loading import PageLoader, nothing_to_compare, passing_over

PAGES = 16
LOADS_PER_PAGE = 4


class Tokens(NamedTuple):
    """A page's tokens, each as its number in a `Vocabulary`.

    Attributes:
        numbers: the tokens in the order of the page's HTML.
        start_tags: per element, the position of its start tag; -1 in an embedded tree.
        texts: per text node, its position; -1 for white space and in an embedded tree.
    """

    numbers: list[int]
    start_tags: list[int]
    texts: list[int]


@dataclass(slots=True)
class Vocabulary:
    """The alphabet of a set of pages: equal tokens have equal numbers."""

    _numbers: dict[str, int] = field(default_factory=dict)

    def tokens(self, document: Document) -> Tokens:
        """Return the tokens of a page.

        As in the paper, white space is collapsed, letters are lower case and attributes are sorted. The tags come
        from the element tree, which has the tags that an author may leave out (definitions.md, choice 26).
        """
        numbers: list[int] = []
        start_tags = [-1] * len(document)
        texts = [-1] * len(document.texts)
        for event, number in walk(document):
            if event is Event.TEXT:
                words = document.texts[number].text.split()
                if not words:
                    continue
                texts[number] = len(numbers)
                token = " ".join(words).lower()
            elif event is Event.START:
                start_tags[number] = len(numbers)
                token = _start_tag(document, number)
            elif document.tags[number] in VOID:
                continue
            else:
                token = f"</{document.tags[number]}>"
            numbers.append(self._numbers.setdefault(token, len(self._numbers)))
        return Tokens(numbers, start_tags, texts)


def _start_tag(document: Document, element: int) -> str:
    tag, attributes = document.tags[element], document.attributes[element]
    if not attributes:
        return f"<{tag}>"
    written = (f'{name}="{" ".join(value.split())}"' for name, value in sorted(attributes.items()))
    return f"<{tag} {' '.join(written)}>".lower()


@dataclass(frozen=True, slots=True)
class Alignment:
    """The multi-sequence alignment detector, by default as the paper recommends: t = 16.

    Attributes:
        pages: t, the number of pages to align, with the key page: a power of two, at least 2. If the site gives
            fewer, the largest power of two available.
        seed: the seed for the choice of pages and their pairs.

    Raises:
        ValueError: ``pages`` is not a power of two, or is less than 2.
    """

    pages: int = PAGES
    seed: int = 0

    def __post_init__(self) -> None:
        if self.pages < 2 or self.pages & (self.pages - 1):
            raise ValueError(f"t = {self.pages}: give a power of two, at least 2")

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return the elements of the key page whose start tags are among the tokens shared by half of the pages.

        Raises:
            NothingToCompare: the key page has no links, or no linked page came in time.
        """
        vocabulary = Vocabulary()
        key_tokens = vocabulary.tokens(key_page)
        others: list[list[int]] = []
        addresses: list[str] = []
        async for page in crawl(loader, self.pages - 1, LOADS_PER_PAGE * self.pages, self.seed):
            with passing_over(page.url), loader.stopwatch.phase("mapping"):
                others.append(vocabulary.tokens(loader.read(page)).numbers)
                addresses.append(page.url)
        if not others:
            raise nothing_to_compare(loader)
        loader.report(Progress("mapping", loader.pages_received))
        with loader.stopwatch.phase("mapping"):
            # The largest power of two, without the key page.
            compared = (1 << (1 + len(others)).bit_length() - 1) - 1
            profiles = [page_profile(key_tokens.numbers, is_key=True), *map(page_profile, others[:compared])]
            survivors = {position for position in distill(profiles, self.seed).positions if position >= 0}
            template = [position in survivors for position in key_tokens.start_tags]
            texts = [
                position in survivors and template[run.parent]
                for position, run in zip(key_tokens.texts, key_page.texts, strict=True)
            ]
        return Detection(with_frame(key_page, template), texts, tuple(addresses[:compared]))
