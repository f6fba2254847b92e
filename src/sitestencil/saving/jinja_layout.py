"""Write the template as a layout for Jinja2: each slot becomes a block, which another template fills.

    {% extends "layout.html" %}
    {% block main %}<h1>A page of mine</h1>{% endblock %}

With the page's own content in these blocks, the layout gives the page again.
"""

import re
from collections.abc import Mapping, Sequence

from sitestencil.outputs.allowed_tree import Choice
from sitestencil.outputs.files import File
from sitestencil.outputs.judged_page import DEFAULT_CHOICES, Choices, JudgedPage
from sitestencil.outputs.nesting import mend
from sitestencil.outputs.page_tree import describes_page, describes_site, page_tree
from sitestencil.outputs.safe_writing import EATS_NEWLINE, LONGEST_LINE, mend_page, nodes_text, page_text
from sitestencil.outputs.tree import ContentText, Element, PageTree, Verbatim
from sitestencil.outputs.tree import is_content as is_of_content
from sitestencil.saving.embedding import InOneFile, Packing, embed_files
from sitestencil.saving.layout_comment import layout_comment
from sitestencil.saving.slots import Slot, fill, places_of, slots_of
from sitestencil.saving.standalone_html import elements_kept

_MARKS = """\
Each is a block: {% extends %} this file and fill them with {% block NAME %}.
The block head is for style sheets and the like, the block title for the title.\
"""
# The start of a Jinja tag; also a brace at the end of a piece, which the next piece may continue.
_OPENING = re.compile(r"\{(?=[{%#]|\Z)")


def jinja_layout(
    page: JudgedPage,
    choices: Choices = DEFAULT_CHOICES,
    files: Mapping[str, File] | None = None,
    packing: Packing | None = None,
) -> str:
    """Return the template as a Jinja2 template with a block for each slot.

    The block ``title`` holds the site's own title; the others are empty. Files are as in `template_html`.

    Raises:
        CannotBeSaved: no HTML gives the same page again.
    """
    packing = packing or InOneFile()
    packing.missing += page.missing
    tree = whole_page(page, choices, files, packing)
    choices.on_styles(*packing.styles)
    slots: list[Slot] = []

    def block(slot: Slot) -> list[Element | str]:
        slots.append(slot)
        return _block(slot, page.title)

    fill(tree.html, places_of(page), block)
    text = page_text(tree.html, page.document.rendering_mode, escape=jinja_text, longest_line=LONGEST_LINE)
    return f"{{#\n{layout_comment(page.document.url, choices, slots, _MARKS, packing)}\n-#}}\n{text}"


def slot_contents(page: JudgedPage, choices: Choices = DEFAULT_CHOICES) -> Mapping[str, str]:
    """Return the page's own content of each slot as HTML, by the slots' names.

    Raises:
        CannotBeSaved: no HTML gives the same page again.
    """
    return {slot.name: nodes_text(slot.nodes) for slot in slots_of(whole_page(page, choices).html, places_of(page))}


def jinja_text(text: str) -> str:
    """Escape a text, so that Jinja2 writes it unchanged.

    >>> print(jinja_text("@media print{#menu{color:red}} {{ x }}"))
    @media print{{ '{' }}#menu{color:red}} {{ '{' }}{ x }}
    """
    return _OPENING.sub("{{ '{' }}", text)


def whole_page(
    page: JudgedPage, choices: Choices, files: Mapping[str, File] | None = None, packing: Packing | None = None
) -> PageTree:
    """Return the whole page's tree as HTML can express it, with its content marked; see `jinja_layout`."""
    document, keep, packing = page.document, page.kept(), packing or InOneFile()
    tags, body = document.tags, document.body or 0
    title = tags.index("title") if "title" in tags[:body] else -1
    # A frame with any content is content itself: no block can be inside an attribute.
    frames = {document.parents[root] for root in document.embedded if _is_frame_with_content(page, keep, root)}

    def is_content(element: int) -> bool:
        if element < body:
            return element != title and not describes_site(tags[element], document.attributes[element])
        return not keep[element] or element in frames

    def text(number: int) -> str:
        run = document.texts[number]
        return ContentText(run.text) if run.parent == title else page.text(number)

    choice = Choice(
        keep=[True] * len(document),
        text=text,
        attributes=document.attributes.__getitem__,
        in_head=describes_page,
        is_content=is_content,
        form_values=choices.form_values,
        frame_bases=page.frame_bases,
        adopted_sheets=page.adopted_sheets,
    )

    def change(tree: PageTree) -> None:
        # The page's own part of the head is one block, behind the site's style sheets.
        tree.head.children.sort(key=is_of_content)
        mend(tree.body, document.rendering_mode)
        kept = elements_kept(tree, choices, packing.steps)
        embed_files(tree, document.base, files or {}, packing, kept)

    tree = page_tree(document, choice, choices.written_policy, change=change)
    mend_page(tree.html, tree.body, document.rendering_mode)
    if not any(map(is_of_content, tree.head.children)):
        tree.head.children.append(ContentText())
    return tree


def _is_frame_with_content(page: JudgedPage, keep: Sequence[bool], root: int) -> bool:
    document = page.document
    if document.tags[root] != "html":
        return False
    inside = range(root, document.ends[root])
    texts = (number for number, run in enumerate(document.texts) if run.parent in inside)
    return not all(keep[element] for element in inside) or any(is_of_content(page.text(number)) for number in texts)


def _block(slot: Slot, title: str) -> list[Element | str]:
    before = [Verbatim("\n")] if slot.start == 0 and _begins_with_eaten_newline(slot) else []
    default = [title] if slot.parent.name == "title" else []
    return [*before, Verbatim(f"{{% block {slot.name} %}}"), *default, Verbatim("{% endblock %}")]


def _begins_with_eaten_newline(slot: Slot) -> bool:
    first = slot.nodes[0]
    return slot.parent.name in EATS_NEWLINE and isinstance(first, str) and first.startswith("\n")
