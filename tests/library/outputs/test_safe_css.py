"""CSS of saved pages."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitestencil.outputs.safe_css import safe_css

URL = "https://example.org/news/today"


@pytest.mark.parametrize(
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


@given(
    st.lists(
        st.sampled_from(
            ["url(", ")", "'", '"', "\\", "/*", "*/", "@import ", "a", "</style", " ", "\n", "{", "}", "(", "#"]
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
