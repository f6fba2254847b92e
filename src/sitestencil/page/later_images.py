"""Find the addresses of images that scripts load later."""

import re
from collections.abc import Mapping

_LATER = {
    "src": ("data-src", "data-lazy-src", "data-original", "data-lazy", "data-full-src"),
    "srcset": ("data-srcset", "data-lazy-srcset"),
}
_IMAGE = re.compile(r"(?:https?:/)?/[^\s{]+\.(?:avif|gif|jpe?g|png|webp)(?:\?[^\s{]*)?", re.IGNORECASE)
_MOST_ATTRIBUTES = 50


def with_later_images(attributes: Mapping[str, str]) -> Mapping[str, str]:
    """Return an image's attributes with the addresses that scripts load later.

    >>> with_later_images({"src": "data:image/gif;base64,R0", "data-src": "/a.jpg"})["src"]
    '/a.jpg'
    """
    later = {}
    for name, sources in _LATER.items():
        addresses = (attributes.get(source, "") for source in sources)
        # A script fills in the braces.
        later[name] = next((one for one in addresses if one.strip() and "{" not in one), "")
    if not later["src"] and not has_address(attributes) and len(attributes) <= _MOST_ATTRIBUTES:
        data_values = (value for name, value in attributes.items() if name.startswith("data-"))
        later["src"] = next(filter(_IMAGE.fullmatch, data_values), "")
    return {**attributes, **{name: address for name, address in later.items() if address}}


def has_address(attributes: Mapping[str, str]) -> bool:
    """Return whether an image's own attributes have an address, not only a placeholder's data."""
    address = attributes.get("src", "").strip()
    return bool(attributes.get("srcset", "").strip()) or (bool(address) and not address.startswith("data:"))
