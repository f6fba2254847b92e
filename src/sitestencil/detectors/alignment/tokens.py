"""Turn a page into tokens: all tags and the texts between (Alignment, section 2; definitions.md, 5)."""

from dataclasses import dataclass, field
from typing import NamedTuple

from sitestencil.page.document import Document
from sitestencil.page.html_names import VOID
from sitestencil.page.serialization import Event, walk


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

    def __len__(self) -> int:
        """Return the number of different tokens seen."""
        return len(self._numbers)

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
