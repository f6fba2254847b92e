"""Markup by chance that confuses readers of trees: foreign elements, raw texts, parts left open, odd characters."""

from hypothesis import strategies as st

_TAGS = st.sampled_from(
    "div p pre b a font table tr td th caption select option button form ul li h1 br hr img input svg math "
    "template noscript script style title textarea xmp iframe noembed noframes plaintext foreignObject desc "
    "annotation-xml mi applet object frameset body html head base x-y some-very-long-custom-name dialog details "
    "nobr listing selectedcontent image isindex".split()
)
_ATTRIBUTES = st.sampled_from(
    [
        "",
        " class=a",
        " class='b\u00a0item-2 \n c'",
        " id=x1",
        " ID='' CLASS",
        " class=\U0001f600 id=\u00e9",
        " xlink:href=x class=q",
        " xmlns xmlns='' title href class id src",
        " xmlns=a xmlns=b xml:lang=c xmlns:xlink=d xlink:href=e xlink:href=f style",
        " shadowrootmode=open",
        " =a ='b'",
        " definitionurl=x viewbox=1",
        f" data-x='{'v' * 3000}'",
    ]
)
_TEXTS = st.sampled_from(
    [
        "word",
        "two  words\n",
        " ",
        "\u00a0",
        "\t\x0b\x0c\r\n",
        "\x1c\x1d a\x1f",
        "\x01\x7fctl\x02 \x03",
        "\x00",
        "a\x00b",
        "\u2003\u3000\u1680x\u0085",
        "caf\u00e9 \U0001f600\u200b",
        "\ud800",
        "&amp;&nbsp;&#13;&#x1F;&notit;&#xD800;",
        "tab\tstop\tin\u00e9\tline",
        "<![CDATA[x]]>",
        "<!-- comment -->",
        "<!-->",
        "<?php x ?>",
        "</",
        "<",
        "<!--<script>",
        "-->",
    ]
)


def _element(tag: str, attributes: str, parts: list[str], is_ended: int) -> str:
    return f"<{tag}{attributes}>{''.join(parts)}" + ("" if is_ended == 0 else f"</{tag}>")


_PARTS = st.recursive(
    _TEXTS,
    lambda inside: st.builds(_element, _TAGS, _ATTRIBUTES, st.lists(inside, max_size=6), st.integers(0, 3)),
    max_leaves=40,
)
HOSTILE_MARKUP = st.lists(_PARTS, max_size=6).map("".join)
