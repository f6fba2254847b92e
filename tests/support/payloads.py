"""Ways in which a page runs script: written for these tests, of the kinds that sanitisers are attacked with.

``FIRE`` stands for JavaScript that tells the topmost window the payload's number. Each payload is a page of its
own.
"""

from base64 import b64encode
from collections.abc import Iterator

HANDLER_ELEMENTS = (
    '<img src=x onerror="FIRE">',
    "<IMG SRC=x ONERROR=FIRE>",
    "<img/src=x/onerror=FIRE>",
    "<img src=x\nonerror\n=\nFIRE>",
    "<img src=x:x\tonerror=FIRE>",
    "<image src=x onerror=FIRE>",
    '<img srcset="x 1x" src=y onerror=FIRE>',
    "<body onload=FIRE>",
    "<body onpageshow=FIRE>",
    "<body onfocus=FIRE tabindex=1>",
    "<body onhashchange=FIRE>",
    "<body onresize=FIRE>",
    "<body onscroll=FIRE>",
    "<html onmouseover=FIRE><p>x",
    "<svg onload=FIRE>",
    "<svg/onload=FIRE>",
    "<svg><g onload=FIRE></g></svg>",
    "<svg><circle r=9 onclick=FIRE></circle></svg>",
    "<svg><a onclick=FIRE><text>x</text></a></svg>",
    "<svg><image href=x onerror=FIRE></image></svg>",
    "<svg><foreignObject><img src=x onerror=FIRE></foreignObject></svg>",
    "<svg><desc><img src=x onerror=FIRE></desc></svg>",
    "<svg><title><img src=x onerror=FIRE></title></svg>",
    "<svg><animate attributeName=x dur=1s onbegin=FIRE></animate></svg>",
    "<svg><set attributeName=x onbegin=FIRE></set></svg>",
    "<svg><animateTransform attributeName=transform dur=1s onbegin=FIRE></animateTransform></svg>",
    "<svg><animateMotion dur=1s onbegin=FIRE></animateMotion></svg>",
    "<math onclick=FIRE><mi>x</mi></math>",
    "<math><mtext><img src=x onerror=FIRE></mtext></math>",
    "<video src=x onerror=FIRE></video>",
    "<video><source onerror=FIRE src=x></video>",
    "<video onloadstart=FIRE src=x></video>",
    "<audio src=x onerror=FIRE></audio>",
    "<audio onclick=FIRE controls></audio>",
    "<iframe onload=FIRE></iframe>",
    "<object data=x onerror=FIRE></object>",
    "<object onclick=FIRE>x</object>",
    "<embed src=x onload=FIRE onclick=FIRE>",
    "<input onfocus=FIRE autofocus>",
    "<input type=image src=x onerror=FIRE>",
    "<input oninput=FIRE value=x>",
    "<select onfocus=FIRE autofocus><option>x</select>",
    "<textarea onfocus=FIRE autofocus></textarea>",
    "<button onclick=FIRE>x</button>",
    "<button onfocus=FIRE autofocus>x</button>",
    "<keygen onfocus=FIRE autofocus>",
    "<details open ontoggle=FIRE><summary>x</summary></details>",
    "<dialog open onclick=FIRE>x</dialog>",
    "<div popover onbeforetoggle=FIRE ontoggle=FIRE>x</div>",
    "<marquee onstart=FIRE onclick=FIRE>x</marquee>",
    "<form onsubmit=FIRE><button>x</button></form>",
    "<form onreset=FIRE><input type=reset></form>",
    "<a onmouseover=FIRE>x</a>",
    "<p onmouseenter=FIRE>x</p>",
    "<p onpointerdown=FIRE>x</p>",
    "<p onwheel=FIRE>x</p>",
    "<p oncopy=FIRE>x</p>",
    "<p contenteditable onblur=FIRE>x</p>",
    "<p draggable=true ondragstart=FIRE>x</p>",
    "<x-card onclick=FIRE>x</x-card>",
    "<xss onclick=FIRE>x</xss>",
    "<a:b onclick=FIRE>x</a:b>",
    "<p onanimationstart=FIRE style=animation:a>x</p><style>@keyframes a{}</style>",
    "<p ontransitionend=FIRE>x</p>",
    "<style onload=FIRE></style>",
    '<link rel=stylesheet href="data:text/css,a" onload=FIRE>',
    "<link rel=stylesheet href=x:x onerror=FIRE>",
    "<table onclick=FIRE><tr><td>x</table>",
    "<td onclick=FIRE>x",
    "<canvas onclick=FIRE></canvas>",
    "<label onclick=FIRE>x</label>",
    "<map name=m><area onclick=FIRE></map>",
    "<ruby><rt onclick=FIRE>x</ruby>",
    "<section oncontextmenu=FIRE>x</section>",
    "<slot onslotchange=FIRE onclick=FIRE></slot>",
    "<template shadowrootmode=open><img src=x onerror=FIRE></template>",
    "<div><template shadowrootmode=open><img src=x onerror=FIRE></template>x</div>",
    "<noscript><p title='</noscript><img src=x onerror=FIRE>'></noscript>",
    "<plaintext onclick=FIRE>x",
    "<xmp onclick=FIRE>x</xmp>",
    "<frameset onload=FIRE><frame></frameset>",
    "<frameset onpageshow=FIRE><frame></frameset>",
)
SCRIPT_ELEMENTS = (
    "<script>FIRE</script>",
    "<ScRiPt>FIRE</sCrIpT>",
    "<script\n>FIRE</script\n>",
    "<script/x>FIRE</script>",
    "<script type=module>FIRE</script>",
    "<script type=text/javascript>FIRE</script>",
    "<script src='data:text/javascript,FIRE'></script>",
    '<script src="data:text/javascript;base64,B64"></script>',
    "<script defer src='data:text/javascript,FIRE'></script>",
    "<script async src='data:text/javascript,FIRE'></script>",
    "<script><!--\nFIRE\n//--></script>",
    "<script>FIRE",
    "<svg><script>FIRE</script></svg>",
    "<svg><script href='data:text/javascript,FIRE'></script></svg>",
    "<svg><script xlink:href='data:text/javascript,FIRE'/></svg>",
    "<svg><script>&#116;op.postMessage(NUMBER,`*`)</script></svg>",
    "<math><script>FIRE</script></math><script>FIRE</script>",
    "<svg><desc><script>FIRE</script></desc></svg>",
    "<svg><foreignObject><script>FIRE</script></foreignObject></svg>",
    "<table><script>FIRE</script></table>",
    "<select><script>FIRE</script></select>",
    "<frameset><script>FIRE</script></frameset>",
    "<head><script>FIRE</script></head>",
    "<title></title><script>FIRE</script>",
    "<p><b><script>FIRE</script>",
    "<script>document.write('<script>FIRE<\\/script>')</script>",
    "<script type=importmap>{}</script><script type=module>FIRE</script>",
    "<div><template shadowrootmode=open><script>FIRE</script></template></div>",
)
LINKS = (
    '<a href="javascript:FIRE">x</a>',
    '<a href="JaVaScRiPt:FIRE">x</a>',
    '<a href=" javascript:FIRE">x</a>',
    '<a href="&#1;javascript:FIRE">x</a>',
    '<a href="java&#10;script:FIRE">x</a>',
    '<a href="java&Tab;script:FIRE">x</a>',
    '<a href="java&NewLine;script:FIRE">x</a>',
    '<a href="&#x6A;avascript:FIRE">x</a>',
    '<a href="&#0000106avascript:FIRE">x</a>',
    '<a href="javascript&colon;FIRE">x</a>',
    '<a href="javascript&#58;FIRE">x</a>',
    '<a href="javascript://%0aFIRE">x</a>',
    '<a href="javascript://https://example.org/%0AFIRE">x</a>',
    '<a href="javascript:void(FIRE)" target=_self>x</a>',
    "<a href=javascript:FIRE>x</a>",
    '<base href="javascript:/a/"><a href="javascript:FIRE">x</a>',
    '<base href="javascript://%0a"><a href="#%0aFIRE">x</a>',
    '<map name=m><area href="javascript:FIRE" shape=default></map><img usemap=#m>',
    '<form action="javascript:FIRE"><button>x</button></form>',
    '<form action="javascript:FIRE"><input type=submit></form>',
    '<form action="javascript:FIRE"><input type=image></form>',
    '<form><button formaction="javascript:FIRE">x</button></form>',
    '<form><input type=submit formaction="javascript:FIRE"></form>',
    '<form id=f></form><button form=f formaction="javascript:FIRE">x</button>',
    '<form method=dialog action="javascript:FIRE"><button formmethod=get>x</button></form>',
    '<svg><a href="javascript:FIRE"><text y=9>x</text></a></svg>',
    '<svg><a xlink:href="javascript:FIRE"><text y=9>x</text></a></svg>',
    '<svg><a xlink:href="java&#10;script:FIRE"><rect width=9 height=9></rect></a></svg>',
    '<svg><a><animate attributeName=href values="javascript:FIRE" /><text y=9>x</text></a></svg>',
    '<svg><a><animate attributeName=href to="javascript:FIRE" fill=freeze dur=1ms /><text y=9>x</text></a></svg>',
    '<svg><a><set attributeName=href to="javascript:FIRE" /><text y=9>x</text></a></svg>',
    '<svg><a><set attributeName=xlink:href to="javascript:FIRE" /><text y=9>x</text></a></svg>',
    '<svg><a id=t></a><set href=#t attributeName=href to="javascript:FIRE" /><text y=9>x</text></svg>',
    '<math href="javascript:FIRE"><mi>x</mi></math>',
    '<math><mrow xlink:href="javascript:FIRE"><mi>x</mi></mrow></math>',
    '<math><maction actiontype="statusline#x" href="javascript:FIRE">x</maction></math>',
    '<a href="data:text/html,<script>FIRE</script>">x</a>',
    '<a href="vbscript:FIRE">x</a>',
    '<a href="view-source:javascript:FIRE">x</a>',
    '<a href="blob:null/x">x</a><a href="javascript:FIRE">y</a>',
    '<a href="?x" ping="javascript:FIRE" onclick="FIRE;return false">x</a>',
    '<link rel=import href="data:text/html,<script>FIRE</script>"><a href="javascript:FIRE">x</a>',
    '<table background="javascript:FIRE"><tr><td><a href="javascript:FIRE">x</table>',
    '<p><a href="javascript:FIRE"><p>x</a>',
    '<noembed><a href="</noembed><img src=x onerror=FIRE>"></noembed>',
)
FRAMES = (
    '<iframe src="javascript:FIRE"></iframe>',
    '<iframe src="java&#10;script:FIRE"></iframe>',
    '<iframe src="data:text/html,<script>FIRE</script>"></iframe>',
    '<iframe src="data:text/html;base64,PAGE64"></iframe>',
    '<iframe src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 onload=%22FIRE%22/>"></iframe>',
    '<iframe srcdoc="<script>FIRE</script>"></iframe>',
    '<iframe srcdoc="&lt;img src=x onerror=FIRE&gt;"></iframe>',
    '<iframe srcdoc="<svg onload=FIRE>"></iframe>',
    "<iframe srcdoc='<iframe srcdoc=\"&lt;script&gt;FIRE&lt;/script&gt;\"></iframe>'></iframe>",
    '<iframe sandbox=allow-scripts srcdoc="<script>FIRE</script>"></iframe>',
    '<frameset><frame src="javascript:FIRE"></frameset>',
    '<frameset><frame src="data:text/html,<script>FIRE</script>"></frameset>',
    '<object data="javascript:FIRE"></object>',
    '<object data="data:text/html,<script>FIRE</script>"></object>',
    '<object type=text/html data="data:text/html;base64,PAGE64"></object>',
    '<object data="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 onload=%22FIRE%22/>"></object>',
    '<embed src="javascript:FIRE">',
    '<embed src="data:text/html,<script>FIRE</script>">',
    '<embed type=image/svg+xml src="data:image/svg+xml,'
    '<svg xmlns=%22http://www.w3.org/2000/svg%22><script>FIRE</script></svg>">',
    '<iframe name=f></iframe><a target=f href="javascript:FIRE">x</a>',
    '<iframe name=f></iframe><form target=f action="javascript:FIRE"><button>x</button></form>',
    '<svg><use href="data:image/svg+xml,<svg id=x xmlns=%22http://www.w3.org/2000/svg%22 onload=%22FIRE%22/>#x"/>'
    "<image href=x onerror=FIRE /></svg>",
    '<portal src="data:text/html,x" onclick=FIRE></portal>',
    "<meta http-equiv=refresh content='0;url=about:blank'>",
    '<META HTTP-EQUIV="Refresh" CONTENT="0; url=data:text/plain,x">',
    "<body><meta http-equiv=refresh content=0;about:blank>",
    "<svg><foreignObject><meta http-equiv=refresh content='0;about:blank'></foreignObject></svg>",
)
MISREAD = (
    '<svg></p><style><a id="</style><img src=1 onerror=FIRE>">',
    "<math></p><style><!--</style><img src/onerror=FIRE>--></style></math>",
    "<svg><style>&lt;img src=x onerror=FIRE&gt;</style></svg><img src=x onerror=FIRE>",
    "<svg><style><img src=x onerror=FIRE></style></svg>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=FIRE>",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=FIRE&gt;">'
    "<img src=x onerror=FIRE>",
    '<math><mtext><table><mglyph><style><math><table id="</table>"><img src onerror=FIRE>',
    '<math><annotation-xml encoding="text/html"><style></annotation-xml><img src=x onerror=FIRE>--></style>'
    "<img src=x onerror=FIRE></annotation-xml></math>",
    '<svg><annotation-xml><foreignobject><style><!--</style><p id="--><img src=x onerror=FIRE>">',
    "<noscript><style></noscript><img src=x onerror=FIRE></style>",
    '<xmp><p title="</xmp><img src=x onerror=FIRE>"></xmp>',
    "<xmp><img title='</xmp><svg/onload=FIRE>'></xmp>",
    '<noembed><img title="</noembed><img src onerror=FIRE>"></noembed>',
    '<noframes><img title="</noframes><img src onerror=FIRE>"></noframes>',
    '<iframe><img title="</iframe><img src onerror=FIRE>"></iframe>',
    '<textarea><img title="</textarea><img src=x onerror=FIRE>"></textarea>',
    '<title><img title="</title><img src=x onerror=FIRE>"></title>',
    '<style><img title="</style><img src=x onerror=FIRE>"></style>',
    '<plaintext><img title="</plaintext><img src onerror=FIRE>"><script>FIRE</script>',
    "<listing>&lt;img src=x onerror=FIRE&gt;</listing><img src=x onerror=FIRE>",
    "<!--><img src=x onerror=FIRE>-->",
    "<!-- --!><img src=x onerror=FIRE> -->",
    "<!--<img src='--><img src=x onerror=FIRE>'>",
    "<![CDATA[<img src='a>]]><img src=x onerror=FIRE>'>",
    "<svg><![CDATA[</svg>]]><img src=x onerror=FIRE>",
    "<?xml version='>'><img src=x onerror=FIRE>'?>",
    '<!DOCTYPE html PUBLIC "<script>" "><img src=x onerror=FIRE>"><p>x<img src=x onerror=FIRE>',
    "</p <img src=x onerror=FIRE><img src=x onerror=FIRE>",
    "<p title='`'><img src=`x`onerror=FIRE>",
    "<img alt='<x' title='/><img src=x onerror=FIRE>' src=x onerror=FIRE>",
    "<a title='&quot;><img src=x onerror=FIRE>'>x<img src=x onerror=FIRE></a>",
    "<select><template><style></select><img src=x onerror=FIRE></style></template></select>"
    "<img src=x onerror=FIRE>",
    "<select><keygen><iframe srcdoc='<script>FIRE</script>'></select>",
    "<table><tr><td><svg><tr><style><img src=x onerror=FIRE>",
    "<svg><p><style><g title='</style><img src=x onerror=FIRE>'>",
    "<math><mi><style><b title='</style><img src=x onerror=FIRE>'>",
    "<p id='x'name='&lt;/p&gt;&lt;img src=x onerror=FIRE&gt;'><img src=x onerror=FIRE>",
    "<img src=x o\x00nerror=FIRE onerror=FIRE>",
    "<scr\x00ipt>FIRE</scr\x00ipt><img src=x onerror=FIRE>",
    "<p <!-- onclick=FIRE>x</p>",
    "<p \"='><img src=x onerror=FIRE>' onclick=FIRE>x</p>",
    "<x-card is=x-card onclick=FIRE><template><script>FIRE</script></template></x-card>",
    "<div style='x:expression(FIRE);behavior:url(#x)' onclick=FIRE>x</div>",
    "<style>@import 'javascript:FIRE';a{background:url(javascript:FIRE)}</style><img src=x onerror=FIRE>",
    "<style>p{-moz-binding:url(data:text/xml,x)}</style><p onclick=FIRE>x</p>",
)
DEEP = ("<div>" * 600 + "<img src=x onerror=FIRE>", "<svg>" * 300 + "<script>FIRE</script>", "<b>" * 40 + LINKS[0])

