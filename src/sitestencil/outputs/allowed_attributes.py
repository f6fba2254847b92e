"""Clean the attributes of a saved page, each by the kind of its value."""

from collections.abc import Mapping
from itertools import islice

from sitestencil.outputs.allowed_markup import PAGE_RELATIONS, SITE_RELATIONS, Value, kind_of_value
from sitestencil.outputs.safe_addresses import (
    action_address,
    fragment_address,
    image_address,
    link_address,
    source_set,
    web_address,
)
from sitestencil.outputs.safe_css import safe_css
from sitestencil.outputs.secrets import field_value, without_secrets
from sitestencil.page.parser_rules import Namespace
from sitestencil.page.without_scripts import with_later_images

_MOST_ATTRIBUTES = 1_000  # of one element: the parser that checks the output takes quadratic time
_TARGETS = frozenset({"_blank", "_self", "_parent", "_top"})
# Scripts load an image from these when it comes into view; no saved page has such scripts.
_IMAGES = frozenset({"img", "source"})
_ICONS = frozenset({"icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "fluid-icon"})


class AttributeRules:
    """Clean the attributes of one document.

    Args:
        base: the address that references resolve against.
        form_values: whether to write the values of text fields.
    """

    def __init__(self, base: str, *, form_values: bool = False) -> None:
        self._base = base
        self._form_values = form_values

    def of(self, namespace: Namespace, element: str, attributes: Mapping[str, str]) -> dict[str, str]:
        """Return the attributes to write for an element, in their order."""
        written = {}
        if element in _IMAGES and namespace == "html":
            attributes = with_later_images(attributes)
        for name, value in islice(attributes.items(), _MOST_ATTRIBUTES):
            kind = kind_of_value(namespace, element, name)
            clean = None if kind is None else self._cleaned(kind, name, value, attributes)
            if clean is not None:
                written[name] = clean
        if element == "iframe" and namespace == "html":
            written["sandbox"] = ""  # the framed page runs no script and opens nothing
        return written

    def _cleaned(  # noqa: PLR0911, PLR0912 - a table
        self, kind: Value, name: str, value: str, attributes: Mapping[str, str]
    ) -> str | None:
        base = self._base
        match kind:
            case Value.TEXT:
                return value
            case Value.DATA:
                return without_secrets(name, value)
            case Value.STYLE | Value.PAINT:
                return safe_css(value, base)
            case Value.FIELD:
                return field_value(attributes, form_values=self._form_values)
            case Value.LINK:
                return link_address(value, base)
            case _ if not value.strip():
                return None
            case Value.SHEET:
                return self._sheet(value, attributes)
            case Value.ACTION | Value.CITED:
                return action_address(value, base)
            case Value.IMAGE:
                return image_address(value, base)
            case Value.IMAGES:
                return source_set(value, base) or None
            case Value.RELATIONS:
                return relations(value) or None
            case Value.FRAGMENT:
                return fragment_address(value)
            case Value.SPRITE:
                return fragment_address(value) or web_address(value, base)
            case Value.TARGET:
                return value if value.strip().lower() in _TARGETS else None
            case _:
                return web_address(value, base)

    def _sheet(self, value: str, attributes: Mapping[str, str]) -> str | None:
        kinds = set(relations(attributes.get("rel", "")).split())
        if "stylesheet" in kinds or not kinds & _ICONS:
            return web_address(value, self._base)
        return image_address(value, self._base)


def relations(value: str) -> str:
    """Return the allowed relations of a ``link``, in their order.

    >>> relations("Prefetch stylesheet")
    'stylesheet'
    """
    return " ".join(name for name in value.lower().split() if name in SITE_RELATIONS | PAGE_RELATIONS)
