"""Find a page's formulas, and return each as TeX.

MathJax and KaTeX keep the source in a script or an annotation beside what they draw. MathML without a source is
written as TeX.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sitestencil.page.document import Document
from sitestencil.printable import printable

_SCRIPT = re.compile(r"\s*math/tex\s*(;.*)?", re.IGNORECASE | re.DOTALL)
_HOLDERS = frozenset({"katex", "katex-display", "mwe-math-element"})
# MathJax 2 draws these beside the script.
_DRAWN = frozenset(
    "MathJax MathJax_Preview MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML MJXc-display".split()
)
# Some pages keep the source in an attribute, and only KaTeX's drawing inside.
_SOURCES = frozenset({"data-katex", "data-latex", "data-math", "data-tex"})
_NAMED = re.compile(r"math|katex|latex|formula|equation", re.IGNORECASE)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_STYLE = re.compile(r"\{\\displaystyle\s(.*)\}", re.DOTALL)
_IS_BLOCK = re.compile(r"block|display")
_LONGEST = 20_000
_MOST_LOOKED_AT = 3  # elements that may name a formula so
_MOST_MATHML = 5_000  # elements of a formula
# Readers of TeX take other signs as they are.
_SIGNS = {"\u2212": "-", "\u2061": "", "\u2062": "", "\u2063": ","}
_FUNCTIONS = frozenset("sin cos tan cot log ln exp lim max min sup inf det gcd arcsin arccos arctan".split())
_FORMS = {
    "mfrac": r"\frac{%(base)s}{%(one)s}",
    "msqrt": r"\sqrt{%(all)s}",
    "mroot": r"\sqrt[%(one)s]{%(base)s}",
    **dict.fromkeys(("msub", "munder"), "%(base)s_{%(one)s}"),
    "msup": "%(base)s^{%(one)s}",
    **dict.fromkeys(("msubsup", "munderover"), "%(base)s_{%(one)s}^{%(two)s}"),
}
_OVER = {"\u00af": "bar", "\u203e": "bar", "^": "hat", "~": "tilde", "\u02d9": "dot", "\u2192": "vec"}


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
    sources = _sources(document)
    scripts = {element for element, tag in enumerate(tags) if tag == "script" and _is_source(document, element)}
    if not names and not scripts and not sources:
        return {}
    for element, tag in enumerate(tags):
        if element < end:
            continue
        classes = document.classes[element]
        if element in sources:
            is_block = tag == "div" or bool(_IS_BLOCK.search(" ".join(classes)))
            found[element] = Formula(sources[element], is_block)
        elif element in scripts:
            is_block = "display" in document.attributes[element]["type"].lower()
            found[element] = Formula(tidy_tex(_texts(document, element)), is_block)
        elif scripts and classes & _DRAWN and tag not in names:
            found[element] = Formula("")
        elif tag in names or classes & _HOLDERS:
            formula = _formula(document, element)
            if formula is None:
                continue
            found[element] = formula
        else:
            continue
        end = document.ends[element]
    return found


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
    text = re.sub(r"(?<!\\)\$", r"\\$", text)
    return " ".join(printable(text).replace("](", "] (").split())


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


def _sources(document: Document) -> dict[int, str]:
    """Return the sources in attributes by their elements."""
    found: dict[int, str] = {}
    for element, attributes in enumerate(document.attributes):
        if attributes and not _SOURCES.isdisjoint(attributes):
            source = next((attributes[name] for name in sorted(_SOURCES) if attributes.get(name)), "")
            inside = range(element, min(element + _MOST_LOOKED_AT, document.ends[element]))
            if any(map(_NAMED.search, (document.attributes[one].get("class", "") for one in inside))):
                found[element] = tidy_tex(source)
    return found


def _is_source(document: Document, element: int) -> bool:
    return _SCRIPT.fullmatch(document.attributes[element].get("type", "")) is not None


def _texts(document: Document, element: int) -> str:
    return "".join(document.texts[run].text for run in document.own_texts.get(element, ()))


def mathml_tex(document: Document, math: int) -> str:
    """Return presentation MathML as TeX; elements that it does not know give their children."""
    end = document.ends[math]
    if end - math > _MOST_MATHML:
        return ""
    children: dict[int, list[str]] = {}
    # An element's children have greater numbers, so that they are written before it.
    for element in range(end - 1, math - 1, -1):
        inner = children.pop(element, [])[::-1]
        tex = _tex(document, element, inner)
        if sum(map(len, inner)) > _LONGEST:
            return ""
        children.setdefault(document.parents[element], []).append(tex)
    return children[document.parents[math]][0]


def _tex(document: Document, element: int, inner: Sequence[str]) -> str:  # noqa: PLR0911 - a table
    name = document.tags[element]
    text = " ".join(_texts(document, element).split())
    parts = [*inner, "", "", ""]
    match name:
        case "mi" | "mn" | "mo":
            return _token(name, text)
        case "mtext" | "ms":
            return rf"\text{{{_escaped(text)}}}" if text else " "
        case "mspace" | "mphantom":
            return r"\ "
        case "mover":
            return _over(parts[0], parts[1])
        case _ if name in _FORMS:
            base = parts[0] if name in {"mfrac", "mroot"} else _base(parts[0])
            return _FORMS[name] % {"base": base, "one": parts[1], "two": parts[2], "all": " ".join(inner)}
        case "mtable":
            return "\\begin{matrix} " + " \\\\ ".join(inner) + " \\end{matrix}"
        case "mtr":
            return " & ".join(inner)
        case "mfenced":
            attributes = document.attributes[element]
            return f"{attributes.get('open', '(')}{', '.join(inner)}{attributes.get('close', ')')}"
        case "annotation" | "annotation-xml" | "none" | "mprescripts":
            return ""
        case _:
            return " ".join(part for part in inner if part)


def _token(name: str, text: str) -> str:
    if text in _FUNCTIONS:
        return f"\\{text}"
    if text in _SIGNS:
        return _SIGNS[text]
    if name == "mi" and len(text) > 1:
        return rf"\mathrm{{{_escaped(text)}}}"
    return _escaped(text)


def _escaped(text: str) -> str:
    return re.sub(r"([{}%#$_&])", r"\\\1", text.replace("\\", r"\backslash "))


def _base(tex: str) -> str:
    return tex if len(tex) == 1 or re.fullmatch(r"\\[a-zA-Z]+", tex) else f"{{{tex}}}"


def _over(base: str, over: str) -> str:
    return rf"\{_OVER[over]}{{{base}}}" if over in _OVER else rf"\overset{{{over}}}{{{base}}}"
