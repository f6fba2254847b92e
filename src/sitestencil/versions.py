"""Compare two versions of a page: what changed in its content, and whether its frame changed."""

import json
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from html import escape
from itertools import chain
from typing import Any, Literal, NamedTuple

from sitestencil.content.main_content import MAIN_CONTENT
from sitestencil.errors import WrongArgument
from sitestencil.extraction import extract
from sitestencil.outputs.plain_text import Judged, document_text, whole_text
from sitestencil.outputs.secrets import text_without_tokens
from sitestencil.page.document import Document
from sitestencil.page.encoding import may_be_html
from sitestencil.page.words import words
from sitestencil.site.open_site import Page
from sitestencil.site.sources.stored import PagesByAddress
from sitestencil.template import Template
from sitestencil.urls import resolve

Kind = Literal["added", "removed", "changed", "moved"]

REFERENCES = ("href", "src", "action")
_FRAMES = frozenset("body div main section article header footer nav aside".split())
_NUMBER = re.compile(r"\d+")
_TOKEN = re.compile(r"\s+|\w+|.")
_SAME_UNIT_FROM = 0.5  # of the words that two units have together
_LONGEST_TARGET = 8192
_BESIDE = 8  # so many added units are looked at for a removed one
_SIGNS = {"added": "+ ", "removed": "- ", "moved": "> "}

Units = Counter[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class UnitChange:
    """A change of one unit: a block of text, or the target of a link or picture.

    Attributes:
        kind: ``added``, ``removed``, ``changed`` or ``moved``.
        old: the unit as it was; empty if it was added.
        new: the unit as it is; empty if it was removed.

    Example:
        >>> compare("<p>Old rope", "<p>Old rope<p>New rope").content
        (UnitChange(kind='added', old='', new='New rope'),)
    """

    kind: Kind
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between two versions of a page.

    Attributes:
        content: the changes of the main content, in its order.
        frame: the changes outside of it: texts, targets and elements. Numbers are all alike there, written as #.
        words: the number of words of the new version's main content.

    Example:
        >>> compare("<p>Old rope", "<p>Rope").words
        1
    """

    content: tuple[UnitChange, ...]
    frame: tuple[UnitChange, ...]
    words: int

    def to_dict(self) -> dict[str, Any]:
        """Return the changes as plain data; ``content_changed`` and ``frame_changed`` say whether there are any."""
        return {"content_changed": bool(self.content), "frame_changed": bool(self.frame), **asdict(self)}

    def counts(self) -> tuple[str, str]:
        """Return how many units of the content and of the frame changed, such as "2 added, 1 moved"."""
        kinds = (Counter(one.kind for one in changes) for changes in (self.content, self.frame))
        content, frame = (", ".join(f"{n:,} {kind}" for kind, n in counts.items()) or "-" for counts in kinds)
        return content, frame

    def to_json(self) -> str:
        """Return `to_dict` as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1) + "\n"

    def to_text(self) -> str:
        """Return a line for each unit: ``-`` as it was, ``+`` as it is, ``>`` moved; both of a changed one."""
        lines = list[str]()
        sides = zip(("content", "frame"), (self.content, self.frame), self.counts(), strict=True)
        for name, changes, told in sides:
            lines.append(f"The {name} changed: {told}." if changes else f"The {name} did not change.")
            for one in changes:
                both = (("removed", one.old), ("added", one.new)) if one.kind == "changed" else ()
                lines += (_SIGNS[kind] + text for kind, text in both or ((one.kind, one.new or one.old),))
        return "".join(f"{line}\n" for line in lines)

    def to_html(self) -> str:
        """Return the changes as a page with ``ins`` and ``del``, in a changed unit around its words."""
        parts = ['<!DOCTYPE html><meta charset="utf-8"><title>Changes</title>']
        for name, changes in (("Content", self.content), ("Frame", self.frame)):
            parts.append(f"<h2>{name}</h2>" if changes else f"<h2>{name}: no change</h2>")
            parts += (f'<p class="{one.kind}">{_marked(one)}</p>' for one in changes)
        return "\n".join(parts) + "\n"


