"""Documents by chance that confuse readers of trees."""

from random import Random

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
