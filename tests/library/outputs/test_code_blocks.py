"""Code blocks as generators, highlighters and sites write them."""

from tests.support.markdown_pages import markdown_of
from tests.support.tables import table

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
