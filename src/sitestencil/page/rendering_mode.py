"""The rendering mode of a doctype: standards, limited quirks or quirks (HTML Standard, 13.2.6.4.1)."""

import re
from pathlib import Path
from typing import Literal

from sitestencil.lists import read_lists

RenderingMode = Literal["no-quirks", "limited-quirks", "quirks"]

# A doctype for each mode: fixed texts, so that no part of a page's own doctype is written.
DOCTYPES: dict[RenderingMode, str] = {
    "no-quirks": "<!DOCTYPE html>",
    "limited-quirks": '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    "quirks": "",
}
_STRING = r"""(?:"([^">]*)"|'([^'>]*)')"""
_DOCTYPE = re.compile(
    rf"<!doctype\s+([^\s>]+)\s*(?:public\s*{_STRING}\s*{_STRING}?|system\s*{_STRING})?", re.IGNORECASE
)
_SEARCHED_CHARACTERS = 4096

_IDS = {name: tuple(ids) for name, ids in read_lists(Path(__file__).with_name("doctypes.txt")).items()}


def rendering_mode(name: str | None, public: str | None = None, system: str | None = None) -> RenderingMode:
    """Return the mode for a doctype's name and ids; None marks a missing one."""
    public_id, system_id = (public or "").lower(), (system or "").lower()
    if name != "html" or public_id in _IDS["quirks"] or system_id in _IDS["quirks by system id"]:
        return "quirks"
    if public_id.startswith(_IDS["quirks by beginning"]):
        return "quirks"
    if public_id.startswith(_IDS["quirks without a system id"]):
        return "limited-quirks" if system is not None else "quirks"
    return "limited-quirks" if public_id.startswith(_IDS["limited quirks"]) else "no-quirks"


def written_mode(html: bytes | str) -> RenderingMode:
    """Return the mode of a page's source; its doctype must be one that the parser accepted."""
    start = html[:_SEARCHED_CHARACTERS]
    found = _DOCTYPE.search(start if isinstance(start, str) else start.decode("latin-1"))
    if found is None:  # far down, or in two bytes per character: nearly all pages have this mode
        return "no-quirks"
    name, *ids = found.groups()
    public = next((one for one in ids[:2] if one is not None), None)
    system = next((one for one in ids[2:] if one is not None), None)
    return rendering_mode(name.lower(), public, system)
