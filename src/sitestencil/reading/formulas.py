"""Find a page's formulas, and return each as TeX.

MathJax and KaTeX keep the source in a script or an annotation beside what they draw. MathML without a source is
written as TeX. Pictures have it as their words, and elements named so as their text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sitestencil.page.document import Document
from sitestencil.page.hidden import without_text
from sitestencil.printable import printable
from sitestencil.reading.equations import equation_tables
from sitestencil.reading.formula_images import picture_tex
from sitestencil.reading.mathml import mathml_tex
from sitestencil.reading.page_tex import is_balanced, only_defines, page_tex

_SCRIPT = re.compile(r"\s*math/tex\s*(;.*)?", re.IGNORECASE | re.DOTALL)
_HOLDERS = frozenset({"katex", "katex-display", "mwe-math-element"})
# MathJax 2 draws these beside the script.
_DRAWN = frozenset(
    "MathJax MathJax_Preview MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML MJXc-display".split()
)
# Some pages keep the source in an attribute, and only KaTeX's drawing inside.
_SOURCES = frozenset({"data-katex", "data-latex", "data-math", "data-tex"})
_NAMED = re.compile(r"math|katex|latex|formula|equation", re.IGNORECASE)
_COMMAND = re.compile(r"\\[a-zA-Z]{2,}|\^|_\{|\b[a-zA-Z]_\w\b")
_PROSE = re.compile(r"(?:(?<![\\a-zA-Z{])[a-zA-Z]{2,}[ ,.]+){2}")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_INNER = re.compile(r"(?<!\\)\$([^$\\]*(?:\\[^$][^$\\]*)*)\$")  # a formula in the words of one
_STYLE = re.compile(r"\{\\displaystyle\s(.*)\}", re.DOTALL)
_DISPLAYED = re.compile(r"^\\displaystyle(?![a-zA-Z])\s*")
_MAY_HOLD = frozenset({"div", "formula", "p", "span", "tt"})
_IS_BLOCK = re.compile(r"block|display")
_LONGEST = 20_000
_MOST_LOOKED_AT = 3  # elements that may name a formula so


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula.

    Attributes:
        tex: its source; empty for a drawing whose source stands beside it.
        is_block: whether it has lines of its own.
    """

    tex: str
    is_block: bool = False


def formulas(document: Document) -> Mapping[int, Formula | str]:
    """Return the formulas by the element that holds each of them and its drawing; one too long for TeX is words."""
    tags, found, end = document.tags, dict[int, Formula | str](), 0
    names = {"math", "mjx-container"}.intersection(tags)
    stated = {**_in_attributes(document), **_in_texts(document), **_in_pictures(document)}
    scripts = {element for element in document.tagged("script") if _is_source(document, element)}
    repeated: dict[int, Formula | str] = dict.fromkeys(_repeated_marks(document), "")
    if not names and not scripts and not stated:
        return repeated
    in_rows = _in_rows(document) if names else {}
    for element, tag in enumerate(tags):
        if element < end:
            continue
        classes = document.classes[element]
        if element in stated:
            found[element] = stated[element]
        elif element in scripts:
            is_block = "display" in document.attributes[element]["type"].lower()
            source = _texts(document, element)
            found[element] = Formula("" if only_defines(source) else tidy_tex(source), is_block)
        elif scripts and classes & _DRAWN and tag not in names:
            found[element] = Formula("")
        elif tag in names or classes & _HOLDERS:
            formula = in_rows[element] if element in in_rows else _formula(document, element)
            if formula is None:
                continue
            found[element] = formula
        else:
            continue
        end = document.ends[element]
    return repeated | found


def delimited(tex: str, *, is_block: bool) -> str:
    """Return TeX between dollar signs. A dollar sign before a digit would be a price.

    >>> delimited("2^n", is_block=False)
    '${}2^n$'
    """
    if is_block or not tex:
        return f"$${tex}$$" if tex else ""
    return f"${{}}{tex}$" if tex[0].isdigit() else f"${tex}$"


def tidy_tex(tex: str) -> str:
    r"""Return TeX on one line, without comments, in which Markdown's readers see neither HTML nor links nor code.

    >>> tidy_tex("a < b % smaller\n [x](y)")
    'a \\lt b [x] (y)'
    """
    if len(tex) > _LONGEST:
        return ""
    whole = _STYLE.fullmatch(tex.strip())
    text = _COMMENT.sub("", whole[1] if whole else tex).replace("<", r"\lt ").replace("`", "'")
    text = re.sub(r"(?<!\\)\$", r"\\$", _INNER.sub(r"\\(\1\\)", text))
    return " ".join(printable(text).replace("](", "] (").split())


