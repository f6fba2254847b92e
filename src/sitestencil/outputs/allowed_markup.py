"""The table of allowed elements, attributes and kinds of values for saved pages, by namespace.

Names are compared exactly: ``SCRIPT`` and ``foreignobject``, which only scripts can create, are other names.
Anything missing here is not written. Custom elements (``x-card``) stay, because no script defines them.
"""

import re
from enum import Enum

from sitestencil.page.namespaces import Namespace


class Value(Enum):
    """The kind of an attribute's value, which decides how it is cleaned."""

    TEXT = "text"
    DATA = "data for scripts"
    LINK = "address a person may follow"
    ACTION = "address of a form"
    IMAGE = "address of an image"
    IMAGES = "addresses of images (srcset)"
    MEDIA = "address of sound or film"
    FRAME = "address of a framed page"
    SHEET = "address of a style sheet or icon"
    RELATIONS = "kinds of links"
    CITED = "address of a source"
    FRAGMENT = "address within the page"
    STYLE = "CSS declarations"
    PAINT = "CSS value"
    TARGET = "where a link opens"
    FORM_VALUE = "value of a form field"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = _names("area br col hr img input link meta source track wbr")
HTML_ELEMENTS = VOID | _names(
    """
    html head body style title address article aside blockquote center dd details dialog dir div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup legend li main menu nav ol p pre search
    section summary ul a abbr acronym b bdi bdo big button cite code data del dfn em font i ins kbd label map
    mark nobr output q rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var audio canvas
    iframe meter picture progress video caption colgroup table tbody td tfoot th thead tr datalist optgroup
    option select textarea slot
    """
)
# Written under a neutral name that looks alike. An element in none of these lists becomes a span.
RENAMED = {
    "xmp": "pre",
    "listing": "pre",
    "plaintext": "pre",
    "marquee": "div",
    "frameset": "div",
    "frame": "iframe",
    "object": "div",
    "applet": "div",
}
# Dropped with everything inside: they run, load or redirect, or show nothing.
DROPPED = _names(
    "script noscript noembed noframes base basefont bgsound param template keygen command meta title embed"
)
IN_HEAD = _names("meta link style title")
# Relations of ``link`` that style the page or load nothing. Firefox prefetches ``next``, so it is not here.
SITE_RELATIONS = _names(
    "stylesheet icon shortcut apple-touch-icon apple-touch-icon-precomposed mask-icon fluid-icon license"
)
PAGE_RELATIONS = _names("canonical prev shortlink amphtml alternate bookmark pingback author me")

SVG_ELEMENTS = _names(
    """
    svg g defs symbol use a switch title desc foreignObject view image path rect circle ellipse line polyline
    polygon text tspan textPath linearGradient radialGradient stop pattern clipPath mask marker filter feBlend
    feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
    feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge
    feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
    """
)
MATH_ELEMENTS = _names(
    """
    math mrow mi mn mo ms mspace mtext mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder
    mover munderover mmultiscripts mprescripts mtable mtr mtd semantics none
    """
)
ELEMENTS: dict[Namespace, frozenset[str]] = {
    "html": HTML_ELEMENTS,
    "svg": SVG_ELEMENTS,
    "math": MATH_ELEMENTS,
    "other": frozenset(),
}
# Names with a dash that SVG and MathML defined earlier.
_RESERVED = _names(
    "annotation-xml color-profile font-face font-face-src font-face-uri font-face-format font-face-name "
    "missing-glyph"
)
_CUSTOM_ELEMENT = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]*)+")
_OWN_ATTRIBUTE = re.compile(r"[a-z_][a-z0-9_]*-[a-z0-9_-]*")
# In SVG and MathML a name with a dash may be a CSS property.
_OWN_ATTRIBUTE_ELSEWHERE = re.compile(r"(?:data|_[a-z0-9]*)-[a-z0-9_-]*")
_ARIA = re.compile(r"aria-[a-z]+")
_NOT_OWN = _names("http-equiv")

