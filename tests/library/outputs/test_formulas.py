"""Formulas in their many forms are the same mathematics in the outputs."""

import re

import pytest
from tests.support.markdown_pages import markdown_of
from tests.support.tables import table
from tests.support.tex_trees import tex_tree
from tests.support.texts import text_of

from sitestencil.page.parsing import parse
from sitestencil.reading.page_tex import page_tex

_WRITTEN = re.compile(r"\$\$(.+?)\$\$|\$(.+?)(?<!\\)\$")
_BESIDE = "Low tide."
MATHJAX = "<script>MathJax = {tex: {inlineMath: [['$', '$'], ['\\\\(', '\\\\)']]}};</script>"
KATEX = (
    "<script src=/katex.min.js></script><script>render({delimiters: [{left: '$', right: '$', display: false}, "
    '{"left": "%%", "right": "%%", "display": true}]})</script>'
)


def written(html: str) -> list[str]:
    text = text_of(f"<p>{_BESIDE}</p>{html}").removeprefix(f"{_BESIDE}\n")
    return [one or other for one, other in _WRITTEN.findall(text)]


def same(some: list[str], others: list[str]) -> bool:
    return list(map(tex_tree, some)) == list(map(tex_tree, others))


def fraction(inner: str) -> str:
    return f"<mfrac linethickness={inner}><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow><mi>k</mi></mfrac>"


@table(
    ("html", "tex"),
    [
        # Two terms without a line are a binomial in parentheses alone.
        (f"<math><mo>(</mo>{fraction('0')}<mo>)</mo></math>", [r"\binom{n+1}{k}"]),
        (f"<math><mrow><mo>(</mo></mrow>{fraction('0px')}<mo>)</mo><mi>x</mi></math>", [r"\binom{n+1}{k} x"]),
        (f"<math><mfenced>{fraction('0.0em')}</mfenced></math>", [r"\binom{n+1}{k}"]),
        (f"<math>{fraction('0')}</math>", [r"\genfrac{}{}{0pt}{}{n+1}{k}"]),
        (f"<math><mo>(</mo>{fraction('0')}<mo>]</mo></math>", [r"(\genfrac{}{}{0pt}{}{n+1}{k}]"]),
        (f"<math><mo>(</mo>{fraction('1')}<mo>)</mo></math>", [r"({n+1 \over k})"]),
        (f"<math><mo>(</mo>{fraction('0')}<mi>x</mi><mo>)</mo></math>", [r"(\genfrac{}{}{0pt}{}{n+1}{k} x)"]),
        ("<math><mi mathvariant=bold>B</mi><mo>=</mo><mi>B</mi></math>", [r"\mathbf{B} = B"]),
        (
            "<math><mfenced open='{' close='}'><mi>a</mi><mi>b</mi></mfenced></math>",
            [r"\{a, b\}"],
        ),
        # Tables of equations.
        (
            "<table class=x_equation><tr><td><math display=block alttext='v=q'></math><td>(1)<tr><td>"
            "<math alttext='\\displaystyle w'></math><td><math alttext='\\displaystyle=\\frac{q}{2}'></math>"
            "<td>(2)</table>",
            ["v=q", r"w={q \over 2}"],
        ),
        # Pictures.
        ("<img src=/x.png class=latex alt='\\kappa^{2}'>", [r"\kappa^2"]),
        ("<img src=//l.example/gif.latex?a&space;=&space;b_{3} alt='a = b_{3}'>", ["a=b_3"]),
        ("<img src='/latex.php?latex=%5Cfrac+a2&bg=fff' alt='A fraction of two'>", [r"\frac{a}{2}"]),
        ("<img src='/cgi-bin/mimetex.cgi?\\alpha(x)+1'>", [r"\alpha(x)+1"]),
        ("<img src=/png.latex?x alt='<br /> \\int \\frac{dz}{2}<br />'>", [r"\int\frac{dz}{2}"]),
        ("<img src=/x.png alt='$\\tfrac12 x$'>", [r"\frac12x"]),
        ("<img src=/x.png class=math alt='{a'><img src=/math.png alt='Mathematics'>", []),
        ("<img src='/latex.php?latex=&bg=fff'><img src=/map.png alt='x = y'>", []),
        ("<img src=/x.png class=math alt='The whole map of it'>", []),
        # Texts of elements.
        ("<p>So <span class=math-part>$h_1$</span> and <span class=math>\\(k\\)</span>.", ["h_1", "k"]),
        (f"{MATHJAX}<p>So <span class=tex-math>a_1^2</span>.", ["a_1^2"]),
        (f"{MATHJAX}<p>So <span class=math-note>the_name of a file</span>.", []),
        ("<p>Let <script type='math/tex'>x \\text{ if $x < 1$}</script>.", [r"x \text{ if \(x \lt 1\)}"]),
    ],
)
def test_a_formula_is_the_same_mathematics(html: str, tex: list[str]) -> None:
    assert same(written(html), tex), written(html)


