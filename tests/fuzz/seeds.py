"""Writes the corpus where all runs begin: ``python -m tests.fuzz.seeds``. All of it is made up here."""

import json
import struct
from pathlib import Path

from tests.fuzz.__main__ import CORPUS
from tests.fuzz.targets import CHARSETS, learned_bytes, unsigned
from tests.support.small_site import HOME, PAGES

HTML = (
    PAGES[HOME],
    "<!doctype html><base href=/x/><title>T</title><style>a{b:url(c)}</style><p class='a b' id=x>one<p>two",
    "<frameset><frame src=a><noframes>b</noframes></frameset>",
    "<body><noscript><a href=/a>x</a></noscript><template><p>t</template><svg><title><b>x</svg>",
    "<table><tr><td><form><table><p>x</table><select><option>1<option>2</select>",
    "<ul><li class='x-1 active'><a href=?q=1#f>x<li><a href=//x.test/y>y<li><img alt=z srcset='a 1x, b 2x'></ul>",
    "<pre>\n\nx</pre><textarea>\n</textarea><plaintext></p>",
    "<p>a<b>c<p>d</b>e<!-- x --><![CDATA[y]]><?z?>\0&amp;&#x80;&notit;",
    "<math><mi><p></math><iframe src=x><b></iframe><xmp></b></xmp>",
)
REFERENCES = (
    ("http://site.test/a/b?c#d", "../e/./f;g?h=i#j"),
    ("https://user:word@site.test:8080/", "//[::1]:80/x"),
    ("http://xn--bcher-kva.test/%7Ea", "\\\\b\\c"),
    ("http://0x7f.1/", "javascript:alert(1)"),
    ("HTTP://SITE.TEST:80/index.html", "/a.b/index.php?x=1&y=2"),
    ("http://site.test", "\t/\n x"),
    ("https://site.test/a", "http:b"),
)


def main() -> None:
    """Write the corpus anew; inputs that were found stay."""
    page = {
        "url": HOME,
        "base": HOME,
        "names": ["html", "body", "a", "template"],
        "tags": [0, 1, 2, 3, 2],
        "parents": [-1, 0, 1, 1, 3],
        "attributes": [["class", "a"], [], ["href", "/b"], ["shadowrootmode", "open"], []],
        "texts": [[1, -1, "x"], [1, 2, "\ud800"]],
        "boxes": [[0, 0, 1, 1.5]] * 5,
    }
    requests = (
        {"type": "hello", "id": 1, "protocol": 1, "client": "x"},
        {"type": "extract", "id": 2, "text": json.dumps(page), "detector": None},
        {"type": "cancel", "id": 2},
        {"type": "other", "id": -1},
    )
    for number, html in enumerate(HTML):
        charset = number % len(CHARSETS)
        encoding = "utf-16le" if CHARSETS[charset] == "utf-16le" else "utf-8"
        _write("documents", number, bytes([number % 2, charset]) + html.encode(encoding))
    _write("snapshots", 0, b"\1" + json.dumps(page).encode())
    for number in range(1, 6):
        _write("snapshots", number, b"\0" + bytes((number * step * 7) % 251 for step in range(30 * number)))
    messages = [json.dumps(request).encode() for request in requests]
    for number, message in enumerate(messages):
        _write("frames", number, struct.pack("=I", len(message)) + message)
    _write("frames", 4, b"\xff" * 4 + b"".join(struct.pack("=I", len(message)) + message for message in messages))
    for number, pair in enumerate(REFERENCES):
        _write("addresses", number, "\n".join(pair).encode())
    for number, detector in enumerate(("stencil", "temex")):
        _write("learned_templates", number, unsigned(learned_bytes(detector)))


def _write(target: str, number: int, data: bytes) -> None:
    file = Path(CORPUS / target / f"seed-{number:02}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


if __name__ == "__main__":
    main()
