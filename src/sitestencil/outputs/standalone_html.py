"""The template as a page to build on: content removed, containers kept, addresses absolute, scripts removed."""

import re
from collections.abc import Mapping, Sequence

from sitestencil.page.document import Document, TextRun
from sitestencil.page.serialization import to_html
from sitestencil.urls import host, resolve

_NEVER_KEPT = frozenset({"script", "noscript", "base"})
_ADDRESSES = frozenset("href src poster action formaction data background cite longdesc xlink:href".split())
_SOURCE_SETS = frozenset({"srcset", "imagesrcset"})
_CSS_ADDRESS = re.compile(r"""(url\(\s*|@import\s+)(?:"([^"]*)"|'([^']*)'|([^\s"')]+(?=\s*\))))""", re.IGNORECASE)
# What a head says of this page only: it describes content, and no page built on the template.
_PAGE_LINKS = frozenset("canonical prev next shortlink amphtml alternate bookmark pingback".split())
_SITE_META = frozenset(
    "viewport theme-color color-scheme generator application-name msapplication-tilecolor referrer".split()
)


def template_html(document: Document, template: Sequence[bool], template_texts: Sequence[bool]) -> str:
    """Return the template as a well-formed page of its own, in UTF-8.

    Args:
        document: the key page.
        template: per element, whether it is template. A content element with template inside is kept as a
            container, without its own text.
        template_texts: per text run, whether it is template.
    """
    keep = _kept(document, template)
    title = f"Template of {host(document.url)}"

    def text(number: int, run: TextRun) -> str:
        tag = document.tags[run.parent]
        if tag == "title" and _in_head(document, run.parent):
            return ""
        if tag == "style":
            return absolute_css(run.text, document.base)
        shown = template[run.parent] and (template_texts[number] or run.text.isspace())
        return run.text if shown or (tag == "head" and run.text.isspace()) else ""

    def attributes(element: int) -> Mapping[str, str]:
        return absolute_attributes(document.attributes[element], document.base)

    html = to_html(document, keep=keep, text=text, attributes=attributes)
    return _with_head(html, title)


def _with_head(html: str, title: str) -> str:
    """Say encoding and title first in the head, as a page in a file of its own must."""
    head = f'<meta charset="utf-8">\n<title>{title}</title>'
    return re.sub(r"<head\b[^>]*>", lambda found: f"{found[0]}{head}", html, count=1)


def _kept(document: Document, template: Sequence[bool]) -> list[bool]:
    """Return what is written: template elements and the containers around them."""
    keep = [
        bool(is_template) and not _is_dropped(document, element) for element, is_template in enumerate(template)
    ]
    for element in range(len(keep) - 1, 0, -1):
        if keep[element]:
            keep[document.parents[element]] = True
    for element, tag in enumerate(document.tags):
        if tag in _NEVER_KEPT:
            keep[element] = False
    return keep


def _is_dropped(document: Document, element: int) -> bool:
    tag = document.tags[element]
    if tag in _NEVER_KEPT:
        return True
    if not _in_head(document, element):
        return False
    attributes = document.attributes[element]
    if tag == "meta":
        return attributes.get("name", "").lower() not in _SITE_META
    if tag == "link":
        return bool(_PAGE_LINKS & set(attributes.get("rel", "").lower().split()))
    return tag == "title"


def _in_head(document: Document, element: int) -> bool:
    return element < (document.body if document.body is not None else len(document))


def absolute_attributes(attributes: Mapping[str, str], base: str) -> dict[str, str]:
    """Return attributes with absolute addresses and without event handlers and script addresses."""
    absolute = {}
    for name, value in attributes.items():
        lower = name.lower()
        if lower.startswith("on") or lower in {"nonce", "integrity"}:
            continue
        if lower in _ADDRESSES:
            absolute[name] = _absolute(value, base)
        elif lower in _SOURCE_SETS:
            absolute[name] = absolute_source_set(value, base)
        elif lower == "style":
            absolute[name] = absolute_css(value, base)
        else:
            absolute[name] = value
    return absolute


def _absolute(reference: str, base: str) -> str:
    stripped = reference.strip()
    if not stripped or stripped.startswith("#"):
        return reference
    if re.sub(r"[\x00-\x20]", "", stripped).lower().startswith(("javascript:", "vbscript:")):
        return "#"
    return resolve(stripped, base) or reference


def absolute_css(css: str, base: str) -> str:
    """Return CSS with the addresses in ``url()`` and ``@import`` absolute."""

    def replace(found: re.Match[str]) -> str:
        reference = next(group for group in found.groups()[1:] if group is not None)
        address = reference if reference.startswith(("#", "data:")) else resolve(reference, base) or reference
        return '{}"{}"'.format(found[1], address.replace('"', "%22"))

    return _CSS_ADDRESS.sub(replace, css)


def absolute_source_set(value: str, base: str) -> str:
    """Return a ``srcset`` with absolute addresses; its descriptors stay."""
    candidates = re.findall(r"\s*([^\s,]\S*[^\s,])((?:\s+[\d.]+[wxh])*)\s*(?:,|$)", value)
    return ", ".join(f"{_absolute(address, base)}{descriptor}" for address, descriptor in candidates) or value
