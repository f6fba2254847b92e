"""Build a corpus of known content inside real templates.

No stored site says which of its pages are duplicates, or names their topics. But a labelled key page says which
elements are content. These are replaced by a passage of another site's labelled content. The template around it is
real, and a detector compares the page with the site's real pages.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sitestencil.errors import SitestencilError
from sitestencil.page.document import Document, TextRun
from sitestencil.page.html_names import CODE
from sitestencil.page.serialization import escape_value, to_html
from sitestencil.urls import resolve
from sitestencil_research.labels import CONTENT, TEMPLATE, read_labelled_key_page
from sitestencil_research.uses.corpus import CorpusPage, alphanumeric_words

# Elements that may hold any flow content, and elements that make no sense in parts.
_FLOW = frozenset("body div section article main td th li dd center form blockquote aside header footer".split())
_WHOLE = frozenset("table ul ol dl pre select svg figure form p h1 h2 h3 h4 h5 h6".split())
_REPLACED_MARK = "data-replaced"
_ARTICLE, _PASSAGE = 150, 80  # the least words of an article, and of a topic's passage
_LARGEST_BLOCK = 60  # in words; smaller blocks are not divided further; set by hand, about a paragraph


@dataclass(frozen=True, slots=True)
class Passage:
    """Consecutive blocks of a site's content: a unique name, the site, HTML with absolute addresses, and words."""

    name: str
    site: str
    html: str
    words: tuple[str, ...]


class ContentPage:
    """The key page of a stored, labelled site; its content is known.

    Raises:
        UnusableSite: the site's files are missing or invalid.
    """

    def __init__(self, folder: Path) -> None:
        site = read_labelled_key_page(folder)
        self.folder, self.name, self.url = folder, site.id, site.source.key_url
        self.document = site.page.document
        self._content = _outermost_content(self.document, site.page.labels)
        self._replaced = self._largest_replaceable()

    @property
    def is_host(self) -> bool:
        """Whether the page can take other content."""
        return self._replaced is not None

    def passages(self, least_words: int) -> list[Passage]:
        """Return the page's content in passages of at least `least_words` words."""
        passages: list[Passage] = []
        html: list[str] = []
        text: list[str] = []
        for element in self._content:
            for block in self._blocks(element):
                html.append(fragment(self.document, block))
                text += self._words(block)
                if len(text) >= least_words:
                    passages.append(Passage(f"{self.name}-{len(passages)}", self.name, "".join(html), tuple(text)))
                    html, text = [], []
        return passages

    def with_content(self, html: str) -> bytes:
        """Return the page with this content instead of its own.

        Raises:
            SitestencilError: no content element of the page can be replaced.
        """
        if self._replaced is None:
            raise SitestencilError(f"{self.folder}: no content element of the key page can be replaced.")
        document, replaced = self.document, self._replaced
        keep = [True] * len(document)
        for element in self._content:
            keep[element : document.ends[element]] = [False] * (document.ends[element] - element)
        keep[replaced] = True

        def attributes(element: int) -> Mapping[str, str]:
            return {_REPLACED_MARK: ""} if element == replaced else document.attributes[element]

        def text(_: int, run: TextRun) -> str:
            return "" if run.parent == replaced else run.text

        tag = document.tags[replaced]
        page = to_html(document, keep=keep, attributes=attributes, text=text)
        start, hole, end = page.partition(f'<{tag} {_REPLACED_MARK}=""></{tag}>')
        if not hole:
            raise SitestencilError(f"{self.folder}: the content's place was lost.")
        return f"{start}{self._around(html)}{end}".encode(errors="replace")

    def _around(self, html: str) -> str:
        """Return the content, wrapped in the element it replaces if it cannot stand alone, as in a table."""
        replaced = self._replaced or 0
        document = self.document
        if document.tags[document.parents[replaced]] in _FLOW:
            return html
        tag, own = document.tags[replaced], document.attributes[replaced]
        written = "".join(f' {name}="{escape_value(value)}"' for name, value in own.items())
        return f"<{tag}{written}>{html}</{tag}>"

    def _largest_replaceable(self) -> int | None:
        tags, parents = self.document.tags, self.document.parents
        replaceable = [e for e in self._content if tags[parents[e]] in _FLOW or tags[e] in _FLOW]
        return max(replaceable, key=lambda element: len(self._words(element)), default=None)

    def _blocks(self, element: int) -> Iterator[int]:
        document = self.document
        children = document.children[element]
        whole = element in document.own_texts or not children or document.tags[element] in _WHOLE
        if whole or len(self._words(element)) <= _LARGEST_BLOCK:
            yield element
        else:
            for child in children:
                yield from self._blocks(child)

    def _words(self, element: int) -> list[str]:
        end = self.document.ends[element]
        own_words: list[str] = []
        for run in self.document.texts:
            if element <= run.parent < end and self.document.tags[run.parent] not in CODE:
                own_words += alphanumeric_words(run.text)
        return own_words


