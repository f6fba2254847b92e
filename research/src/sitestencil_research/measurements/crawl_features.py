"""Tell what becomes of small things in a page's text.

``python -m sitestencil_research.measurements.crawl_features``.

Each page holds some paragraphs and one thing that extractors lose or spoil. Sitestencil (a crawl of this page
alone), trafilatura and resiliparse get the same bytes, each with its own detection of the encoding and its main
content. --texts prints what came out.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import trafilatura
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding

from sitestencil.crawl import PageContent, contents
from sitestencil_research.measurements.harness import arguments

_PARAGRAPH = (
    "<p>A bowline is a knot for a fixed loop at the end of a rope, and number {} of our series about knots.</p>"
)
_PAGE = (
    "<!doctype html><html lang=en><head><meta charset={}><title>Knots</title></head><body>"
    "<nav><a href=/>Home</a> <a href=/knots>Knots</a></nav><main><article><h1>Knots</h1>{}{}{}</article></main>"
    "<footer>Harbour street 1</footer></body></html>"
)


@dataclass(frozen=True, slots=True)
class Feature:
    """A thing in a page, and what a text must have (or must not have) of it."""

    name: str
    html: str
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    label: str = "utf-8"
    codec: str = "utf-8"

    def page(self) -> bytes:
        """Return the page's bytes."""
        before, after = ("".join(map(_PARAGRAPH.format, numbers)) for numbers in (range(4), range(4, 8)))
        return _PAGE.format(self.label, before, self.html, after).encode(self.codec)

    def is_kept(self, text: str) -> bool:
        """Return whether a text has what it must have."""
        return all(part in text for part in self.wanted) and not any(part in text for part in self.unwanted)


_POLISH = "".join(
    f"<p>Zażółć gęślą jaźń, {number} raz pije stary żeglarz gorącą herbatę.</p>" for number in range(9)
)
FEATURES = (
    Feature("UTF-8 that the page calls latin1", "<p>A café at the harbour.</p>", ("café",), (), "latin1"),
    Feature("Polish that the page calls latin1", _POLISH, ("Zażółć gęślą jaźń",), (), "latin1", "cp1250"),
    Feature("soft hyphens and zero-width spaces out", "<p>The har\xadbour\u200bmaster.</p>", ("harbourmaster",)),
    Feature("`hidden` out", "<p hidden>A hidden offer.</p>", (), ("hidden offer",)),
    Feature("`display: none` out", "<p style='display: none'>A hidden offer.</p>", (), ("hidden offer",)),
    Feature("links side by side apart", "<p><a href=/a>Hitches</a><a href=/b>Bends</a></p>", (), ("HitchesBends",)),
    Feature("spans side by side apart", "<p><span>Hitches</span><span>Bends</span></p>", (), ("HitchesBends",)),
    Feature(
        "cells of a table apart",
        "<table><tr><td>Bowline, for a fixed loop<td>Mooring a boat"
        "<tr><td>Sheet bend, for two ropes<td>Hoisting flags</table>",
        ("Mooring", "Hoisting"),
        ("loopMooring", "ropesHoisting"),
    ),
    Feature("lines of code kept", "<pre>def tie():\n    pass\n\n\nuntie()</pre>", ("def tie():\n    pass\n",)),
    Feature("blank lines of code kept", "<pre>tie()\n\nuntie()</pre>", ("tie()\n\nuntie()",)),
    Feature(
        "TeX of MathML",
        "<p>The load is <math><mfrac><mi>a</mi><mi>b</mi></mfrac><annotation encoding='application/x-tex'>"
        "\\frac{a}{b}</annotation></math> here.</p>",
        ("\\frac",),
    ),
    Feature(
        "TeX of `math/tex`", "<p>Load <script type='math/tex'>\\frac{a}{b}</script> here.</p>", ("\\frac{a}{b}",)
    ),
    Feature("texts of pictures", "<p>See <img src=k.png alt='A tied bowline'>.</p>", ("A tied bowline",)),
    Feature("menu and footer out", "", (), ("Home", "Harbour street")),
)


def own(html: bytes) -> str:
    """Return the text of a crawl of this page alone."""
    found = next(contents([("https://knots.example/bowline", html)]))
    return found.text if isinstance(found, PageContent) else ""


def by_trafilatura(html: bytes) -> str:
    """Return trafilatura's text, with tables and pictures."""
    return trafilatura.extract(html, include_images=True) or ""


def by_resiliparse(html: bytes) -> str:
    """Return resiliparse's text of the main content, with texts of pictures."""
    text = bytes_to_str(html, detect_encoding(html, from_html_meta=True) or "utf-8")
    return extract_plain_text(text, main_content=True, alt_texts=True)


PROGRAMS: dict[str, Callable[[bytes], str]] = {
    "sitestencil": own,
    "trafilatura": by_trafilatura,
    "resiliparse": by_resiliparse,
}


def main() -> int:
    """Print the table."""
    parser = arguments(__doc__, None)
    parser.add_argument("--texts", action="store_true", help="also print what came out")
    options = parser.parse_args()
    print(f"| | {' | '.join(PROGRAMS)} |\n|---|{':-:|' * len(PROGRAMS)}")
    for feature in FEATURES:
        texts = {name: program(feature.page()) for name, program in PROGRAMS.items()}
        marks = " | ".join("yes" if feature.is_kept(text) else "no" for text in texts.values())
        print(f"| {feature.name} | {marks} |")
        if options.texts:
            print("\n".join(f"  {name}: {text!r}" for name, text in texts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
