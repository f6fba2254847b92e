"""Write the comment at the top of a saved layout: where it comes from, its slots, and what it may do."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from sitestencil.outputs.judged_page import POLICY, Choices
from sitestencil.outputs.safe_addresses import action_address
from sitestencil.outputs.tree import Element, PageTree, Verbatim
from sitestencil.saving.embedding import Packing
from sitestencil.saving.slots import Slot

_MOST_SLOTS = 50
_LONGEST_ADDRESS = 500
_STRICT = """\
No script and no form works in this file, yours included. The line with Content-Security-Policy forbids them.
Delete this line, or save again with your own scripts and forms allowed. The page's scripts are not in this file.\
"""
_OWN_SCRIPTS = """\
Scripts and forms that you add work. The page's scripts are not in this file. Its forms lead to paths of your site.\
"""
_STYLES = """\
{} of {} kB of styles are in this file: the rules for what it has and for what its content was.
Save again with all styles to have the others.\
"""
_NO_POLICY = "This file has no Content-Security-Policy. The page's scripts are not in it."
_OTHER_POLICY = (
    "The line with Content-Security-Policy says what this file may do. The page's scripts are not in it."
)


def add_comment(page: PageTree, url: str, choices: Choices, slots: Sequence[Slot], packing: Packing) -> None:
    """Put the comment into the head, behind the encoding: browsers look for that in the first kilobyte."""
    marks = "Each has its name in data-slot and data-slot-holds beside it."
    text = layout_comment(url, choices, slots, marks, packing)
    comment: list[Element | str] = [Verbatim(f"<!--\n{text}\n-->"), "\n"]
    page.head.children[2:2] = comment


def layout_comment(url: str, choices: Choices, slots: Sequence[Slot], marks: str, packing: Packing) -> str:
    """Return the lines of the comment, which end neither a comment of HTML nor one of Jinja2.

    Args:
        url: the page's address.
        choices: the options of the file.
        slots: the file's slots.
        marks: a sentence on how the file marks its slots.
        packing: where the page's files went.
    """
    day = choices.saved or datetime.now(UTC).astimezone().date()
    lines = [
        f"The layout of {_harmless(url) or 'a page of unknown address'}",
        f"Saved with Sitestencil on {day.isoformat()}",
        "",
    ]
    named = [slot for slot in slots if slot.parent.name not in {"head", "title"}]
    if named:
        lines += [f"Slots are the places for your content. {marks}", *_slot_lines(named), ""]
    if packing.styles[0] < packing.styles[1]:
        lines += [_STYLES.format(*map(kilobytes, packing.styles)), ""]
    if packing.missing:
        addresses = [_harmless(address) for address in packing.missing[:_MOST_SLOTS]]
        lines += [
            "Missing: what a script made and nobody could read, and parts of other SVG files that were not loaded.",
            *(f"  {address}" for address in addresses),
            "",
        ]
    return "\n".join([*lines, _on_policy(choices)])


def kilobytes(characters: int) -> str:
    """Return a number of characters as text, in thousands.

    >>> kilobytes(1_520_049), kilobytes(80)
    ('1520', '0.1')
    """
    return f"{round(characters / 1000, 1):g}" if characters < 100_000 else str(round(characters / 1000))


def _slot_lines(slots: Sequence[Slot]) -> Iterable[str]:
    width = max(len(slot.name) for slot in slots[:_MOST_SLOTS])
    for slot in slots[:_MOST_SLOTS]:
        yield f"  {slot.name:{width}}  held: {', '.join(slot.holds) or 'nothing'}"
    if len(slots) > _MOST_SLOTS:
        yield f"  and {len(slots) - _MOST_SLOTS} more"


def _on_policy(choices: Choices) -> str:
    if choices.written_policy is None:
        return _NO_POLICY
    if choices.written_policy == POLICY:
        return _STRICT
    return _OWN_SCRIPTS if choices.own_scripts else _OTHER_POLICY


def _harmless(url: str) -> str:
    """Return an address without secrets and without characters that could end a comment."""
    address = action_address(url, url) or ""
    kept = (sign if sign.isprintable() and sign not in "<>{}" else f"%{ord(sign):02X}" for sign in address)
    return "".join(kept)[:_LONGEST_ADDRESS]
