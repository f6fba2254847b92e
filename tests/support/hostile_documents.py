"""Documents by chance that confuse readers of trees, and the comparison of compiled and plain writing of them."""

from random import Random

from tests.support.texts import crawled, walk

from sitestencil.crawl.compiled_template import CompiledTemplate
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.outputs.plain_text import text_and_links
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import document_of, lexbor_root

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
    """Return whether the compiled modules write a document as plain Python writes it.

    Plain Python maps the whole template onto the page; on the template's own page the walk comes to the same.
    """
    root = lexbor_root(html, scripting=False, charset=None)
    if root is None:
        return True
    page = document_of(root, html, URL, scripting=False)
    template = [number % 3 > 0 for number in range(len(page))]
    answer = Detection(template, [number % 3 > 0 for number in range(len(page.texts))], ())
    walked = walk(root, CompiledTemplate(LearnedTemplate.of("stencil", KeySketch(page), answer)))
    return crawled(root, page, answer) == text_and_links(page, answer) and len(walked.template) == len(page)