def compare(old: Page, new: Page, *, url: str | None = None, pages: PagesByAddress | None = None) -> Comparison:
    """Return what changed between two versions of a page: in its main content, and in its frame.

    Nothing is loaded. A unit that both versions have did not change, however it is judged; so a redesign changes
    no content.

    Args:
        old: the earlier version: HTML (``str`` or ``bytes``), a tree, a `Document` or a `LoadedPage`.
        new: the later version.
        url: the address of HTML; without it targets of links stay as they are written.
        pages: other pages of the site by address, as for `extract`. They tell the frame from the content; without
            them, each version is judged alone.

    Raises:
        WrongArgument: a version is something else, or bytes that are no page.
        PageUnavailable: a version is nested too deeply, or has too many attributes or tags.

    Example:
        >>> page = "<nav><a href='/'>Home</a></nav><main><h1>Rope</h1><p>It costs {} euros.</main>"
        >>> print(compare(page.format(12), page.format(14)).to_text(), end="")
        The content changed: 1 changed.
        - It costs 12 euros.
        + It costs 14 euros.
        The frame did not change.
    """
    return compare_templates(*(_judged(page, url, pages) for page in (old, new)))


def _judged(page: Page, url: str | None, pages: PagesByAddress | None) -> Template:
    if isinstance(page, bytes) and not may_be_html(page):
        raise WrongArgument("A version is a page's HTML; these bytes have no tag, or are no text.")
    is_bare = url is None and (isinstance(page, bytes) or (isinstance(page, str) and "<" in page))
    return extract(page, url="" if is_bare else url, pages=pages or {})


def compare_templates(old: Template, new: Template) -> Comparison:
    """Return what changed between two versions of a page whose templates are known."""
    before, now = _Version.of(old), _Version.of(new)
    lost, gained = before.whole - now.whole, now.whole - before.whole
    content = chain(
        _changes(before.lines, now.lines, Counter(before.all_lines), Counter(now.all_lines)),
        _changes(before.targets, now.targets, _of_links(before.whole), _of_links(now.whole)),
    )
    frame = [
        *(UnitChange("removed", text, "") for _, text in (lost & before.frame).elements()),
        *(UnitChange("added", "", text) for _, text in (gained & now.frame).elements()),
    ]
    return Comparison(tuple(content), tuple(frame), sum(len(words(line)) for line in now.lines))


class _Version(NamedTuple):
    """The units of a version: of its main content in order, and of all of it and its frame."""

    lines: list[str]
    targets: list[str]
    all_lines: list[str]
    whole: Units
    frame: Units

    @classmethod
    def of(cls, template: Template) -> "_Version":
        document = template.document
        rest = MAIN_CONTENT.rest(document, template.detection, template.main)
        targets = [target for element, target in _targets(document) if not rest.template[element]]
        lines, all_lines = document_text(document, rest).splitlines(), whole_text(document).splitlines()
        return cls(lines, targets, all_lines, page_units(document), page_units(document, rest))


def text_unit(text: str) -> str:
    """Return the form in which a text of the frame is compared: numbers are all alike."""
    return _NUMBER.sub("#", text.strip())


def page_units(document: Document, frame: Judged | None = None) -> Units:
    """Return the texts, targets and elements of a page's body, or of its frame; numbers are all alike in texts."""
    body, units = document.body or 0, Units()
    units.update(
        ("text", text_unit(run.text))
        for number, run in enumerate(document.texts)
        if run.parent >= body and (frame is None or (frame.template[run.parent] and frame.template_texts[number]))
    )
    for element in range(body, len(document)):
        if document.tags[element] in _FRAMES and (frame is None or frame.template[element]):
            units["element", f"{document.tags[element]}.{document.attributes[element].get('class', '')}"] += 1
    units.update(
        ("link", target) for element, target in _targets(document) if frame is None or frame.template[element]
    )
    del units["text", ""]
    return units


def _targets(document: Document) -> Iterator[tuple[int, str]]:
    for element in range(document.body or 0, len(document)):
        found = document.attributes[element]
        for name in REFERENCES:
            if name in found:
                written = found[name]
                target = resolve(written, document.base) if document.base else written[:_LONGEST_TARGET]
                yield element, text_without_tokens(target or "")


def _of_links(units: Units) -> Counter[str]:
    return Counter({text: count for (kind, text), count in units.items() if kind == "link"})


