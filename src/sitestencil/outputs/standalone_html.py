"""Write pages that work alone and run no script: the template, the annotated page, the content.

`allowed_markup` lists everything they may hold. A content security policy in the file is a second wall.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from sitestencil.outputs.allowed_markup import Value, kind_of_value
from sitestencil.outputs.allowed_tree import Choice, allowed_page
from sitestencil.outputs.embedding import InOneFile, Packing, embed_files, wanted_pictures, wanted_sheets
from sitestencil.outputs.files import File, NeededFile
from sitestencil.outputs.head import add_comment, add_head, describes_page, describes_site
from sitestencil.outputs.judged_page import DEFAULT_CHOICES, POLICY, Choices, JudgedPage
from sitestencil.outputs.nesting import mend
from sitestencil.outputs.safe_addresses import action_address
from sitestencil.outputs.safe_writing import LONGEST_LINE, written
from sitestencil.outputs.secrets import without_tokens
from sitestencil.outputs.slots import Slot, fill_slots
from sitestencil.outputs.sprites import embed_sprites
from sitestencil.outputs.style_matching import Elements, Steps
from sitestencil.outputs.tree import Element, PageTree, elements
from sitestencil.page.document import Document
from sitestencil.urls import host, origin

# Deeper frames are left out, as each level quotes the levels below once more.
DEEPEST_FRAME = 8
_LOADED = frozenset(
    {Value.IMAGE, Value.IMAGES, Value.MEDIA, Value.FRAME, Value.SHEET, Value.SPRITE, Value.STYLE, Value.PAINT}
)
_ADDRESS = re.compile(r"https?://[^\s\"<>]*[^\s\"<>,]")

Change = Callable[[PageTree], None]


def template_html(
    page: JudgedPage,
    choices: Choices = DEFAULT_CHOICES,
    files: Mapping[str, File] | None = None,
    packing: Packing | None = None,
) -> str:
    """Return the template as a well-formed UTF-8 page; ``data-slot`` marks its slots.

    Args:
        page: the page.
        choices: the options of the output.
        files: the page's files by address.
        packing: chooses where the files go; by default into the page.

    Raises:
        CannotBeSaved: no HTML gives the same page again.
    """
    document = page.document
    packing = packing or InOneFile()
    packing.missing += page.missing
    slots: list[Slot] = []

    def change(tree: PageTree) -> None:
        kept = elements_kept(tree, choices, packing.steps)
        slots[:] = fill_slots(tree)
        mend(tree.body, document.rendering_mode)
        embed_files(tree, document.base, files or {}, packing, kept)

    title = page.title or (f"Template of {host(document.url)}" if document.url else "Template")
    tree = page_tree(document, choice_of(page, choices), choices.written_policy, title, change=change)
    choices.on_styles(*packing.styles)
    add_comment(tree, document.url, choices, slots, packing)  # the page's own slots: its frames come before it
    return written(tree.html, tree.body, document.rendering_mode, longest_line=LONGEST_LINE)


def elements_kept(tree: PageTree, choices: Choices, steps: Steps) -> Elements | None:
    """Return the elements of a whole page, whose rules stay; None if all rules stay."""
    return None if choices.all_styles else Elements(steps).add(tree.html)


def files_wanted(
    page: JudgedPage, choices: Choices = DEFAULT_CHOICES
) -> Callable[[Mapping[str, File]], Iterator[NeededFile]]:
    """Return a function that yields the files a template still needs, given those loaded so far.

    Style sheets come first. All others come by the rules that stay of the sheets loaded then.

    Raises:
        CannotBeSaved: the page is nested too deeply.
    """
    trees = [tree for _, tree in pages_with_frames(page.document, choice_of(page, choices))]
    steps = Steps()
    kept = [elements_kept(tree, choices, steps) for tree in trees]
    for tree in trees:
        fill_slots(tree)
    pictures: list[NeededFile] = []

    def wanted(files: Mapping[str, File]) -> Iterator[NeededFile]:
        for tree in trees:
            yield from wanted_sheets(tree, files)
        if not pictures:  # no file of these names another
            pictures.extend(one for both in zip(trees, kept, strict=True) for one in wanted_pictures(*both, files))
        yield from pictures

    return wanted


def choice_of(page: JudgedPage, choices: Choices) -> Choice:
    """Choose the whole page, with its content marked, and the site's part of the head."""
    document, keep = page.document, page.kept()
    return Choice(
        keep=[True] * len(document),
        text=page.text,
        attributes=document.attributes.__getitem__,
        in_head=describes_site,
        is_content=lambda element: not keep[element],
        form_values=choices.form_values,
        frame_bases=page.frame_bases,
        adopted_sheets=page.adopted_sheets,
    )


