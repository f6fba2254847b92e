"""Text of strangers reaches no terminal, message or log with characters that do something there."""

import logging
import os
import pty
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.judged_pages import all_content
from tests.support.tables import table

from sitestencil import Template
from sitestencil.detectors.detection import Detection
from sitestencil.errors import MalformedSnapshot, PageUnavailable, SitestencilError
from sitestencil.outputs.content import content_markdown
from sitestencil.outputs.plain_text import document_text
from sitestencil.page.parsing import parse
from sitestencil.printable import printable
from sitestencil.site.loading import passing_over

URL = "https://example.org/"
HARMFUL = "\x1b]0;owned\x07\x9b31m\x85\x08\x7f\u202etxt.exe\u2066\u2069\r"
REORDERING = set(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]))


def does_something(text: str) -> list[str]:
    """Return the characters that a terminal carries out instead of showing them."""
    return [c for c in text if c in REORDERING or (unicodedata.category(c) in {"Cc", "Cs"} and c not in "\t\n")]


@given(st.text(st.characters() | st.sampled_from(HARMFUL)))
def test_printable_text_does_nothing_and_words_stay(text: str) -> None:
    assert does_something(printable(text)) == []
    assert printable(text).replace("\t", "") == printable(text.replace("\t", ""))
    shown = "".join(c for c in text if c.isprintable() or c in "\t\n")
    assert "".join(c for c in printable(text) if c.isprintable() or c in "\t\n") == shown


@pytest.mark.parametrize("error", [SitestencilError, PageUnavailable, MalformedSnapshot])
def test_an_error_that_quotes_a_server_does_nothing_on_a_terminal_or_in_a_log(
    error: type[SitestencilError], caplog: pytest.LogCaptureFixture
) -> None:
    assert "31m" in str(error(HARMFUL))
    assert does_something(str(error(HARMFUL))) == []
    with caplog.at_level(logging.DEBUG), passing_over(URL):
        raise PageUnavailable(HARMFUL)
    assert does_something(caplog.text) == []


@table(
    "html",
    ["<p>{}", "<pre>{}</pre>", "<code>{}</code>", "<a href=/>{}</a>", "<img src=/i alt='{}'>", "<table><td>{}"],
)
def test_text_and_markdown_of_a_page_do_nothing(html: str) -> None:
    page = parse(html.format(HARMFUL), URL)
    written = content_markdown(all_content(page))
    for text in (document_text(page, all_content(page)), written):
        assert does_something(text) == []
    assert "31m" in written


def test_names_of_elements_do_nothing_where_reasons_are_told() -> None:
    page = parse(f'<p id="{HARMFUL}\n" class="{HARMFUL}"><x-{HARMFUL}>', URL)
    reasons = Template(page, Detection([True] * len(page), [True] * len(page.texts), ())).to_reasons()
    assert does_something(reasons) == []
    assert reasons.count("\n") == len(page) - 2


def test_the_command_writes_nothing_to_a_terminal_that_does_something(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(f"<nav id='{HARMFUL}'>{HARMFUL}</nav><x-a\u202e\x9b>")
    controller, terminal = pty.openpty()
    extract = [sys.executable, "-m", "sitestencil", "extract", str(file), "--url", "http://localhost:1/", "--quiet"]
    for form in ("html", "annotated", "jsonl", "json", "why", "selectors", "text", "markdown"):
        subprocess.run([*extract, "--format", form], stdout=terminal, stderr=terminal, timeout=60, check=True)
        shown = os.read(controller, 1 << 16).decode()
        assert shown
        assert does_something(shown.replace("\r\n", "\n")) == []


def test_each_space_of_unicode_is_a_space_in_text() -> None:
    page = parse("<p>10\u00a0km\u202f\u3000on</p><pre>a\u00a0 b\n c</pre>", URL)
    assert document_text(page, all_content(page)) == "10 km on\na  b\n c\n"