def fragment(document: Document, element: int) -> str:
    """Return an element and its descendants as HTML with absolute addresses."""
    end = document.ends[element]
    part = Document(
        url=document.url,
        base=document.base,
        tags=document.tags[element:end],
        parents=[-1, *(parent - element for parent in document.parents[element + 1 : end])],
        attributes=document.attributes[element:end],
        texts=[
            TextRun(run.parent - element, run.after - element if run.after >= 0 else -1, run.text)
            for run in document.texts
            if element <= run.parent < end
        ],
    )
    return to_html(part, attributes=lambda own: _absolute(part.attributes[own], part.base))


def _absolute(attributes: Mapping[str, str], base: str) -> dict[str, str]:
    """Return attributes whose links keep their targets on the article's own site."""
    return {
        name: resolve(value, base) or value if name in {"href", "src"} else value
        for name, value in attributes.items()
    }


def synthetic_articles(
    folders: Sequence[Path], *, articles: int = 60, copies: int = 3, seed: int = 0
) -> list[CorpusPage]:
    """Return pages where each article stands on several sites and each site holds several articles.

    They resemble the Lyrics pages of Chakrabarti, section 6.2: the same content in different templates.

    Args:
        folders: the labelled sites, which give the templates and the articles.
        articles: the number of random passages; no two are the same.
        copies: the number of random sites for each article; never its own site.
        seed: the seed of the random choices.
    """
    labelled = [ContentPage(folder) for folder in folders]
    hosts = [page for page in labelled if page.is_host]
    if len(hosts) <= copies:
        raise SitestencilError(f"{len(hosts)} labelled sites can take other content; {copies + 1} are needed.")
    chance = random.Random(seed)  # noqa: S311 - no secret
    passages = [passage for page in labelled for passage in page.passages(_ARTICLE)]
    if not passages:
        raise SitestencilError(f"No labelled site has content of {_ARTICLE} words.")
    return [
        _synthetic_page(host, passage, "")
        for passage in chance.sample(passages, min(articles, len(passages)))
        for host in chance.sample([host for host in hosts if host.name != passage.site], copies)
    ]


def synthetic_topics(
    folders: Sequence[Path],
    *,
    topics: int = 5,
    hosts: int = 4,
    pages: int = 6,
    repeat: bool = False,
    seed: int = 0,
) -> list[CorpusPage]:
    """Return pages of several classes on several sites; each class has the same number of pages on each site.

    They resemble the shops' pages of Chakrabarti, section 6.3. A class holds the passages of one key page.

    Args:
        folders: the labelled sites, which give the templates and the passages.
        topics: the number of classes, drawn from the sites with enough passages; their templates are not used.
        hosts: the number of random sites that give their templates.
        pages: the number of pages of each class on each site.
        repeat: put the same passages on every site; otherwise each passage stands on one page.
        seed: the seed of the random choices.
    """
    labelled = [ContentPage(folder) for folder in folders]
    passages = {page.name: page.passages(_PASSAGE) for page in labelled}
    needed = pages if repeat else hosts * pages
    enough = [page for page in labelled if len(passages[page.name]) >= needed]
    chance = random.Random(seed)  # noqa: S311 - no secret
    if len(enough) < topics:
        raise SitestencilError(
            f"Only {len(enough)} labelled sites have content of {needed} passages; {topics} are needed."
        )
    subjects = chance.sample(enough, topics)
    others = [page for page in labelled if page.is_host and page not in subjects]
    if len(others) < hosts:
        raise SitestencilError(f"Only {len(others)} labelled sites can take other content; {hosts} are needed.")
    chosen_hosts = chance.sample(others, hosts)
    made = []
    for subject in subjects:
        own = chance.sample(passages[subject.name], needed)
        for number, host in enumerate(chosen_hosts):
            start = 0 if repeat else number * pages
            made += [_synthetic_page(host, passage, subject.name) for passage in own[start : start + pages]]
    return made


def _synthetic_page(host: ContentPage, passage: Passage, label: str) -> CorpusPage:
    html = host.with_content(passage.html)
    return CorpusPage(
        f"{passage.name} on {host.name}", host.folder, host.url, html, label, passage.name, passage.html
    )


def _outermost_content(document: Document, labels: str) -> list[int]:
    """Return the outermost content elements that hold no template."""
    outermost = []
    element = 0
    while element < len(document):
        end = document.ends[element]
        if labels[element] == CONTENT and TEMPLATE not in labels[element:end]:
            outermost.append(element)
            element = end
        else:
            element += 1
    return outermost
