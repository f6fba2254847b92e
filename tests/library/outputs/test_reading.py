"""Elements that read otherwise than their names tell: the same in text, Markdown and crawls."""

from tests.support.markdown_pages import markdown_of
from tests.support.tables import table
from tests.support.texts import text_of

RIG = "Rig the boat, then set the main sail and the jib."
PICTURE = "<noscript><img src=https://i.example/a.png alt='A keel'></noscript>"


@table(
    ("html", "text"),
    [
        # Buttons: words of a sentence, headings, questions; what a button does is no text.
        (
            "<p>Tie a <button>round <b>turn</b></button> to a post.<button>Copy</button>",
            "Tie a round turn to a post.",
        ),
        ("<h3><button>Which knot holds?</button></h3><p>A bowline.", "Which knot holds?\nA bowline."),
        ("<button><h3>Knots</h3></button><h2>Bends <button>Copy link</button></h2>", "Knots\nBends"),
        ("<button aria-expanded=false>Is it safe?</button>", "Is it safe?"),
        ("<button aria-expanded=false aria-haspopup=menu>Share it with others</button><p>End", "End"),
        (
            "<div>3 likes <button>Share</button> 4 views</div><p>Price <button>Buy</button>",
            "3 likes 4 views\nPrice",
        ),
        # Boxes within a sentence, and those beside each other.
        (
            "<div>For $<div style='display: inline'>5.2</div> a <p style=display:inline>m</p>.</div>",
            "For $5.2 a m.",
        ),
        ("<ul><li style=display:inline>Knots</li><li style=display:inline>Bends</li></ul>", "Knots\nBends"),
        # Numbers and bullets in elements of their own.
        (
            "<div><span>1. </span><div>The keeper answers for<div><div><i>(a)</i></div>"
            "<div><p>oil;<p>wicks.</div></div></div></div>"
            "<div><p>Part 2</p><p>Ropes</p></div><div><div>b)</div></div>",
            "1. The keeper answers for\n(a) oil;\nwicks.\nPart 2\nRopes\nb)",
        ),
        # Readings of characters.
        (
            "<p><ruby>綱<rt>つな</rt></ruby>と<ruby>帆<rp>[</rp><rt>ほ</rt><rp>]</rp></ruby>",
            "綱\uff08つな\uff09と帆[ほ]",
        ),
        ("<p><ruby>jib<rt>front sail</rt></ruby> up", "jib(front sail) up"),
        # A picture for those without scripts, unless another shows it.
        (f"<figure><img src=data:,>{PICTURE}</figure><p><img data-src=/b.png alt=B>{PICTURE}", "A keel\nB"),
        ("<h2>Bends<span class=mw-editsection>[<a href=/e>edit</a>]</span></h2>", "Bends"),
        # Formulas in attributes.
        ("<p>So <span class=katex data-math='a^2'><i>a</i><i>2</i></span>.", "So $a^2$."),
    ],
)
def test_a_page_reads_as_it_shows(html: str, text: str) -> None:
    assert text_of(f"<p>{RIG}</p>{html}") == f"{RIG}\n{text}\n"


FENCED = "```{}\nif x:\n\tb(1)\n\nc\n```\n"


