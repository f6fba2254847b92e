"""Read a site's pages as safe trees with a hole for their main content."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import mean
from urllib.parse import quote

from sitestencil.content.container import main_containers
from sitestencil.crawl.content import SiteExtractor
from sitestencil.crawl.limits import MOST_SECONDS, TimeIsUp, page_limits
from sitestencil.errors import CannotBeSaved, OutOfMemory, PageUnavailable, UnusableInput
from sitestencil.outputs.allowed_markup import Value, kind_of_value
from sitestencil.outputs.allowed_tree import Choice
from sitestencil.outputs.page_tree import describes_page, page_tree
from sitestencil.outputs.safe_css import safe_css
from sitestencil.outputs.safe_writing import mend_page
from sitestencil.outputs.tree import Element, elements
from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT
from sitestencil.page.page_title import page_title
from sitestencil.page.parser_rules import DOCTYPES
from sitestencil.page.words import words
from sitestencil.rebuild.main_container import (
    Beside,
    Container,
    Key,
    beside_content,
    container_key,
    containers,
    emptied,
    path_to,
)
from sitestencil.rebuild.nodes import PAGE, ROOT, Node, Pool, Run, text_of
from sitestencil.rebuild.patterns import Path
from sitestencil.rebuild.static_files import StaticFiles
from sitestencil.template import Template
from sitestencil.whole_site.gathering import Site
from sitestencil.whole_site.saving import learn_kinds

OTHER = "other"  # the kind of pages that have no container in common
FIELDS = ("title", "description", "date", "author", "language")
_LEAST_OF_KIND = 5  # pages; a kind of fewer joins another one
_LEAST_AS_KIND = 2
_BODY, _LEAST_OF_BODY = ("html", "body"), 0.8  # purity; else the frame would be part of the content
LONGEST_FIELD = 500
Report = Callable[[str, int, int], object]


@dataclass(slots=True, eq=False)
class Page:
    """A page of the site.

    Attributes:
        number: its number in the site.
        url: its address.
        path: its path in the project, such as ``guide/index.html``.
        root: its tree, with a hole for its main content.
        main: the main content; None if the tree has no hole.
        markdown: the main content as Markdown, if the content file has that.
        fields: what it states: title, description, date, author, language; and its address.
        kind: the name of its kind.
        words: the words of the page as it came.
        main_words: those of its main content and its title.
        scripts: the number of its scripts, which are left out.
        chain: the elements that hold nearly all of its main content.
        whole: its tree without a hole.
    """

    number: int
    url: str
    path: str
    root: Node
    fields: dict[str, str]
    words: list[str]
    main_words: list[str] = field(default_factory=list)
    scripts: int = 0
    main: Run | None = None
    markdown: str | None = None
    kind: str = OTHER
    chain: list[Container] = field(default_factory=list)
    whole: Node = field(init=False)

    def __post_init__(self) -> None:
        self.whole = self.root

    def leave_kind(self) -> None:
        """Put the main content back; the page is of no kind then."""
        self.root, self.main, self.kind = self.whole, None, OTHER

    @property
    def content_path(self) -> str:
        """The path of its content file."""
        return f"content/{self.path.removesuffix('.html')}.md" if self.markdown else f"content/{self.path}"

    @property
    def purity(self) -> float | None:
        """The share of the words in the hole that are main content, or the title's; None without words."""
        held = Counter(words(text_of(self.main or (), without=NO_PAGE_TEXT)))
        return (held & Counter(self.main_words)).total() / held.total() if held else None


def read_pages(site: Site, files: StaticFiles, report: Report) -> list[Page]:
    """Return the pages of a site, each with its kind; those that cannot be read are named in ``site.left``.

    Raises:
        UnusableInput: no page can be read.
    """
    site.ending = ".html"
    templates, _ = learn_kinds(site)
    extractor, pool = SiteExtractor(templates), Pool()
    pages, kinds = list[Page](), list[str]()
    paths = {page.url: site.files[site.key(page.url)].removeprefix("pages/") for page in site.pages}
    for number, one in enumerate(site.pages):
        report("Reading pages", number, len(site.pages))
        try:
            with page_limits(MOST_SECONDS):
                template, kind = extractor.template(site.full(one))
                page = _read(template, paths[one.url], pool, len(pages), site, files)
        except (PageUnavailable, CannotBeSaved) as error:
            site.left[one.url] = str(error)
        except (OutOfMemory, TimeIsUp):
            site.left[one.url] = "it takes too much time or memory"
        else:
            pages.append(page)
            kinds.append(kind)
    if not pages:
        raise UnusableInput(f"{site.start}: no page of this site can be read.")
    _set_kinds(pages, kinds, pool)
    return pages


def _read(template: Template, path: str, pool: Pool, number: int, site: Site, files: StaticFiles) -> Page:
    document = template.document
    tree = page_tree(document, _whole(document), None)
    mend_page(tree.html, tree.body, document.rendering_mode)
    for element in elements(tree.html):
        relink(element, partial(in_project, site.file), partial(in_project, files.path))
    root = pool.node(PAGE, "other", (("doctype", DOCTYPES[document.rendering_mode]),), (pool.of(tree.html),))
    stated, title = template.metadata, page_title(document)
    fields = {
        "title": stated.title or title,
        "description": stated.description or "",
        "date": stated.published or "",
        "author": stated.author or "",
        "language": stated.language or "",
        "address": template.url,
    }
    page = Page(number, template.url, path, root, {name: one[:LONGEST_FIELD] for name, one in fields.items()}, [])
    page.words = [*words(" ".join(shown_texts(document)))]
    page.scripts = document.tags.count("script")
    main = template.main
    texts = (
        run.text for at, run in enumerate(document.texts) if main.texts[at] or main.parts[run.parent] == "title"
    )
    page.main_words = [*words(" ".join(texts))]
    page.chain = containers(main_containers(document, main), template.elements, tree.html)
    return page


