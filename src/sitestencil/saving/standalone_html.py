"""Save a template as one page of HTML, or mark it in the whole page."""

from collections.abc import Callable, Iterator, Mapping

from sitestencil.outputs.allowed_tree import Choice
from sitestencil.outputs.files import File, NeededFile
from sitestencil.outputs.judged_page import DEFAULT_CHOICES, POLICY, Choices, JudgedPage
from sitestencil.outputs.nesting import mend
from sitestencil.outputs.page_tree import describes_page, describes_site, page_html, page_tree, pages_with_frames
from sitestencil.outputs.safe_addresses import action_address
from sitestencil.outputs.safe_writing import LONGEST_LINE, written
from sitestencil.outputs.tree import PageTree
from sitestencil.saving.embedding import InOneFile, Packing, embed_files, wanted_pictures, wanted_sheets
from sitestencil.saving.layout_comment import add_comment
from sitestencil.saving.slot_emptying import fill_slots
from sitestencil.saving.slots import Slot, places_of
from sitestencil.saving.style_matching import Elements, Steps
from sitestencil.urls import host, origin


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
    places, slots = places_of(page), list[Slot]()

    def change(tree: PageTree) -> None:
        kept = elements_kept(tree, choices, packing.steps)
        slots[:] = fill_slots(tree, places)
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
    places = places_of(page)
    for tree in trees:
        fill_slots(tree, places)
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
