"""Code blocks as generators, highlighters and sites write them."""

from tests.support.markdown_pages import markdown_of
from tests.support.tables import table
from tests.support.texts import text_of

NUMBERS = '<tr><td class="gutter"><pre><span>1</span></pre></td>'


@table(
    ("html", "language"),
    [
        ('<div class="mw-highlight mw-highlight-lang-lua"><pre>x</pre></div>', "lua"),
        (f'<figure class="highlight ruby"><table>{NUMBERS}<td class="code"><pre>x</pre></table></figure>', "ruby"),
        ('<pre class="rust rust-example-rendered"><code>x</code></pre>', "rust"),
        ('<pre><pre class="playground"><code class="language-rust">x</code></pre></pre>', "rust"),
        ('<pre class="src src-emacs-lisp">x</pre>', "emacs-lisp"),
        ('<pre lang="perl"><code>x</code></pre>', "perl"),
        ('<pre class="EnlighterJSRAW" data-enlighter-language="php">x</pre>', "php"),
        ('<pre class="lang:python decode:true">x</pre>', "python"),
        ('<pre><code class="python">x</code></pre>', "python"),
        ('<div class="language-ts"><pre class="shiki github-dark"><code>x</code></pre></div>', "ts"),
        ('<div class="lang-js"><pre>x</pre></div>', "js"),
        # No languages of code:
        ('<pre class="shiki github-dark"><code>x</code></pre>', ""),
        ('<div class="lang-en"><pre lang="en">x</pre></div>', ""),
        ('<pre class="box">x</pre>', ""),
    ],
)
def test_a_block_has_the_language_that_its_classes_name(html: str, language: str) -> None:
    assert markdown_of(html) == f"```{language}\nx\n```\n"


LINES = "if wet:\n  pump(2)\n\nrow"
NUMBERED = "<tr><td class=x-line-num {}</td><td class=src-code>{}</td></tr>"


def numbered(attribute: str) -> str:
    lines = ["if wet:", "  pump(2)", "\n", "row"]
    return "".join(NUMBERED.format(attribute.format(number), line) for number, line in enumerate(lines, 1))


@table(
    "html",
    [
        # Lines that are elements, in what is named code or has numbers.
        "<div class=fragment><div class=line><i class=lineno> 1</i>if wet:</div>"
        "<div class=line><i class=lineno> 2</i>  <b>pump</b>(2)</div><div class=line><i class=lineno> 3</i></div>"
        "<div class=line><i class=lineno> 4</i>row</div></div>",
        "<div class=fragment><div class=fold><div class=line>if wet:</div><div class=line>  pump(2)</div></div>"
        "<div class=line></div><div class=line>row</div></div>",
        "<div class=x-source><i class=line>if wet:</i><i class=line>  pump(2)</i><i class=line></i>"
        "<i class=line>row</i></div>",
        "<div><div class=view-line>if&nbsp;wet:</div><div class=view-line>&nbsp;&nbsp;pump(2)</div>"
        "<div class=view-line></div><div class=view-line>row</div></div>",
        "<div><div class=line>if wet:</div><div class=line>  pump(2)</div><div class=line></div>"
        "<div class=line>row</div></div>",
        "<div><div class=view-line><s>1</s>if wet:</div><div class=view-line><s>2</s>  pump(2)</div>"
        "<div class=view-line><s>3</s></div><div class=view-line><s>4</s>row</div></div>",
        # Words that all are code, some lines of several.
        "<div><div><code>if</code> <code>wet:</code></div><div><code>&nbsp; </code><code>pump(2)</code></div>"
        "<div><br></div><div><span><code><a href=/r>row</a></code></span></div></div>",
        # Lists, and rows of tables with numbers.
        "<div class=blockcode><div><ol><li>if wet:<br><li>&nbsp; pump(2)<br><li><br><li>row<br></ol></div>"
        "<em onclick='copycode(this)'>Copy it</em></div>",
        "<pre class=linenums><ol><li>if wet:</li><li>  pump(2)</li><li>\n</li><li>row</li></ol></pre>",
        f"<table>{numbered('>')}</table>",
        f"<table>{numbered('data-line-number={}>')}</table>",
        f"<table><tbody>{numbered('>{}')}</tbody></table>",
        "<div class=codeblock><table><tr><td>if wet:<tr><td>&nbsp; pump(2)<tr><td>\n<tr><td>row</table></div>",
        # White space between lines is of the page's layout.
        "<div class=blockcode>\n <ol>\n  <li>if wet:<br></li>\n  <li>&nbsp; pump(2)<br></li>\n"
        "  <li><br></li>\n  <li>row</li>\n </ol></div>",
        f"<table>\n <tbody>\n  {numbered('>').replace('<t', chr(10) + '    <t')}</tbody></table>",
        # Rules of style.
        f"<style>/* x */ code.many {{ white-space: pre }}</style><div><code class=many>{LINES}</code></div>",
        f"<style>a, .shell {{ font: 1em monospace; white-space: pre-wrap }}</style><div class=shell>{LINES}</div>",
        f"<div style='white-space: pre; font-family: Courier, monospace'>{LINES}</div>",
        # Lines with a line end between each two, in a grid.
        "<pre><code style='display: grid'><div data-line>if wet:</div>\n<div data-line>  pump(2)</div>\n"
        "<div data-line></div>\n<div data-line>row</div></code></pre>",
        # A block that is one link.
        f"<a href=/r><pre>{LINES}</pre></a>",
        f"<pre><a href=/r>{LINES}</a></pre>",
        # Buttons.
        f"<div><div class=copy-button>Copy</div><pre>{LINES}</pre></div>",
        f"<div><pre>{LINES}<span class=clipboard>Copy all</span></pre></div>",
    ],
)
def test_lines_of_code_are_told_by_their_look(html: str) -> None:
    assert text_of(f"<p>Wet.</p>{html}<p>End.") == f"Wet.\n{LINES}\nEnd.\n"
    assert markdown_of(f"<p>Wet.</p>{html}<p>End.") == f"Wet.\n\n```\n{LINES}\n```\n\nEnd.\n"


@table(
    "html",
    [
        "<div class=verse><div class=line>The tide, it falls</div><div class=line>and rises</div></div>",
        "<table><tr><td class=line-no>1<td>Rope<tr><td class=line-no>2<td>Tar</table>",
        "<div class=code-of-conduct><ol><li>Be kind.<li>Be on time.</ol></div>",
        "<div><div><code>-x</code></div><div><code>-y</code></div></div>",
        "<div class=line><h2>A day</h2></div><div class=line>of rain</div>",
        "<style>p { white-space: pre-wrap } .m { font-family: monospace }</style><p class=m>a\nb",
        "<div><div class=line>12</div><div class=line>13</div></div>",
    ],
)
def test_what_only_has_names_of_code_is_none(html: str) -> None:
    assert "```" not in markdown_of(html)
