"""CSS of saved pages."""

import subprocess
import sys
from time import process_time

from hypothesis import given
from hypothesis import strategies as st
from tests.support.tables import table

from sitestencil.outputs.safe_css import safe_css

URL = "https://example.org/news/today"


@table(
    ("css", "safe"),
    [
        ("a{b:url(c.png)}", 'a{b:url("https://example.org/news/c.png")}'),
        ("a{b:url( 'c d.png' )}", 'a{b:url( "https://example.org/news/c%20d.png" )}'),
        ("@import 'x.css';", '@import "https://example.org/news/x.css";'),
        ("@import url(x.css) screen;", '@import url("https://example.org/news/x.css") screen;'),
        ("a{b:url(data:image/png;base64,AA==)}", 'a{b:url("data:image/png;base64,AA==")}'),
        ("a{b:url(data:font/woff2,AA)}", 'a{b:url("data:font/woff2,AA")}'),
        ("a{b:url(#clip)}", 'a{b:url("#clip")}'),
        ("a{color:red}", "a{color:red}"),
        (
            "a{b:image-set('a.png' 1x, 'b.png' type('image/png'))}",
            'a{b:image-set("https://example.org/news/a.png" 1x, '
            "\"https://example.org/news/b.png\" type('image/png'))}",
        ),
        ("a{b:u\\72 l(c.png)}", 'a{b:url("https://example.org/news/c.png")}'),
        ("a{b:URL(c.png)}", 'a{b:url("https://example.org/news/c.png")}'),
        ("a{b:url(c\\.png)}", 'a{b:url("https://example.org/news/c.png")}'),
        ("a{b:url(javascript:x)}", 'a{b:url("about:invalid")}'),
        ("a{b:url('data:text/html,x')}", 'a{b:url("about:invalid")}'),
        ("@import 'data:text/css,x';", '@import "about:invalid";'),
        ("@\\69mport 'javascript:x';", '@\\69mport "about:invalid";'),
        ('a{b:url(x"y)}', 'a{b:url("about:invalid")}'),
        ("a{behavior:url(x.htc)}", 'a{x-behavior:url("https://example.org/news/x.htc")}'),
        ("a{scroll-behavior:smooth}", "a{scroll-behavior:smooth}"),
        ("a{-moz-binding:none}", "a{x--moz-binding:none}"),
        ("a{width:exp\\72 ession(x)}", "a{width:x-expression(x)}"),
        ("a{content:'</style>'}", "a{content:'<\\/style>'}"),
        ("/* url(x) */a{b:'url(x)'}", "/* url(x) */a{b:'url(x)'}"),
        ("a{b:'open\n}b{c:url(d)}", 'a{b:\'open\n}b{c:url("https://example.org/news/d")}'),
    ],
)
def test_css_names_only_absolute_addresses_of_allowed_schemes(css: str, safe: str) -> None:
    assert safe_css(css, URL) == safe


NO_IMAGES = [
    *("var(--x)", "env(--x)", "if(style(--y): 'a.png'; else: 'b.png')", "attr(data-x)", "attr(data-x type(<url>))"),
    *("--f('a.png')", "inherit(--x)", "toggle('a.png')", "v\\61r(--x)", "first-valid('a.png', var(--x))"),
]
TAKE_IMAGES = ["image-set({} 1x)", "-webkit-image-set({} 1x)", "image({})", "src({})", "cross-fade({}, 'a.png')"]


@table("function", TAKE_IMAGES)
@table("value", NO_IMAGES)
def test_what_draws_takes_no_address_from_elsewhere(function: str, value: str) -> None:
    for wrapped in (value, f"({value})", f"type({value})", f"image-set({value} 2x)"):
        safe = safe_css(f"a{{b:{function.format(wrapped)}}}", URL)
        name = value.replace("v\\61r", "var").partition("(")[0]
        assert f"x-{name}(" in safe
        assert "'a.png'" not in safe
        assert "'b.png'" not in safe


@table(
    ("css", "safe"),
    [
        ("a{b:image('a.png')}", 'a{b:image("https://example.org/news/a.png")}'),
        ("a{b:later-drawing('a.png')}", 'a{b:later-drawing("https://example.org/news/a.png")}'),
        ("a{b:attr(data-x type(<url>))}", "a{b:x-attr(data-x type(<url>))}"),
        ("a{b:attr(data-x url)}", "a{b:x-attr(data-x url)}"),
        ("@import src('a.css');", '@import x-src("https://example.org/news/a.css");'),
        (
            "@property --x{initial-value:url(a.png)}",
            '@property --x{initial-value:url("https://example.org/news/a.png")}',
        ),
        ("a{--x:url(a.png)}", 'a{--x:url("https://example.org/news/a.png")}'),
        ("a{b:url(var(--x))}", 'a{b:url("about:invalid"))}'),
        (
            "a{b:if(style(--x:1): url(a); else: 'b')}",
            "a{b:if(style(--x:1): url(\"https://example.org/news/a\"); else: 'b')}",
        ),
    ],
)
def test_a_function_that_is_not_known_to_take_words_takes_addresses(css: str, safe: str) -> None:
    assert safe_css(css, URL) == safe


@table(
    "css",
    [
        "a{content:attr(title) counters(a, '.') ' ' attr(data-x, 'none')}",
        "a:not([b='c.png']):is(:lang('de'), [d=\"e\"]){content:var(--x, 'f')}",
        "@font-face{src:local('Some Font')}",
        "@supports (content: 'x') and selector(a[b='c']){a{d:e}}",
        "a{clip-path:path('M0 0');grid-template-areas:'a b' 'c d';grid:[x] 'a' [y]}",
        "a{b:--f('word')}",
    ],
)
def test_words_in_functions_stay(css: str) -> None:
    assert safe_css(css, URL) == css


@given(
    st.lists(
        st.sampled_from(
            [
                "url(",
                ")",
                "'",
                '"',
                "\\",
                "/*",
                "*/",
                "@import ",
                "a",
                "</style",
                " ",
                "\n",
                "{",
                "}",
                "(",
                "#",
                "image-set(",
                "var(",
                "[",
            ]
        )
    )
)
def test_no_css_ends_its_element_and_what_is_safe_stays_as_it_is(parts: list[str]) -> None:
    safe = safe_css("".join(parts), URL)
    assert "</" not in safe
    assert safe_css(safe, URL) == safe


def test_a_long_name_of_letters_beyond_ascii_takes_no_time() -> None:
    # In a process of its own: what takes for ever cannot be ended from within.
    program = (
        f"from sitestencil.outputs.safe_css import safe_css; print(safe_css('url(x) ' + 'é' * 5000 + '!', {URL!r}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=20, check=True)
    assert "é" * 5000 in done.stdout


@table(
    "css",
    [
        f"a{{b:url({' ' * 40_000}(x)}}",
        "q(" * 40_000,
        "url(" * 40_000,
        "image-set(q(" * 20_000,
        "a(" * 20_000 + ")" * 20_000,
    ],
)
def test_time_grows_with_the_size_of_css_and_no_faster(css: str) -> None:
    started = process_time()
    safe_css(css, "https://example.org/")
    assert process_time() - started < 2