def annotated_html(page: JudgedPage, annotation: str, choices: Choices = DEFAULT_CHOICES) -> str:
    """Return the whole page with the class `annotation` on every template element.

    The file names its base, for attributes that only scripts resolve (``data-src``); all others are absolute.

    Raises:
        CannotBeSaved: no HTML gives the same page again.
    """
    document, policy = page.document, choices.policy

    def attributes(element: int) -> Mapping[str, str]:
        found = document.attributes[element]
        if not page.template[element]:
            return found
        return {**found, "class": f"{found.get('class', '')} {annotation}".strip()}

    choice = Choice(
        keep=[True] * len(document),
        text=lambda number: document.texts[number].text,
        attributes=attributes,
        in_head=describes_page,
        form_values=choices.form_values,
    )
    base = action_address(document.base, document.url) or None
    if base is not None and policy == POLICY:
        policy = POLICY.replace("base-uri 'none'", f"base-uri {origin(base)}")
    return page_html(document, choice, policy, base=base)


def page_html(document: Document, choice: Choice, policy: str | None, base: str | None = None) -> str:
    """Return a page with the documents of its frames; see `page_tree`.

    Raises:
        CannotBeSaved: no HTML gives the same page again.
    """
    page = page_tree(document, choice, policy, base=base)
    return written(page.html, page.body, document.rendering_mode)


def page_tree(
    document: Document,
    choice: Choice,
    policy: str | None,
    title: str | None = None,
    base: str | None = None,
    change: Change = lambda _: None,
) -> PageTree:
    """Return the tree of a page with the documents of its frames written into it, innermost first.

    Args:
        document: the key page.
        choice: the parts to write.
        policy: the content security policy of the file; None for none.
        title: a title in place of the page's own.
        base: an http or https address for programs to resolve the page's other addresses against.
        change: changes each document's tree before it gets its head.

    Raises:
        CannotBeSaved: no HTML gives a frame's document again.
    """
    texts: dict[int, str] = {}
    (_, page), *frames = pages_with_frames(document, choice)
    for root, inner in reversed(frames):
        _finish(inner, texts, change)
        add_head(inner, policy)
        texts[root] = written(inner.html, inner.body, "no-quirks")
    _finish(page, texts, change)
    add_head(page, policy, title, base)
    return page


def _finish(page: PageTree, texts: Mapping[int, str], change: Change) -> None:
    """Put the written documents of frames into their elements, and change the tree."""
    for frame, root in page.frames:
        if root in texts:
            frame.attributes.pop("src", None)
            frame.attributes["srcdoc"] = texts[root]
    change(page)
    for element in elements(page.html):
        _drop_tokens(element)
    embed_sprites(page, {}, lambda _: False)  # the links that are left


def _drop_tokens(element: Element) -> None:
    """Apply the rule for links to the addresses of what a page loads; its files were found by them before."""
    for name, value in element.attributes.items():
        if "?" in value and kind_of_value(element.namespace, element.name, name) in _LOADED:
            element.attributes[name] = _ADDRESS.sub(lambda found: without_tokens(found[0]), value)
    if element.name == "style":
        element.children = [
            _ADDRESS.sub(lambda found: without_tokens(found[0]), child) if isinstance(child, str) else child
            for child in element.children
        ]


def pages_with_frames(document: Document, choice: Choice) -> list[tuple[int, PageTree]]:
    """Return the page and its frames' documents, outer ones first, each with the number of its root."""
    pages = [(0, allowed_page(document, 0, choice))]
    depths = [0]
    for number, (_, page) in enumerate(pages):  # the list grows during the loop
        if depths[number] < DEEPEST_FRAME:
            for _, root in page.frames:
                pages.append((root, allowed_page(document, root, choice)))
                depths.append(depths[number] + 1)
    return pages