@table(
    ("scripts", "text", "tex"),
    [
        ("", r"a \(x_1\), \[y\], $$z^2$$ b", ["x_1", "y", "z^2"]),
        ("", "from $5 to $6, $$ to $$$, $x$", []),
        ("", r"[tex]d(x)[/tex], [itex]e[/itex] [b]f[/b]", ["d(x)", "e"]),
        (MATHJAX, r"Let $\hat A$ be $1\times n$ or $$x$$.", [r"\hat A", r"1\times n", "x"]),
        (MATHJAX, r"It costs \$5 or $6, and \$7. $ x$ $y $ $z$1", []),
        (MATHJAX, r"$a \$ b$ c", [r"a \$ b"]),
        (MATHJAX, r"\begin{align} a & = b \\ & = c \end{align}", [r"\begin{align} a & = b \\ & = c \end{align}"]),
        (MATHJAX, r"\begin{equation*} a \end{equation*}", ["a"]),
        ("", r"\begin{equation} a \end{equation}", []),
        (KATEX, "%%x%% and $y$", ["x", "y"]),
        # A comment would end with a line that is not known any more; a brace is lost.
        (MATHJAX, r"$a % b$ and $c\%$, ${d$, $\left( e$", [r"c\%"]),
    ],
)
def test_formulas_among_words_are_those_that_the_page_draws(scripts: str, text: str, tex: list[str]) -> None:
    page = page_tex(parse(f"{scripts}<p>x", "https://site.example/"))
    assert same([found.tex for found in page.find(text)], tex)


@table(
    "html",
    [
        r"<div><p>\( \newcommand{\vecs}[1]{\overset{x}{\mathbf{#1}}} \)<p>$\def\R{\mathbb{R}}$ \(\let\a\b\)</div>",
        r"<span>\(\DeclareMathOperator*{\id}{id}\)</span>",
        r"<script type='math/tex'>\newcommand{\id}{\mathrm{id}}</script>",
        r"<div hidden><script type='math/tex'>\renewcommand\id{x}</script></div>",
    ],
)
def test_definitions_show_nothing(html: str) -> None:
    assert text_of(f"<p>{_BESIDE}</p>{html}<p>End.") == f"{_BESIDE}\nEnd.\n"


def test_words_behind_definitions_stay() -> None:
    assert "rope" in text_of(r"<p>\( \newcommand{\id}{x} \) a rope")


def test_notes_of_papers_have_their_mark_once() -> None:
    note = (
        "<p>Flow<span class=ltx_note><sup class=ltx_note_mark>1</sup><span class=ltx_note_outer>"
        "<span><sup class=ltx_note_mark>1</sup><span class=ltx_tag_note>1</span>In wet years more.</span>"
        "</span></span> is slow.<ul><li><span class=ltx_tag>[1]</span><span class=ltx_bibblock>A. Keeper.</span>"
        "<span class=ltx_bibblock>Silt.</span></ul>"
    )
    assert text_of(note) == "Flow¹ In wet years more. is slow.\n[1]\nA. Keeper.\nSilt.\n"


def test_trees_tell_formulas_apart() -> None:
    assert tex_tree(r"\frac{a}{b}") != tex_tree(r"\frac{b}{a}")
    assert tex_tree("x_1^2") == tex_tree("x^2_{1}")
    assert tex_tree("x^{ab}") != tex_tree("x^a b")
    with pytest.raises(AssertionError):
        tex_tree("{a")


def test_markdown_has_the_formulas_among_words() -> None:
    html = rf"{MATHJAX}<p>Let $\hat A$ be [tex]x_1[/tex], <code>$a$</code> and \$5.<p>$\def\R{{x}}$ End."
    assert markdown_of(html) == "Let $\\hat A$ be $x_1$, `$a$` and \\\\$5.\n\nEnd.\n"