def _repeated_marks(document: Document) -> Iterator[int]:
    """Yield the marks that LaTeXML's notes repeat."""
    for note, classes in enumerate(document.classes):
        if "ltx_note_outer" in classes:
            inside = range(note + 1, document.ends[note])
            yield from (one for one in inside if "ltx_note_mark" in document.classes[one])


def _formula(document: Document, holder: int) -> Formula | str | None:
    tags, attributes = document.tags, document.attributes
    within = range(holder, document.ends[holder])
    math = next((element for element in within if tags[element] == "math"), -1)
    if math < 0:
        return None
    is_block = attributes[math].get("display") == "block" or attributes[holder].get("display") == "true"
    is_block = is_block or "katex-display" in document.classes[holder]
    formula = range(math, document.ends[math])
    stated = (
        _texts(document, element)
        for element in formula
        if tags[element] == "annotation" and "tex" in attributes[element].get("encoding", "").lower()
    )
    tex = tidy_tex(next(stated, "") or attributes[math].get("alttext") or mathml_tex(document, math))
    shown = (_texts(document, element) for element in formula if not tags[element].startswith("annotation"))
    return Formula(tex, is_block) if tex else " ".join(" ".join(shown).split())


def _in_rows(document: Document) -> dict[int, Formula]:
    """Return the formulas in tables of equations: the first of a row has all of it, and lines of its own."""
    found: dict[int, Formula] = {}
    for row in (row for table in equation_tables(document) for row in table.rows):
        parts = [_formula(document, math) for math in row]
        tex = [_DISPLAYED.sub("", part.tex) for part in parts if isinstance(part, Formula)]
        if len(tex) == len(row) and all(map(is_balanced, tex)):
            found.update(dict.fromkeys(row, Formula("")))
            found[row[0]] = Formula(" ".join(tex), is_block=True)
    return found


def _in_attributes(document: Document) -> dict[int, Formula]:
    """Return the formulas whose sources are in attributes."""
    found: dict[int, Formula] = {}
    for element in document.having(*_SOURCES):
        attributes = document.attributes[element]
        source = next((attributes[name] for name in sorted(_SOURCES) if attributes.get(name)), "")
        inside = range(element, min(element + _MOST_LOOKED_AT, document.ends[element]))
        if any(map(_NAMED.search, (document.attributes[one].get("class", "") for one in inside))):
            found[element] = Formula(tidy_tex(source), _is_block(document, element))
    return found


def _in_texts(document: Document) -> dict[int, Formula]:
    """Return the formulas that are all the text of an element named so."""
    found, hidden = dict[int, Formula](), without_text(document)
    for element in document.having("class"):
        runs = document.own_texts.get(element, [])
        is_one = len(runs) == 1 and document.ends[element] == element + 1 and not hidden[element]
        classes = document.attributes[element]["class"]
        if not is_one or document.tags[element] not in _MAY_HOLD or not _NAMED.search(classes):
            continue
        text = " ".join(document.texts[runs[0]].text.split())
        whole = next(page_tex(document).find(text), None)
        if whole and (whole.start, whole.end) == (0, len(text)):
            found[element] = Formula(tidy_tex(whole.tex), whole.is_block)
        elif whole is None and page_tex(document).is_drawn and _is_source_alone(document.texts[runs[0]].text):
            found[element] = Formula(tidy_tex(document.texts[runs[0]].text), _is_block(document, element))
    return found


def _is_source_alone(text: str) -> bool:
    """Return whether a text without signs around it is TeX, and no words."""
    return (
        _COMMAND.search(text) is not None and _PROSE.search(text) is None and "$" not in text and is_balanced(text)
    )


def _in_pictures(document: Document) -> dict[int, Formula]:
    if "img" not in document.tags:
        return {}
    hidden = without_text(document)
    pictures = (element for element in document.tagged("img") if not hidden[element])
    sources = ((element, picture_tex(document.attributes[element])) for element in pictures)
    return {element: Formula(tidy_tex(source)) for element, source in sources if source}


def _is_block(document: Document, element: int) -> bool:
    return document.tags[element] == "div" or bool(_IS_BLOCK.search(" ".join(document.classes[element])))


def _is_source(document: Document, element: int) -> bool:
    return _SCRIPT.fullmatch(document.attributes[element].get("type", "")) is not None


def _texts(document: Document, element: int) -> str:
    return "".join(document.texts[run].text for run in document.own_texts.get(element, ()))
