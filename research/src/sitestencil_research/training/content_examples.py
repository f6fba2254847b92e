"""Label the blocks of pages: the examples for the model of main content.

Most labels come from gold texts. The labels of labelled sites know template and content only: all content of these
counts as main content.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitestencil.content.context import Layout, layout_of
from sitestencil.content.features import near_and_far_names, page_columns
from sitestencil.content.frame import sure_template
from sitestencil.content.page_kind import statements_of
from sitestencil.content.page_measures import PageMeasures
from sitestencil.content.parts import parts_of, title_block
from sitestencil.errors import SitestencilError
from sitestencil.extraction import extract
from sitestencil.page.document import Document
from sitestencil.page.words import words
from sitestencil.reading.blocks import Block, text_blocks
from sitestencil.template import Template
from sitestencil_research.gold_texts.sets import GoldPage
from sitestencil_research.labels import CONTENT, TEMPLATE, read_labels
from sitestencil_research.running import Done, ignored, results_in_order

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float32]]

# A run of this many words that also stands in the gold text is taken from it; characters in scripts without spaces.
_RUN = 4
_RUN_OF_CHARACTERS = 7
_MANY_CHARACTERS = 0.3
# The set of the labelled sites, and the share of a block by the label of its element.
LABELLED = "labelled sites"
# The kinds of the sets that name them, and of two sets of news.
_KINDS = {
    "daniel": "article",
    "scrapinghub": "article",
    "article": "article",
    "collection": "list",
    "listing": "list",
    "product": "product",
    "documentation": "manual",
    "forum": "thread",
    "service": "service",
}
_SHARES = {CONTENT: 1.0, TEMPLATE: 0.0}


@dataclass(frozen=True, slots=True, eq=False)
class ContentExample:
    """A page's blocks with their labels.

    Attributes:
        page: the page, with its gold text; pages of one host stay together.
        set: the name of its set.
        texts: the text of each block.
        shares: per block, the share of its words that the gold text has in the same order; NaN where nobody knows.
        features: those of each block, without those of names.
        names: the words in the names of each block's near and far elements.
        left_out: per block, whether it is of a part that the set's gold texts leave out.
        title: the block that holds the title; -1 if there is none.
        document: the page's tree.
        containers: per block, its container.
        layout: how the blocks stand to each other.
        sure: per block, whether compared pages show it to be template; None if there are none.
        statements: what the page states of itself.
    """

    page: GoldPage
    set: str
    texts: Sequence[str]
    shares: "Array"
    features: "Array"
    names: Sequence[tuple[frozenset[str], frozenset[str]]]
    left_out: Sequence[bool]
    title: int
    document: Document
    containers: Sequence[int]
    layout: Layout
    sure: Sequence[bool] | None
    statements: Sequence[float]

    @property
    def kind(self) -> str | None:
        """The page's kind as its set names it; None if it does not."""
        return _KINDS.get(self.page.kind or self.set, _KINDS.get(self.set))


def content_examples(
    sets: Mapping[str, Sequence[GoldPage]], processes: int | None = None, done: Done = ignored
) -> list[ContentExample]:
    """Return the examples of the pages of all sets; pages that cannot be read or have no text are left out.

    Args:
        sets: the pages of each set, by its name.
        processes: how many worker processes to use; by default one per core.
        done: is told the finished pages and their number.
    """
    hosts: defaultdict[tuple[str, str], list[GoldPage]] = defaultdict(list)
    for name, pages in sets.items():
        for page in pages:
            hosts[name, page.host].append(page)
    tasks = [(pages, name) for (name, _), pages in hosts.items()]
    sizes = [len(pages) for pages in hosts.values()]
    of_hosts = results_in_order(_examples_of_host, tasks, processes, done, sizes)
    return [example for examples in of_hosts for example in examples]


def labelled_examples(
    folders: Sequence[Path], processes: int | None = None, done: Done = ignored
) -> list[ContentExample]:
    """Return the examples of labelled sites' key pages. Content counts as main content, and template does not.

    Args:
        folders: the folders of the sites.
        processes: how many worker processes to use; by default one per core.
        done: is told the finished sites and their number.
    """
    examples = results_in_order(_labelled_example, [(folder,) for folder in folders], processes, done)
    return [example for example in examples if example is not None]


def _labelled_example(folder: Path) -> ContentExample | None:
    _, labels = read_labels(folder)
    template = extract(folder)
    blocks = text_blocks(template.document)
    shares = [_SHARES.get(labels[block.container], nan) for block in blocks]
    page = GoldPage(folder.name, template.url, folder, "")
    return _example_of(page, LABELLED, template, blocks, shares)


def _examples_of_host(pages: Sequence[GoldPage], name: str) -> list[ContentExample]:
    htmls = {page.url: page.html() for page in pages}
    examples = []
    for page in pages:
        others = {url: html for url, html in htmls.items() if url != page.url}
        with suppress(SitestencilError):
            template = extract(htmls[page.url], url=page.url, pages=others)
            blocks = text_blocks(template.document)
            examples.append(_example_of(page, name, template, blocks, gold_shares(blocks, page.gold)))
    return [example for example in examples if example is not None]


def _example_of(
    page: GoldPage, name: str, template: Template, blocks: Sequence[Block], shares: Sequence[float]
) -> ContentExample | None:
    import numpy as np

    if not blocks:
        return None
    document = template.document
    measures = PageMeasures(document, blocks)
    parts = parts_of(measures)
    detection = template.detection
    return ContentExample(
        page=page,
        set=name,
        texts=[block.text for block in blocks],
        shares=np.array(shares, np.float32),
        features=np.array(page_columns(measures), np.float32).T,
        names=near_and_far_names(measures),
        left_out=[parts[block.container] in page.without for block in blocks],
        title=title_block(measures),
        document=document,
        containers=[block.container for block in blocks],
        layout=layout_of(measures),
        sure=sure_template(document, blocks, detection) if detection.candidates else None,
        statements=statements_of(document),
    )


def gold_shares(blocks: Sequence[Block], gold: str) -> list[float]:
    r"""Return, per block, the share of its words that stand in the gold text, in runs of at least four words.

    A block of fewer words counts if it is a line of the gold text, and has two words or more.

    Example:
        >>> from sitestencil import parse
        >>> page = parse("<p>Menu<h1>On knots</h1><p>A rope holds well. Share", "https://site.example/")
        >>> gold_shares(text_blocks(page), "On knots\nA rope holds well.")
        [0.0, 1.0, 0.8]
    """
    wanted = words(gold)
    characters = sum(word[0] >= "\u3040" for word in wanted)
    run = _RUN_OF_CHARACTERS if characters > _MANY_CHARACTERS * len(wanted) else _RUN
    runs = {tuple(wanted[start : start + run]) for start in range(len(wanted) - run + 1)}
    lines = {tuple(words(line)) for line in gold.split("\n")}
    written = [word for block in blocks for word in block.words]
    found = bytearray(len(written))
    for start in range(len(written) - run + 1):
        if tuple(written[start : start + run]) in runs:
            found[start : start + run] = b"\1" * run
    shares, start = [], 0
    for block in blocks:
        end = start + len(block.words)
        is_line = 1 < len(block.words) < run and tuple(block.words) in lines
        shares.append(1.0 if is_line else sum(found[start:end]) / len(block.words))
        start = end
    return shares
