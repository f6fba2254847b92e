"""The compiled walk tells something of each element: on real pages, and on pages made to confuse it."""

from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.support.hostile_pages import HOSTILE_MARKUP
from tests.support.tables import table
from tests.support.texts import walk, walked_text

from sitestencil.crawl.compiled_template import CompiledTemplate
from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.learning import learn_site
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.outputs.plain_text import text_and_links
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import document_of, lexbor_root, parse
from sitestencil.site.sources.stored import StoredSite
from sitestencil.template import Template
from sitestencil_research.labels import labelled_sites

URL = "https://site.example/"


def learned_by_chance(html: str, seed: int) -> CompiledTemplate:
    """Return a template of a page of which chance says what is template."""
    document = parse(html, URL)
    detection = answer_by_chance(document, seed)
    return CompiledTemplate(LearnedTemplate.of("stencil", KeySketch(document), detection))


def answer_by_chance(document: Document, seed: int) -> Detection:
    random = Random(seed)
    share = random.choice([0.2, 0.5, 0.9, 1.0])
    template = [random.random() < share for _ in range(len(document))]
    texts = [random.random() < share for _ in document.texts]
    return Detection(template, texts, ())


def check_walked(html: str | bytes, compiled: CompiledTemplate) -> None:
    """Check that a walk tells something of each element and text of a page."""
    root = lexbor_root(html, scripting=False, charset=None)
    assert root is not None
    document = document_of(root, html, URL, scripting=False)
    walked = walk(root, compiled)
    assert (len(walked.template), len(walked.template_texts)) == (len(document), len(document.texts))


@given(HOSTILE_MARKUP, HOSTILE_MARKUP, st.integers(0, 99))
def test_hostile_pages_are_walked_as_a_whole(key: str, other: str, seed: int) -> None:
    compiled = learned_by_chance(key, seed)
    for html in (key, other, f"{key}{other}"):
        check_walked(html, compiled)


@table(
    "html",
    [
        "<div>" * 480 + "deep" + "</div>" * 480,
        "<p>open" * 300 + "<b><i><font size=1>" * 9,
        "<script><!--<script></script>--></script>text<pre>\n\n\ta\r\tb</pre>",
        "<a>1<div>2</a>3<table>4<tr>5<td>6</table>7",
        "<svg><foreignObject><p class=a>x</p></foreignObject><title>t</title></svg><foreignobject>y",
        "<div><template shadowrootmode=open><p>in the shadow</p></template>light</div><template>kept</template>",
        "<div><template shadowrootmode=open><td>cell<li>item</template></div>",
        "<p>a\x00b</p><xmp><b>&amp;</xmp><iframe><p></iframe><noscript><p>no</noscript><plaintext><p>all</p>",
        "<math><mi><![CDATA[a<b]]></mi><annotation-xml encoding=text/html><p>p</annotation-xml></math>",
        f"<p {' '.join(f'a{number}=1' for number in range(400))} class='{'c ' * 5000}'>x",
        "<div><script type=math/tex>a</script><img alt=b></div><p hidden><math><mi>c</math>d<p><span class=katex>"
        "<math><mi>e</math><b>f</b></span>g",
        "<frameset><frame></frameset>",
        "",
    ],
)
def test_pages_made_to_confuse_a_reader_are_walked_as_a_whole(html: str) -> None:
    for seed in range(6):
        compiled = learned_by_chance(html, seed)
        check_walked(html, compiled)


def test_bytes_of_any_encoding_are_walked_as_a_whole() -> None:
    random = Random(14)
    key = "<div class=a><p>one<p>two</div><ul><li>x<li>y</ul>"
    compiled = learned_by_chance(key, 3)
    for _ in range(200):
        noise = random.randbytes(200).replace(b"<", b" ")
        check_walked(key.encode().replace(b"one", noise), compiled)


