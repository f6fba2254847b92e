"""The rendering mode of a doctype: standards, limited quirks or quirks (HTML Standard, 13.2.6.4.1)."""

import re
from typing import Literal

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

_QUIRKS_PUBLIC = ("-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html")
_QUIRKS_SYSTEM = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
_QUIRKS_PUBLIC_STARTS = tuple(
    f"{start}//"
    for start in """\
+//silmaril//dtd html pro v0r11 19970101
-//as//dtd html 3.0 aswedit + extensions
-//advasoft ltd//dtd html 3.0 aswedit + extensions
-//ietf//dtd html 2.0 level 1
-//ietf//dtd html 2.0 level 2
-//ietf//dtd html 2.0 strict level 1
-//ietf//dtd html 2.0 strict level 2
-//ietf//dtd html 2.0 strict
-//ietf//dtd html 2.0
-//ietf//dtd html 2.1e
-//ietf//dtd html 3.0
-//ietf//dtd html 3.2 final
-//ietf//dtd html 3.2
-//ietf//dtd html 3
-//ietf//dtd html level 0
-//ietf//dtd html level 1
-//ietf//dtd html level 2
-//ietf//dtd html level 3
-//ietf//dtd html strict level 0
-//ietf//dtd html strict level 1
-//ietf//dtd html strict level 2
-//ietf//dtd html strict level 3
-//ietf//dtd html strict
-//ietf//dtd html
-//metrius//dtd metrius presentational
-//microsoft//dtd internet explorer 2.0 html strict
-//microsoft//dtd internet explorer 2.0 html
-//microsoft//dtd internet explorer 2.0 tables
-//microsoft//dtd internet explorer 3.0 html strict
-//microsoft//dtd internet explorer 3.0 html
-//microsoft//dtd internet explorer 3.0 tables
-//netscape comm. corp.//dtd html
-//netscape comm. corp.//dtd strict html
-//o'reilly and associates//dtd html 2.0
-//o'reilly and associates//dtd html extended 1.0
-//o'reilly and associates//dtd html extended relaxed 1.0
-//sq//dtd html 2.0 hotmetal + extensions
-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0
-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0
-//spyglass//dtd html 2.0 extended
-//sun microsystems corp.//dtd hotjava html
-//sun microsystems corp.//dtd hotjava strict html
-//w3c//dtd html 3 1995-03-24
-//w3c//dtd html 3.2 draft
-//w3c//dtd html 3.2 final
-//w3c//dtd html 3.2
-//w3c//dtd html 3.2s draft
-//w3c//dtd html 4.0 frameset
-//w3c//dtd html 4.0 transitional
-//w3c//dtd html experimental 19960712
-//w3c//dtd html experimental 970421
-//w3c//dtd w3 html
-//w3o//dtd w3 html 3.0
-//webtechs//dtd mozilla html 2.0
-//webtechs//dtd mozilla html""".splitlines()
)
_FRAMES_OR_TRANSITIONAL_4 = ("-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//")
_FRAMES_OR_TRANSITIONAL_X = ("-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//")


def rendering_mode(name: str | None, public: str | None = None, system: str | None = None) -> RenderingMode:
    """Return the mode for a doctype's name and ids; None marks a missing one."""
    public_id, system_id = (public or "").lower(), (system or "").lower()
    if name != "html" or public_id in _QUIRKS_PUBLIC or system_id == _QUIRKS_SYSTEM:
        return "quirks"
    if public_id.startswith(_QUIRKS_PUBLIC_STARTS):
        return "quirks"
    if public_id.startswith(_FRAMES_OR_TRANSITIONAL_4):
        return "limited-quirks" if system is not None else "quirks"
    return "limited-quirks" if public_id.startswith(_FRAMES_OR_TRANSITIONAL_X) else "no-quirks"


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
