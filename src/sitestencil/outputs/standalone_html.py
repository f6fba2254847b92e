"""Pages that stand on their own: the template to build on, the annotated page, the content. None runs a script.

What may stand in them is `allowed_markup`'s table. A content security policy in the file is a second wall.
"""

from collections.abc import Mapping, Sequence

from sitestencil.outputs.allowed_tree import Choice, Element, Page, allowed_page
from sitestencil.outputs.policy import POLICY
from sitestencil.outputs.safe_addresses import action_address
from sitestencil.outputs.safe_writing import written
from sitestencil.page.document import Document
from sitestencil.urls import host, origin

# Documents of frames within frames: deeper ones are left out, as each level quotes the levels below once more.
DEEPEST_FRAME = 8
# What a head says of this page only: it describes content, and no page built on the template.
_PAGE_LINKS = frozenset("canonical prev next shortlink amphtml alternate bookmark pingback author me".split())
_SHEET_OR_ICON = frozenset(
    "stylesheet icon shortcut apple-touch-icon apple-touch-icon-precomposed mask-icon fluid-icon license".split()
)
_SITE_META = frozenset(
    "viewport theme-color color-scheme generator application-name msapplication-tilecolor referrer".split()
)
_PAGE_META = frozenset("description keywords author robots date".split())
_PAGE_PROPERTIES = ("og:", "article:", "twitter:", "dc:")


def template_html(
    document: Document,
    template: Sequence[bool],
    template_texts: Sequence[bool],
    *,
    policy: str | None = POLICY,
    form_values: bool = False,
    frame_bases: Mapping[int, str] | None = None,
    adopted_sheets: Mapping[int, str] | None = None,
) -> str:
    """Return the template as a well-formed page of its own, in UTF-8.

    Args:
        document: the key page.
        template: per element, whether it is template. A content element with template inside is kept as a
            container, without its own text.
        template_texts: per text run, whether it is template.
        policy: the content security policy that the file carries; None for none.
        form_values: write the values of text fields too; passwords, hidden fields and tokens never.
        frame_bases: by the number of a frame's ``html`` element, the address its links resolve against.
        adopted_sheets: CSS that stands in no text of the page, by the number of the shadow root's element or of the
            ``html`` element of a document.
    """
    tags, texts = document.tags, document.texts

    def text(number: int) -> str:
        run = texts[number]
        if tags[run.parent] == "style":
            return run.text
        shown = template[run.parent] and (template_texts[number] or run.text.isspace())
        return run.text if shown else ""

    choice = Choice(
        keep=_kept(document, template),
        text=text,
        attributes=document.attributes.__getitem__,
        in_head=_describes_site,
        form_values=form_values,
        frame_bases=frame_bases or {},
        adopted_sheets=adopted_sheets or {},
    )
    return page_html(document, choice, policy, f"Template of {host(document.url)}")


def annotated_html(
    document: Document,
    template: Sequence[bool],
    annotation: str,
    *,
    policy: str | None = POLICY,
    form_values: bool = False,
) -> str:
    """Return the whole page, texts and content too, with the class `annotation` on every template element.

    It says its base, for attributes that only scripts read as addresses (``data-src``); all others are absolute.
    """

    def attributes(element: int) -> Mapping[str, str]:
        own = document.attributes[element]
        if not template[element]:
            return own
        return {**own, "class": f"{own.get('class', '')} {annotation}".strip()}

    choice = Choice(
        keep=[True] * len(document),
        text=lambda number: document.texts[number].text,
        attributes=attributes,
        in_head=describes_page,
        form_values=form_values,
    )
    base = action_address(document.base, document.url)
    if base is not None and policy == POLICY:
        policy = POLICY.replace("base-uri 'none'", f"base-uri {origin(base)}")
    return page_html(document, choice, policy, base=base)


def page_html(
    document: Document, choice: Choice, policy: str | None, title: str | None = None, base: str | None = None
) -> str:
    """Return a page with the documents of its frames, the innermost of which are written first.

    Args:
        document: the key page.
        choice: what of it is written.
        policy: the content security policy that the file carries; None for none.
        title: of the file, where it is not the page's own.
        base: an http or https address that programs are to resolve the page's other addresses against.

    Raises:
        CannotBeSaved: the page cannot be written as HTML that gives the same page again.
    """
    texts: dict[int, str] = {}
    for root, page in reversed(pages_with_frames(document, choice)):
        for frame, inner in page.frames:
            if inner in texts:
                frame.attributes.pop("src", None)
                frame.attributes["srcdoc"] = texts[inner]
        _add_head(page, policy, *((title, base) if root == 0 else (None, None)))
        mode = document.rendering_mode if root == 0 else "no-quirks"
        texts[root] = written(page.html, page.head, page.body, mode)
    return texts[0]


def pages_with_frames(document: Document, choice: Choice) -> list[tuple[int, Page]]:
    """Return the page and the documents of its frames, outer ones first, each with the number of its root."""
    pages = [(0, allowed_page(document, 0, choice))]
    depths = [0]
    for number, (_, page) in enumerate(pages):  # the list grows as it is read
        if depths[number] < DEEPEST_FRAME:
            for _, root in page.frames:
                pages.append((root, allowed_page(document, root, choice)))
                depths.append(depths[number] + 1)
    return pages


def _add_head(page: Page, policy: str | None, title: str | None, base: str | None) -> None:
    """Say encoding, policy, base and title first in the head, as a page in a file of its own must.

    Browsers look for the encoding in the first kilobyte, and a policy may be long.
    """
    head: list[Element | str] = [Element("meta", attributes={"charset": "utf-8"}), "\n"]
    if policy is not None:
        head += [Element("meta", attributes={"http-equiv": "Content-Security-Policy", "content": policy}), "\n"]
    if base is not None:
        head += [Element("base", attributes={"href": base}), "\n"]
    if title is not None:
        head += [Element("title", children=[title]), "\n"]
    page.head.set_children([*head, *page.head.children])


def _kept(document: Document, template: Sequence[bool]) -> list[bool]:
    """Return what is written: template elements, what they are styled by, and the containers around both."""
    keep = [bool(is_template) or _is_style(document, element) for element, is_template in enumerate(template)]
    keep[0] = True
    for element in range(len(keep) - 1, 0, -1):
        if keep[element]:
            keep[document.parents[element]] = True
    return keep


def _is_style(document: Document, element: int) -> bool:
    tag = document.tags[element]
    if tag == "link":
        return "stylesheet" in _relations(document.attributes[element])
    return tag == "style"


def _relations(attributes: Mapping[str, str]) -> frozenset[str]:
    return frozenset(attributes.get("rel", "").lower().split())


def _describes_site(name: str, attributes: Mapping[str, str]) -> bool:
    """Return whether an element of the head is true of every page of the site, and loads nothing for scripts."""
    if name == "link":
        relations = _relations(attributes)
        return bool(relations & _SHEET_OR_ICON) and ("stylesheet" in relations or not relations & _PAGE_LINKS)
    if name == "meta":
        return attributes.get("name", "").lower() in _SITE_META and "http-equiv" not in attributes
    return name == "style"


def describes_page(name: str, attributes: Mapping[str, str]) -> bool:
    """Return whether an element of the head says what the page or its site is."""
    if name == "link":
        return bool(_relations(attributes) & (_SHEET_OR_ICON | _PAGE_LINKS))
    if name == "meta":
        named = attributes.get("name", "").lower()
        described = named in _SITE_META | _PAGE_META or attributes.get("property", "").startswith(_PAGE_PROPERTIES)
        return described and "http-equiv" not in attributes
    return name in {"style", "title"}