_ANYWHERE = _names(
    """
    class id title lang dir hidden inert slot part exportparts role tabindex accesskey translate popover
    xml:lang itemprop itemscope itemtype itemid itemref property typeof about datatype vocab
    """
)
# Plain names of custom elements' attributes, which their style sheets use.
_OF_CUSTOM_ELEMENTS = _names(
    """
    active align alignment animated appearance aspect bordered circle closed color colour column columns compact
    cols count current density dense direction disabled display elevation expanded fixed fluid flush full gap
    gutter header height horizontal icon inline inset inverted justify kind label layout level loading mode name
    open opened orientation outlined overlay padding pill placement position primary raised reverse rounded row
    rows secondary selected shape size space spacing span state status sticky theme tone transparent twoline
    threeline type value variant vertical visible width wrap
    """
)
_PRESENTATION = _names(
    "align valign bgcolor width height border bordercolor cellpadding cellspacing hspace vspace nowrap clear"
)
_SOURCE = {"width": Value.TEXT, "height": Value.TEXT}


def _texts(names: str) -> dict[str, Value]:
    return dict.fromkeys(names.split(), Value.TEXT)


_OF_HTML: dict[str, dict[str, Value]] = {
    "html": _texts("version"),
    "body": {
        **_texts("text link vlink alink leftmargin topmargin marginwidth marginheight"),
        "background": Value.IMAGE,
    },
    "a": {"href": Value.LINK, "target": Value.TARGET, **_texts("name rel hreflang type")},
    "area": {"href": Value.LINK, "target": Value.TARGET, **_texts("alt coords shape rel nohref")},
    "map": _texts("name"),
    "link": {"href": Value.SHEET, "rel": Value.RELATIONS, **_texts("media type sizes hreflang disabled color")},
    "meta": _texts("name property content media"),
    "style": _texts("media type"),
    "img": {
        "src": Value.IMAGE,
        "srcset": Value.IMAGES,
        **_texts("alt sizes usemap ismap loading decoding fetchpriority name"),
    },
    "source": {
        "src": Value.MEDIA,
        "srcset": Value.IMAGES,
        **_SOURCE,
        **_texts("media type sizes"),
    },
    "video": {"src": Value.MEDIA, "poster": Value.IMAGE, **_texts("controls loop muted playsinline preload")},
    "audio": {"src": Value.MEDIA, **_texts("controls loop muted preload")},
    "track": {"src": Value.MEDIA, **_texts("kind srclang label default")},
    "iframe": {"src": Value.FRAME, **_texts("name frameborder scrolling marginwidth marginheight loading")},
    "canvas": {},
    "form": {
        "action": Value.ACTION,
        "target": Value.TARGET,
        **_texts("method enctype accept-charset name novalidate"),
    },
    "input": {
        "src": Value.IMAGE,
        "value": Value.FORM_VALUE,
        **_texts(
            """
            type name placeholder checked disabled readonly required size maxlength minlength min max step
            pattern multiple accept alt autocomplete autocapitalize autocorrect inputmode enterkeyhint results
            spellcheck form
            """
        ),
    },
    "button": {"value": Value.DATA, **_texts("type name disabled form")},
    "select": _texts("name size multiple disabled required autocomplete form"),
    "option": {"value": Value.DATA, **_texts("label selected disabled")},
    "optgroup": _texts("label disabled"),
    "textarea": _texts(
        "name rows cols wrap placeholder disabled readonly required maxlength minlength autocomplete form"
    ),
    "label": _texts("for form"),
    "output": _texts("for form name"),
    "fieldset": _texts("disabled form name"),
    "meter": _texts("value min max low high optimum"),
    "progress": _texts("value max"),
    "data": {"value": Value.DATA},
    "time": _texts("datetime pubdate"),
    "blockquote": {"cite": Value.CITED},
    "q": {"cite": Value.CITED},
    "ins": {"cite": Value.CITED, **_texts("datetime")},
    "del": {"cite": Value.CITED, **_texts("datetime")},
    "ol": _texts("start reversed type compact"),
    "ul": _texts("type compact"),
    "dl": _texts("compact"),
    "dir": _texts("compact"),
    "menu": _texts("compact type"),
    "li": _texts("value type"),
    "hr": _texts("color noshade size"),
    "pre": _texts("wrap"),
    "font": _texts("color face size"),
    "details": _texts("open name"),
    "dialog": _texts("open"),
    "slot": _texts("name"),
    "table": {"background": Value.IMAGE, **_texts("frame rules summary layout")},
    "tr": {"background": Value.IMAGE, **_texts("char charoff")},
    "td": {"background": Value.IMAGE, **_texts("colspan rowspan headers scope abbr axis char charoff")},
    "th": {"background": Value.IMAGE, **_texts("colspan rowspan headers scope abbr axis char charoff")},
    "col": _texts("span"),
    "colgroup": _texts("span"),
}
# Nearly every one accepts its CSS property's value, so clean each as CSS.
_OF_SVG = dict.fromkeys(
    _names(
        """
        viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d points pathLength
        preserveAspectRatio transform gradientTransform patternTransform gradientUnits patternUnits
        patternContentUnits clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX
        refY orient offset spreadMethod rotate textLength lengthAdjust startOffset method spacing side version
        baseProfile zoomAndPan systemLanguage requiredExtensions xml:space filterUnits primitiveUnits in in2
        result mode type values operator k1 k2 k3 k4 stdDeviation baseFrequency numOctaves seed stitchTiles
        scale xChannelSelector yChannelSelector order kernelMatrix divisor bias targetX targetY edgeMode
        kernelUnitLength preserveAlpha radius surfaceScale diffuseConstant specularConstant specularExponent
        limitingConeAngle azimuth elevation pointsAtX pointsAtY pointsAtZ z slope intercept amplitude exponent
        tableValues focusable fill stroke filter mask clip-path marker-start marker-mid marker-end clip-rule
        fill-rule fill-opacity stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
        stroke-dasharray stroke-dashoffset stop-color stop-opacity flood-color flood-opacity lighting-color
        color-interpolation color-interpolation-filters color-rendering shape-rendering text-rendering
        image-rendering vector-effect paint-order pointer-events mask-type font-family font-size
        font-size-adjust font-stretch font-style font-variant font-weight letter-spacing word-spacing
        text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift writing-mode
        unicode-bidi enable-background isolation mix-blend-mode transform-origin overflow opacity visibility
        display direction cursor color
        """
    ),
    Value.PAINT,
)
_SVG_LINKS = {"a": Value.LINK, "image": Value.IMAGE, "feImage": Value.IMAGE}
_OF_MATH = _texts(
    """
    display displaystyle scriptlevel mathvariant mathsize mathcolor mathbackground accent accentunder
    columnalign columnlines columnspacing columnspan depth fence form frame framespacing height largeop
    linethickness lspace maxsize minsize movablelimits rowalign rowlines rowspacing rowspan rspace separator
    stretchy symmetric voffset width
    """
)