def shown_texts(document: Document) -> Iterator[str]:
    """Yield the texts of a page that are no code."""
    for run in document.texts:
        if document.tags[run.parent] not in NO_PAGE_TEXT:
            yield run.text


def _whole(document: Document) -> Choice:
    return Choice(
        keep=[True] * len(document),
        text=lambda number: document.texts[number].text,
        attributes=document.attributes.__getitem__,
        in_head=describes_page,
    )


_LINKS = frozenset({Value.LINK, Value.ACTION, Value.FRAME})
_LOADED = frozenset({Value.IMAGE, Value.MEDIA, Value.SHEET, Value.SPRITE})
Link = Callable[[str], str | None]


def relink(element: Element, page: Link, file: Link) -> None:
    """Let an element lead to the project's pages and files, where it has those; what names its own page stays."""
    if element.name == "link" and not {"stylesheet", "icon"} & set(element.attributes.get("rel", "").split()):
        return
    for name, value in element.attributes.items():
        kind = kind_of_value(element.namespace, element.name, name)
        if kind in _LINKS | _LOADED and value.startswith(("http://", "https://")):
            element.attributes[name] = (page if kind in _LINKS else file)(value) or value
        elif kind is Value.IMAGES:
            places = (part.partition(" ") for part in value.split(", "))
            element.attributes[name] = ", ".join(f"{file(one) or one}{gap}{rest}" for one, gap, rest in places)
        elif kind is Value.STYLE and "url(" in value:
            element.attributes[name] = safe_css(value, "", lambda address: file(address) or address)
    if element.name == "style":
        rules = "".join(child for child in element.children if isinstance(child, str))
        element.set_children([safe_css(rules, "", lambda address: file(address) or address)])


def in_project(path_of: Link, url: str) -> str | None:
    """Return the address of a page or a file in the project, from its root; None if the project has none."""
    address, mark, fragment = url.partition("#")
    path = path_of(address)
    return None if path is None else f"{ROOT}{quote(path.removeprefix('pages/'))}{mark}{fragment}"


def _set_kinds(pages: list[Page], learned: list[str], pool: Pool) -> None:
    """Empty the main container of each page, and name the kinds; a small one joins a large one of its container."""
    of_kind = defaultdict[str, list[Page]](list)
    for page, kind in zip(pages, learned, strict=True):
        of_kind[kind].append(page)
    keys = {kind: container_key([page.chain for page in of]) for kind, of in of_kind.items()}
    ranked = sorted(of_kind, key=lambda kind: (-len(of_kind[kind]), kind))
    with_key = {key: kind for kind in reversed(ranked) if (key := keys[kind])}  # the largest of each
    common = sorted(with_key, key=lambda key: ranked.index(with_key[key]))
    parts = [key[:end] for key in common for end in range(len(key) - 1, 2, -1) if _is_lasting(key[end - 1])]
    found = defaultdict[tuple[str, Key], list[Page]](list)
    for page, kind in zip(pages, learned, strict=True):
        own = [one.key for one in reversed(page.chain)]
        likely = (key for key in (keys[kind], *own, *common) if key is not None and key in with_key)
        chosen: dict[tuple[str, Key], None] = dict.fromkeys((with_key[key], key) for key in likely)
        if (key := keys[kind]) is not None and len(of_kind[kind]) >= _LEAST_OF_KIND:
            chosen = {(kind, key): None, **chosen}
        for one in (*chosen, *(("", part) for part in parts)):
            if _place(page, one[1]) is not None:
                found[one].append(page)
                break
    for (_, key), of in found.items():
        held = [_own(page, key) for page in of]
        beside = beside_content([one.children for one in held if one is not None])
        for page in of:
            _empty(page, key, beside, pool)
        shared = _with_frame([page for page, one in zip(of, held, strict=True) if one is None])
        of[:] = [page for page in of if page not in shared]
        if key == _BODY and mean(page.purity or 0.0 for page in of) < _LEAST_OF_BODY:
            for page in of:
                page.leave_kind()
            of.clear()
    ordered = sorted((of for of in found.values() if len(of) >= _LEAST_AS_KIND), key=lambda of: -len(of))
    for number, of in enumerate(ordered, 1):
        for page in of:
            page.kind = f"kind-{number}"
    for page in (page for of in found.values() if len(of) < _LEAST_AS_KIND for page in of):
        page.leave_kind()


def _with_frame(by_key: Sequence[Page]) -> set[Page]:
    """Put back what has a container's key alone, and is the same on several pages; return these pages."""
    counts = Counter(page.main for page in by_key)
    shared = {page for page in by_key if counts[page.main] > 1}
    for page in shared:
        page.leave_kind()
    return shared


def _own(page: Page, key: Key) -> Container | None:
    return next((one for one in page.chain if one.key == key), None)


def _place(page: Page, key: Key) -> Path | None:
    """Return the path to a page's container of a key; None if it has none."""
    own = _own(page, key)
    return own.path if own is not None else path_to(page.root, key)


def _empty(page: Page, key: Key, beside: Beside, pool: Pool) -> None:
    """Take the main content out of a page's container."""
    path = _place(page, key)
    assert path is not None
    page.root, page.main = emptied(pool, page.root, path, beside)


def _is_lasting(step: str) -> bool:
    return "#" in step or "." in step or step in {"main", "article"}
