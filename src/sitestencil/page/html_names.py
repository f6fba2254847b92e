"""Names of HTML elements that several rooms use. Sets that differ on purpose stand side by side."""

from secrets import token_hex

# Elements that link to another page by an ``href``.
LINKS = frozenset({"a", "area"})

# Elements without end tag and content.
VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)

# Elements whose text is code.
CODE = frozenset({"script", "style"})

# Elements whose text is not text of the page.
NO_PAGE_TEXT = CODE | {"noscript", "template", "title"}

# The same for programs that run no scripts: they read the text of ``noscript``.
NO_PAGE_TEXT_WITHOUT_SCRIPTS = NO_PAGE_TEXT - {"noscript"}

# Elements that start a new line in browsers' style sheets.
BLOCKS = frozenset(
    """
    address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup p pre search section summary table
    caption tbody tfoot thead tr ul
    """.split()
)
# Elements without text of the page: form fields, and fallbacks of sound, film and frames.
NO_TEXT = frozenset(
    "style iframe select textarea datalist input button progress meter audio video canvas map".split()
)
CELLS = frozenset({"td", "th"})

# The parser gets the root of an open shadow tree under this name. No page can guess the attribute that marks it.
SHADOW_ROOT = "applet"
SHADOW_MARK = f"made-{token_hex(8)}"

# All names of elements that the parser has a number for. It is the same number in all documents.
NUMBERED_ELEMENTS = tuple(
    """
    a abbr acronym address altglyph altglyphdef altglyphitem animatecolor animatemotion animatetransform
    annotation-xml applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br
    button canvas caption center cite clippath code col colgroup data datalist dd del desc details dfn dialog dir
    div dl dt em embed feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting
    fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage
    femerge femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence
    fieldset figcaption figure font footer foreignobject form frame frameset glyphref h1 h2 h3 h4 h5 h6 head header
    hgroup hr html i iframe image img input ins isindex kbd keygen label legend li lineargradient link listing main
    malignmark map mark marquee math menu meta meter mfenced mglyph mi mn mo ms mtext multicol nav nextid nobr
    noembed noframes noscript object ol optgroup option output p param path picture plaintext pre progress q
    radialgradient rb rp rt rtc ruby s samp script search section select selectedcontent slot small source spacer
    span strike strong style sub summary sup svg table tbody td template textarea textpath tfoot th thead time title
    tr track tt u ul var video wbr xmp
    """.split()
)

# The same for the names of attributes.
NUMBERED_ATTRIBUTES = tuple(
    """
    accept accept-charset active align alink alt axis bgcolor charset checked class clear codetype color compact
    content declare defer dir direction disabled enctype face focus for frame height hover href hreflang html
    http-equiv id is lang language link maxlength media method multiple nohref noresize noshade nowrap placeholder
    pool public readonly rel required rev rules scheme scope scrolling selected shape size slot src style system
    target text title type valign valuetype vlink width xmlns
    """.split()
)
