"""Documents by chance that confuse readers of trees, and the comparison of compiled and plain reading of them."""

from random import Random

import pytest

from sitestencil.crawl.compiled_template import CompiledTemplate
from sitestencil.crawl.walking import walk
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import columns, lexbor_root, parse

URL = "https://site.example/a/"
TAGS = (
    "div p pre b a font table tr td select option button form ul li br img input base applet template svg math "
    "foreignObject desc title mi annotation-xml script style noscript textarea html body frameset x-y "
    "a-name-longer-than-sixteen image selectedcontent feBlend linearGradient"
).split()
NAMES = (
    "class id href src style title alt value placeholder type xmlns xmlns:xlink xlink:href xlink:title xml:lang "
    "xml:space xml:base viewbox definitionurl data-a-name-longer-than-sixteen shadowrootmode lang ' é CLASS x:y"
).split()
VALUES = ("", "=''", "=a", "=b", "='one two'", "=open", "=/b/", "='\u00a0é \U0001f600'")
TEXTS = ("word", " ", "\u00a0", "\t\x0b", "a\x00b", "<!-- x -->", "<![CDATA[x]]>", "&amp;&#1;", "</", "\ud800")
ENDS = (*(f"</{tag}>" for tag in TAGS), "</p", "</x-y class=a class=b>", "/>")


def document(random: Random) -> str:
    """Return a document by chance."""
    parts: list[str] = []
    for _ in range(random.randrange(30)):
        kind = random.random()
        if kind < 0.55:
            attributes = "".join(
                f" {random.choice(NAMES)}{random.choice(VALUES)}" for _ in range(random.choice((0, 0, 1, 2, 7)))
            )
            parts.append(f"<{random.choice(TAGS)}{attributes}{random.choice(('>', '>', '>', '/>', ''))}")
        else:
            parts.append(random.choice(TEXTS if kind < 0.8 else ENDS))
    return "".join(parts)


def is_read_alike(html: str) -> bool:
    """Return whether the compiled modules read a document as plain Python does."""
    root = lexbor_root(html, scripting=False, charset=None)
    if root is None:
        return True
    compiled = CandidateSketch(html, URL, scripting=False, parsed=root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sitestencil.page.candidate_sketch.NATIVE", False)
        plain = CandidateSketch(html, URL, scripting=False, parsed=root)
    is_sketched_alike = _columns(compiled) == _columns(plain)
    return is_sketched_alike and columns(root) == columns(root, plain=True) and _is_walked_alike(html)


def _columns(sketch: CandidateSketch) -> list[object]:
    elements = range(len(sketch))
    return [
        *(list(getattr(sketch, name)) for name in ("tags", "parents", "own_texts", "goes_with", "hashes", "base")),
        [sketch.kinds[element] for element in elements],
        [list(sketch.attributes(element).items()) for element in elements],
        [sketch.ids[element] or None for element in elements],
    ]


def _is_walked_alike(html: str) -> bool:
    page = parse(html, URL)
    root = lexbor_root(html, scripting=False, charset=None)
    assert root is not None
    template = [number % 3 > 0 for number in range(len(page))]
    answer = Detection(template, [number % 3 > 0 for number in range(len(page.texts))], ())
    compiled = CompiledTemplate(LearnedTemplate.of("stencil", KeySketch(page), answer))
    return walk(root, compiled) == walk(root, compiled, plain=True)
