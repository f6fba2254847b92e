"""Write the CSS selectors of a page's template and content."""

from dataclasses import dataclass

from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.page.html_names import NO_PAGE_TEXT
from sitestencil.selectors.element_selectors import ElementSelectors

_UNSEEN = NO_PAGE_TEXT | {"link", "meta", "base"}


@dataclass(frozen=True, slots=True)
class Selectors:
    """CSS selectors that match exactly the template and the content of their page.

    Elements that `ElementSelectors` gives no selector are left out.

    Attributes:
        template: match the topmost elements that are all template.
        content: match the topmost elements that are all content.
        content_texts: match other elements whose own text is content.

    Example:
        >>> from sitestencil import extract
        >>> menu = "<nav><a href='/a'>A</a></nav>"
        >>> pages = {"https://site.example/a": f"{menu}<article>Another"}
        >>> template = extract(f"{menu}<article>A story</article>", url="https://site.example/", pages=pages)
        >>> template.selectors()
        Selectors(template=('nav',), content=('article',), content_texts=())
    """

    template: tuple[str, ...]
    content: tuple[str, ...]
    content_texts: tuple[str, ...]

    def __str__(self) -> str:
        """Return a line for each selector: its kind, a tab, the selector."""
        named = (("template", self.template), ("content", self.content), ("content-text", self.content_texts))
        return "".join(f"{kind}\t{selector}\n" for kind, selectors in named for selector in selectors)


def selectors(page: JudgedPage, content: JudgedPage | None = None) -> Selectors:
    """Return the selectors of a page's template and content.

    Args:
        page: the page and its template.
        content: the same page, where all but the wanted content counts as template; by default the page itself.
    """
    content, document, parents = content or page, page.document, page.document.parents
    names = ElementSelectors(document)
    listed = [
        element
        for element in range(document.body or 0, len(document))
        if names.can_select(element) and document.tags[element] not in _UNSEEN
    ]
    whole = [bool(is_template) for is_template in page.template]
    holders = {document.texts[number].parent for number in page.content_texts()}
    for element in range(len(whole) - 1, 0, -1):
        if not whole[element] or element in holders:
            whole[element] = whole[parents[element]] = False
    other = content.template
    holders = {document.texts[number].parent for number in content.content_texts()}
    return Selectors(
        template=names.of_all([e for e in listed if whole[e] and not (parents[e] >= 0 and whole[parents[e]])]),
        content=names.of_all([e for e in listed if not other[e] and (parents[e] < 0 or other[parents[e]])]),
        content_texts=names.of_all([e for e in listed if e in holders]),
    )
