"""Documents by chance that confuse readers of trees, and the comparison of compiled and plain reading of them."""

from random import Random

from tests.support.texts import walk

from sitestencil.crawl.compiled_template import CompiledTemplate
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
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
    """Return whether the compiled walk of a page's own template finds each element, by its names, where it is."""
    root = lexbor_root(html, scripting=False, charset=None)
    if root is None:
        return True
    page = document_of(root, html, URL, scripting=False)
    template = [number % 3 > 0 for number in range(len(page))]
    answer = Detection(template, [number % 3 > 0 for number in range(len(page.texts))], ())
    learned = LearnedTemplate.of("stencil", KeySketch(page), answer)
    walked = walk(root, CompiledTemplate(learned))
    elements, body = learned.columns.document_elements, page.body or 0
    met = [element for element, known in (*walked.entered, *walked.passed) if elements[known] == element]
    return (
        len(met) == len(walked.entered) + len(walked.passed)
        and (len(walked.template), len(walked.template_texts)) == (len(page), len(page.texts))
        and all(walked.template[element] == template[element] for element in met if element > body)
    )