@table(
    ("html", "language"),
    [
        # Numbers of lines: in spans, cells, and boxes of their own.
        (
            "<pre><code class=language-py><i class=ln>1</i>if x:\n<i class=ln>2</i>\tb(1)\n<i class=ln>3</i>\n"
            "<i class=ln>4</i>c</code></pre>",
            "py",
        ),
        (
            "<pre><i style='user-select: none'> 1 </i>if x:\n<i class=x-line-number>2</i>\tb(1)\n\nc</pre>",
            "",
        ),
        ("<table><tr><td><pre>1\n2\n3\n4</pre><td><pre class=go>if x:\n\tb(1)\n\nc</pre></table>", "go"),
        ("<div><div>9 10\n11</div><pre>if x:\n\tb(1)\n\nc</pre></div>", ""),
        (
            "<pre><table><tr><td class=hljs-ln-numbers data-line-number=1><td>if x:"
            "<tr><td class=hljs-ln-numbers>2<td>\tb(1)<tr><td><td>\n<tr><td>c</table></pre>",
            "",
        ),
        # Lines that are elements.
        ("<pre><code><div>if x:</div><div>\tb(1)\n</div><div>\n</div><div>c</div></code></pre>", ""),
        (
            "<pre>\n\n<i class=line>if x:</i><i class=line>\tb<b>(1)</b></i><i data-line>\n</i><i class=line>c</i>"
            "\n</pre>",
            "",
        ),
        ("<pre>if x:<br>\tb<i>(1)<br></i><br>c<br></pre>", ""),
        ("<pre><i style=display:block>if x:\n</i><i style='display: block'>\tb(1)\n</i>\n<i>c</i></pre>", ""),
        (
            "<div><pre class=CodeMirror-line>if x:</pre><pre class=CodeMirror-line>\tb(1)\n\n</pre>"
            "<pre class=CodeMirror-line>c</pre></div>",
            "",
        ),
        (
            "<div class=lang-js><div><div class=line><code>if</code> <code>x:</code></div>"
            "<div class=line><code>\tb(1)\n\n</code></div><div class=line><code>c</code></div></div></div>",
            "js",
        ),
        # A block by its content or its style, and one around another.
        ("<code>if x:<br>\tb(1)<br><br>c</code>", ""),
        ("<code class=language-c style='white-space: pre'>if x:\n\tb(1)\n\nc</code>", "c"),
        ("<p>Then <code>run</code>:</p><code><pre class=rust>if x:\n\tb(1)\n\nc</pre></code>", "rust"),
    ],
)
def test_a_block_of_code_has_its_lines_and_no_others(html: str, language: str) -> None:
    assert text_of(html).removeprefix("Then run:\n") == "if x:\n\tb(1)\n\nc\n"
    assert markdown_of(html).removeprefix("Then `run`:\n\n") == FENCED.format(language)


@table(
    ("html", "text"),
    [
        ("<table><tr><td>1<td>Tie<tr><td>2<td>Pull</table>", "1\tTie\n2\tPull\n"),
        ("<ol><li>7</ol><p>8</p><pre>9 10</pre>", "7\n8\n9 10\n"),
        ("<table><tr><td>1<td><pre>a</pre><tr><td>2<td><pre>b</pre></table>", "1\na\n2\nb\n"),
    ],
)
def test_numbers_that_count_no_lines_stay(html: str, text: str) -> None:
    assert [line.strip() for line in text_of(html).splitlines()] == text.splitlines()


@table(
    ("html", "markdown"),
    [
        (
            "<a href=/k><h3>Knots</h3><p>All of them.</p></a>",
            "### [Knots](https://example.org/k)\n\nAll of them.\n",
        ),
        ("<h3><a href=/k>Knots</a></h3>", "### [Knots](https://example.org/k)\n"),
        (
            "<p>Film:<iframe src=https://www.youtube.com/embed/x1 title='Bend [1]'></iframe><p>End",
            "Film:[Bend [1]](https://www.youtube.com/embed/x1)\n\nEnd\n",
        ),
        ("<iframe src=//player.example/7></iframe>", "[player.example](https://player.example/7)\n"),
        ("<p>a<iframe src=https://ads.example/x title=Ad></iframe>", "a\n"),
        (
            "<figure><video poster=/p.jpg title='At sea'><source><source src=/a.webm><source src=/b.mp4></video>"
            "<figcaption>A gale</figcaption></figure>",
            "[![At sea](https://example.org/p.jpg)](https://example.org/a.webm)\n\nA gale\n",
        ),
        (
            "<p>Hear <audio src=/horn%20[1].mp3></audio>.",
            "Hear [horn [1].mp3](https://example.org/horn%20%5B1%5D.mp3).\n",
        ),
        ("<p>a<video src=blob:https://example.org/1></video><video autoplay src=/sea.mp4></video>", "a\n"),
        ("<p>Then:</p><ol><li>one<ol><li>two</ol></ol>", "Then:\n\n1. one\n   1. two\n"),
    ],
)
def test_headings_in_links_films_and_lists_are_markdown(html: str, markdown: str) -> None:
    assert markdown_of(html) == markdown