# Built by scripts, as no HTML gives such trees: each is the body of a function of `body`, `make` and `html`.
LIVE = (
    "const e = make(html, 'SCRIPT'); e.textContent = 'FIRE'; body.append(e)",
    "const e = make(html, 'Script'); e.textContent = 'FIRE'; body.append(e)",
    "const e = make('http://www.w3.org/2000/svg', 'svg');"
    " const s = make('http://www.w3.org/2000/svg', 'SCRIPT'); s.textContent = 'FIRE'; e.append(s); body.append(e)",
    "const e = make(null, 'script'); e.textContent = 'FIRE'; body.append(e)",
    "const e = make('urn:x', 'script'); e.textContent = 'FIRE'; body.append(e)",
    "const e = make('urn:x', 'img'); e.setAttribute('src', 'x'); e.setAttribute('onerror', 'FIRE'); body.append(e)",
    "const e = make(html, 'IMG'); e.setAttribute('src', 'x'); e.setAttribute('onerror', 'FIRE'); body.append(e)",
    "const e = make(html, 'META'); e.setAttribute('http-equiv', 'refresh');"
    " e.setAttribute('content', '0;about:blank'); body.append(e)",
    "const e = make(null, 'meta'); e.setAttribute('http-equiv', 'refresh');"
    " e.setAttribute('content', '0;about:blank'); body.append(e)",
    "const e = make(html, 'IFRAME'); e.setAttribute('srcdoc', '<script>FIRE</scr' + 'ipt>'); body.append(e)",
    "const e = make(html, 'xmp'); e.textContent = '</xmp><img src=x onerror=FIRE>'; body.append(e)",
    "const e = make(html, 'noembed'); e.textContent = '</noembed><img src=x onerror=FIRE>'; body.append(e)",
    "const e = make(html, 'noframes'); e.textContent = '</noframes><img src=x onerror=FIRE>'; body.append(e)",
    "const e = make(html, 'noscript'); e.textContent = '</noscript><img src=x onerror=FIRE>'; body.append(e)",
    "const e = make(html, 'plaintext'); e.textContent = '<img src=x onerror=FIRE>'; body.append(e)",
    "const e = make(html, 'style'); e.textContent = '</style><img src=x onerror=FIRE>'; body.append(e)",
    "const e = make(html, 'style'); e.textContent = 'a{}</STYLE\\n><img src=x onerror=FIRE>'; body.append(e)",
    "const e = make(html, 'iframe'); e.textContent = '</iframe><img src=x onerror=FIRE>'; body.append(e)",
    "const s = make('http://www.w3.org/2000/svg', 'svg'), e = make(html, 'style');"
    " e.textContent = '<img src=x onerror=FIRE>'; s.append(e); body.append(s)",
    "const s = make('http://www.w3.org/1998/Math/MathML', 'math'), e = make(html, 'style');"
    " e.textContent = '<img src=x onerror=FIRE>'; s.append(e); body.append(s)",
    "const s = make('http://www.w3.org/2000/svg', 'svg'), e = make('http://www.w3.org/2000/svg', 'style');"
    " const t = make('http://www.w3.org/2000/svg', 'title'), p = make(html, 'style');"
    " p.textContent = '<img src=x onerror=FIRE>'; t.append(p); s.append(t, e); body.append(s)",
    "const s = make('http://www.w3.org/1998/Math/MathML', 'mtext'), m = make('http://www.w3.org/1998/Math/MathML',"
    " 'math'), g = make('http://www.w3.org/1998/Math/MathML', 'mglyph'), e = make(html, 'style');"
    " e.textContent = '<img src=x onerror=FIRE>'; g.append(e); s.append(g); m.append(s); body.append(m)",
    "const e = make(html, 'p'); for (const n of ['<!--', 'a>', 'x/onclick'])"
    " { try { e.setAttribute(n, '--><img src=x onerror=FIRE>'); } catch {} }"
    " e.setAttribute('onclick', 'FIRE'); body.append(e)",
    "const e = make(html, 'textarea'); e.append(make(html, 'b')); e.firstChild.append('</textarea><img src=x"
    " onerror=FIRE>'); e.setAttribute('onclick', 'FIRE'); body.append(e)",
    "const e = make(html, 'title'); e.textContent = 'x'; const i = make(html, 'img'); i.setAttribute('title',"
    " '</title><img src=x onerror=FIRE>'); e.append(i); body.append(e)",
    "const a = make(html, 'a'), b = make(html, 'a'); a.setAttribute('href', '#'); b.setAttribute('href',"
    " 'javascript:FIRE'); b.append('x'); a.append(b); body.append(a)",
    "const t = make(html, 'table'), s = make(html, 'img'); s.setAttribute('src', 'x');"
    " s.setAttribute('onerror', 'FIRE'); t.append(s); body.append(t)",
    "const p = make(html, 'option'), s = make(html, 'img'), q = make(html, 'select'); s.setAttribute('src', 'x');"
    " s.setAttribute('onerror', 'FIRE'); p.append(s); q.append(p); body.append(q, s.cloneNode())",
    "const e = make('http://www.w3.org/2000/svg', 'svg'), a = make('http://www.w3.org/2000/svg', 'a');"
    " a.setAttributeNS('http://www.w3.org/1999/xlink', 'x:href', 'javascript:FIRE');"
    " a.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', 'javascript:FIRE');"
    " const t = make('http://www.w3.org/2000/svg', 'text'); t.append('x'); a.append(t); e.append(a);"
    " body.append(e)",
    "const e = make(html, 'div'); e.attachShadow({mode: 'open'}).innerHTML = '<img src=x onerror=FIRE>';"
    " const f = make(html, 'img'); f.setAttribute('src', 'x'); f.setAttribute('onerror', 'FIRE');"
    " body.append(e, f)",
    "const e = make(html, 'template'); e.innerHTML = '<img src=x onerror=FIRE>'; e.append(make(html, 'script'));"
    " e.lastChild.textContent = 'FIRE'; const f = make(html, 'img'); f.setAttribute('src', 'x');"
    " f.setAttribute('onerror', 'FIRE'); body.append(e, f)",
    "const e = make(html, 'BASE'); e.setAttribute('href', 'javascript:/x/'); const a = make(html, 'a');"
    " a.setAttribute('href', 'javascript:FIRE'); a.append('x'); body.append(e, a)",
    "const e = make(html, 'body'); e.setAttribute('onload', 'FIRE'); e.setAttribute('onclick', 'FIRE');"
    " body.append(e)",
    "const e = make(html, 'br'); e.append(make(html, 'img')); e.firstChild.setAttribute('src', 'x');"
    " e.firstChild.setAttribute('onerror', 'FIRE'); body.append(e, e.firstChild.cloneNode())",
    "const e = make(html, 'input'); e.setAttribute('value', '\"><img src=x onerror=FIRE>');"
    " e.setAttribute('onclick', 'FIRE'); body.append(e)",
)


def static_payloads() -> Iterator[tuple[int, str]]:
    """Yield the pages by number."""
    groups = (HANDLER_ELEMENTS, SCRIPT_ELEMENTS, LINKS, FRAMES, MISREAD, DEEP)
    for number, text in enumerate(text for group in groups for text in group):
        yield number, f"<!DOCTYPE html><html><head></head>{_armed(text, number)}"


def live_payloads() -> list[str]:
    """Return the bodies of the functions, numbered from 1000 on."""
    return [_armed(text, 1000 + number) for number, text in enumerate(LIVE)]


def _armed(text: str, number: int) -> str:
    fire = f"top.postMessage({number},`*`)"
    page = f"<script>{fire}</script>"
    return (
        text.replace("FIRE", fire)
        .replace("NUMBER", str(number))
        .replace("PAGE64", _base64(page))
        .replace("B64", _base64(fire))
    )


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()