def test_a_name_far_down_the_page_is_read_in_place() -> None:
    far = "<i></i>" * 25_000 + "<svg><foreignObject>far</foreignObject></svg><p>last"
    check_walked(far, learned_by_chance("<p>first<p>second", 1))


@table(
    "body",
    [
        "<p>10\u00a0km&#8239;on<p>a\u3000\u2003b",
        "<pre>a\u00a0\u00a0b\tc\n\x0c d&#13;e</pre>",
        "<pre>a\u0085b\u202etxt\u2066\u009b\tc</pre><p>a \u202a b\u009b",
        "<table><tr><td>one\u00a0<td> two<tr><td><td>three</table>tail",
        "<ul><li>x<br>y<li>  <b>z</b> </ul>&#1;a&#31;b",
        "<p>hand\u00adbook\u200b\u2060 \ufeffend<pre>soft\u00adly\tx</pre><p>\u0645\u06cc\u200c\u062e",
        "<p><a href=/1>Home</a><a href=/2>Visit</a><b><a>x</a></b><i><a>y</a></i>z<pre><a>f</a><a>(x)</a></pre>",
        "<p>a<span hidden>no</span>b<b style='color: red; DISPLAY : none'>no</b><i hidden=until-found>yes</i>"
        "<div hidden><p>no</div><template>no</template><table><td style=display:none>no<td>c</table>",
        "<p><span>Hitches</span><span>Bends</span><i>Splices</i><b>x<u>Y</u></b><em>don</em><em>'t</em> <b>Ab</b>C"
        "<p>a<img src=x><b>B</b>",
        "<pre>tie()\n\n\nuntie()\n\n</pre><p>a<pre>\n\nb\n \nc</pre><pre>d</pre><code>e</code>",
        "<p><span>a</span><img alt='A tied\n bowline'><b>B</b><img alt=knot.png><img alt=''><a><img alt=C></a>D"
        "<pre>e<img alt=F>\n\ng<img hidden alt=no></pre><img alt=H>"
        "<img width=1 height=1 alt=no><img width=0 height=40 alt=I><img width height=1 alt=J>",
        "<p>a <math><mi>b</mi><annotation encoding=x-tex>\\beta</annotation></math>, <script type='math/tex'>c^2"
        "</script>.<script type=' MATH/TeX; mode=display'>d</script><span class=MathJax>drawn</span>e<math></math>"
        "<b hidden>no<math><mi>f</math>no</b><span class=mwe-math-element><i style=display:none>"
        "<math alttext='2<3'></math></i><img alt=no></span>g",
        "<p>a<div style=display:none><p>one<p>two<p hidden>no</div>b"
        "<div style=visibility:hidden>no<b style=visibility:visible>c</b></div>",
    ],
)
def test_a_page_has_one_text_whoever_writes_it(body: str) -> None:
    document = parse(f"<title>T</title>{body}", URL)
    nothing = Detection([False] * len(document), [False] * len(document.texts), ())
    root = lexbor_root(f"<title>T</title>{body}", scripting=False, charset=None)
    assert root is not None
    blank = parse("", URL)
    all_content = Detection([False] * len(blank), [], ())
    compiled = CompiledTemplate(LearnedTemplate.of("stencil", KeySketch(blank), all_content))
    text = Template(document, nothing).content_text(around=True)
    assert text and text == text_and_links(document, nothing)[0]
    assert text == walked_text(root, compiled)


def test_real_pages_are_walked_as_a_whole(benchmark_sites: Path) -> None:
    count = 0
    for folder in labelled_sites(benchmark_sites)[::3]:
        site = StoredSite(folder)
        files = sorted(file for file in site.pages.rglob("*.html"))[:12]
        pages = [
            CrawlPage(site.url_of(file.relative_to(site.pages).as_posix()), file.read_bytes(), folder.name, number)
            for number, file in enumerate(files)
        ]
        learned = learn_site(folder.name, pages)
        for page in pages:
            for group in learned.groups:
                check_walked(page.html, group.compiled)
                count += 1
    assert count > 100
