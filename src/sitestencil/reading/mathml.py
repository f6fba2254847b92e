"""Write presentation MathML as TeX."""

import re
from collections.abc import Sequence

from sitestencil.page.document import Document

_MOST_ELEMENTS, _LONGEST = 5_000, 20_000
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
# Letters of these kinds are other letters.
_LETTERS = {
    "bold": "mathbf",
    "bold-italic": "boldsymbol",
    "double-struck": "mathbb",
    "fraktur": "mathfrak",
    "script": "mathcal",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
}
_NO_FRACTION = r"\genfrac{}{}{0pt}{}"
_NO_LINE = re.compile(r"\s*0+(?:\.0*)?\s*[a-z%]*\s*", re.IGNORECASE)
_OVER = {"\u00af": "bar", "\u203e": "bar", "^": "hat", "~": "tilde", "\u02d9": "dot", "\u2192": "vec"}


def mathml_tex(document: Document, math: int) -> str:
    """Return presentation MathML as TeX; elements that it does not know give their children."""
    end = document.ends[math]
    if end - math > _MOST_ELEMENTS:
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
    runs = document.own_texts.get(element, ())
    text = " ".join("".join(document.texts[run].text for run in runs).split())
    parts = [*inner, "", "", ""]
    match name:
        case "mi" | "mn" | "mo":
            letters = (
                _LETTERS.get(document.attributes[element].get("mathvariant", "").lower()) if text.isalnum() else ""
            )
            return rf"\{letters}{{{_escaped(text)}}}" if letters else _token(name, text)
        case "mfrac" if _NO_LINE.fullmatch(document.attributes[element].get("linethickness", "")):
            return f"{_NO_FRACTION}{{{parts[0]}}}{{{parts[1]}}}"
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
            opened, closed = attributes.get("open", "("), attributes.get("close", ")")
            if (opened, closed) == ("(", ")") and len(inner) == 1 and _is_no_fraction(inner[0]):
                return _with_binomials(["(", *inner, ")"])
            return f"{_escaped(opened)}{', '.join(inner)}{_escaped(closed)}"
        case "annotation" | "annotation-xml" | "none" | "mprescripts":
            return ""
        case _:
            return _with_binomials([part for part in inner if part])


def _with_binomials(parts: Sequence[str]) -> str:
    """Return the parts of a formula, in which two terms without a line and in parentheses are a binomial."""
    written: list[str] = []
    for part in parts:
        written.append(part)
        if part == ")" and len(written) > 2 and written[-3] == "(" and _is_no_fraction(written[-2]):
            written[-3:] = [rf"\binom{written[-2].removeprefix(_NO_FRACTION)}"]
    return " ".join(written)


def _is_no_fraction(tex: str) -> bool:
    """Return whether TeX is two terms, one above the other, and nothing else."""
    depth = groups = 0
    for brace in re.finditer(r"(?<!\\)[{}]", tex):
        depth += 1 if brace[0] == "{" else -1
        groups += depth == 0
    return tex.startswith(_NO_FRACTION) and tex.endswith("}") and groups == _NO_FRACTION.count("{") + 2


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