def _changes(
    old: Sequence[str], new: Sequence[str], in_old: Counter[str], in_new: Counter[str]
) -> Iterator[UnitChange]:
    """Yield the changes between two lists of units; `in_old` and `in_new` have those of the whole pages."""
    gaps = list(_gaps(old, new))
    gone, come = (Counter(chain.from_iterable(side)) for side in zip(*gaps, strict=True))
    moved = gone & come
    gone, come = _news(gone - moved, in_old, in_new), _news(come - moved, in_new, in_old)
    for before, now in gaps:
        shifted = [unit for unit in now if _take(unit, moved)]
        removed = [unit for unit in before if _take(unit, gone)]
        yield from _paired(removed, [unit for unit in now if _take(unit, come)])
        yield from (UnitChange("moved", unit, unit) for unit in shifted)


def _news(units: Counter[str], here: Counter[str], there: Counter[str]) -> Counter[str]:
    """Return the units that only one page has: of others just the judgement changed."""
    only = here - there
    return Counter({unit: min(count, only[unit]) if unit in here else count for unit, count in units.items()})


def _take(unit: str, units: Counter[str]) -> bool:
    units[unit] -= 1
    return units[unit] >= 0


def _gaps(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield what two lists have between the items that stand in both, in one order."""
    from_old = from_new = 0
    for at_old, at_new in [*_aligned(old, new), (len(old), len(new))]:
        yield old[from_old:at_old], new[from_new:at_new]
        from_old, from_new = at_old + 1, at_new + 1


def _aligned(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of items that stand in both lists, in one order; in time like that of sorting.

    Items that stand once in each are aligned first (Cohen's patience diff), the others between them.
    """
    counts, others = Counter(old), Counter(new)
    places = {item: at for at, item in enumerate(new) if counts[item] == others[item] == 1}
    once = [(at, places[item]) for at, item in enumerate(old) if item in places]
    found, last = list[tuple[int, int]](), (-1, -1)
    for anchor in [*_increasing(once), (len(old), len(new))]:
        spots = dict[str, list[int]]()
        for at in range(last[1] + 1, anchor[1]):
            spots.setdefault(new[at], []).append(at)
        reached = last[1]
        for at in range(last[0] + 1, anchor[0]):
            here = spots.get(old[at], [])
            if (spot := bisect_right(here, reached)) < len(here):
                reached = here[spot]
                found.append((at, reached))
        found.append(anchor)
        last = anchor
    return found[:-1]


def _increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of pairs whose second numbers grow."""
    ends, numbers, before = list[int](), list[int](), list[int]()
    for number, (_, second) in enumerate(pairs):
        place = bisect_left(ends, second)
        before.append(numbers[place - 1] if place else -1)
        ends[place : place + 1], numbers[place : place + 1] = [second], [number]
    chosen, number = list[tuple[int, int]](), numbers[-1] if numbers else -1
    while number >= 0:
        chosen.append(pairs[number])
        number = before[number]
    return chosen[::-1]


def _paired(removed: Sequence[str], added: Sequence[str]) -> Iterator[UnitChange]:
    """Yield the changes of one place: a unit that was removed and one like it are one that changed."""
    reached, bags = 0, [_bag(unit) for unit in added]
    for unit in removed:
        bag, near = _bag(unit), range(reached, min(reached + _BESIDE, len(added)))
        like = (at for at in near if len(bag & bags[at]) >= _SAME_UNIT_FROM * len(bag | bags[at]))
        if (at := next(like, -1)) < 0:
            yield UnitChange("removed", unit, "")
            continue
        yield from (UnitChange("added", "", text) for text in added[reached:at])
        yield UnitChange("changed", unit, added[at])
        reached = at + 1
    yield from (UnitChange("added", "", text) for text in added[reached:])


def _bag(unit: str) -> set[str]:
    """Return the words of a unit; its numbers are all alike, as a price is the same unit with a new number."""
    return {*words(_NUMBER.sub("0", unit))}


def _marked(change: UnitChange) -> str:
    """Return a unit as HTML, with marks around what changed in it."""
    if change.kind != "changed":
        tag = {"added": "ins", "removed": "del"}.get(change.kind, "span")
        return f"<{tag}>{escape(change.new or change.old)}</{tag}>"
    old, new = (_TOKEN.findall(text) for text in (change.old, change.new))
    parts, at = list[str](), 0
    for before, now in _gaps(old, new):
        parts += (
            f"<{tag}>{escape(text)}</{tag}>"
            for tag, one in (("del", before), ("ins", now))
            if (text := "".join(one))
        )
        at += len(now)
        parts.append(escape(new[at]) if at < len(new) else "")
        at += 1
    return "".join(parts)