def is_custom_element(name: str) -> bool:
    """Return whether an HTML name is a custom element's, which only a script can define.

    >>> is_custom_element("x-card"), is_custom_element("font-face"), is_custom_element("x-<!--")
    (True, False, False)
    """
    return _CUSTOM_ELEMENT.fullmatch(name) is not None and name not in _RESERVED


def kind_of_value(namespace: Namespace, element: str, name: str) -> Value | None:
    """Return the kind of an attribute's value; None for an attribute that is not written.

    >>> kind_of_value("html", "a", "href"), kind_of_value("html", "a", "onclick")
    (<Value.LINK: 'address a person may follow'>, None)
    """
    if name in _ANYWHERE or _ARIA.fullmatch(name):
        return Value.TEXT
    if name == "style":
        return Value.STYLE
    of_namespace = {"html": _of_html, "svg": _of_svg, "math": _of_math, "other": _of_none}[namespace]
    kind = of_namespace(element, name)
    # `data-price`, `_ngcontent-c1`: names with a dash are the page's own, as with elements.
    pattern = _OWN_ATTRIBUTE if namespace == "html" else _OWN_ATTRIBUTE_ELSEWHERE
    own_name = kind is None and pattern.fullmatch(name) and name not in _NOT_OWN
    return Value.DATA if own_name else kind


def _of_html(element: str, name: str) -> Value | None:
    of_all = _PRESENTATION | _OF_CUSTOM_ELEMENTS if is_custom_element(element) else _PRESENTATION
    return _OF_HTML.get(element, {}).get(name) or (Value.TEXT if name in of_all else None)


def _of_svg(element: str, name: str) -> Value | None:
    if name in {"href", "xlink:href"}:
        return _SVG_LINKS.get(element, Value.FRAGMENT)
    return _OF_SVG.get(name)


def _of_math(_: str, name: str) -> Value | None:
    return _OF_MATH.get(name)


def _of_none(_: str, __: str) -> Value | None:
    return None
