"""Text, Markdown and content HTML have the same words, but for named forms."""

import re
from collections import Counter
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from tests.conftest import require_benchmark
from tests.support.judged_pages import all_content

from sitestencil.outputs.content import content_html, content_markdown
from sitestencil.outputs.markdown_parts import PLAYERS
from sitestencil.outputs.plain_text import document_text
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.reading.reading import reading
from sitestencil.site.sources.stored import StoredSite

_WORD = re.compile(r"\w+")
_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
# Programs that read Markdown show these as they are: what the text says there in signs of its own.
_NOTE = re.compile(r"\[\^(\d+)\]:?")


def words(text: str) -> "Counter[str]":
    return Counter(_WORD.findall(text))


def read_text(html: str) -> "Counter[str]":
    page = parse(html, "https://site.example/")
    return words(document_text(page, all_content(page)))


def attributes_of(page: Document, tag: str, *names: str) -> "Counter[str]":
    columns = zip(page.tags, page.attributes, strict=True)
    return words(" ".join(given.get(name, "") for other, given in columns if other == tag for name in names))


def named_forms(page: Document) -> "Mapping[str, Mapping[str, Counter[str]]]":
    """The words in which an output may differ from the text, by the reason why."""
    pictures = attributes_of(page, "img", "alt")
    films = [given for tag, given in zip(page.tags, page.attributes, strict=True) if tag in {*PLAYERS, "source"}]
    named = words(" ".join(one.get(name, "") for one in films for name in ("title", "aria-label")))
    files = words(" ".join(unquote(part) for one in films for part in urlsplit(one.get("src", ""))[1:3]))
    labels = words(" ".join(reading(page).instead.values())) if reading(page).notes else Counter[str]()
    return {
        "markdown": {
            "each picture has its words, which the text says once": pictures,
            "a film has a link of its own": named + files,
            "notes are numbered anew": labels,
        },
        "html": {
            "a picture in noscript is for browsers without scripts": pictures,
        },
    }


def differences(page: Document) -> "dict[str, Counter[str]]":
    judged = all_content(page)
    text = words(document_text(page, judged))
    markdown = read_text(_MARKDOWN.render(_NOTE.sub("", content_markdown(judged))))
    found = {}
    for name, given in (("markdown", markdown), ("html", read_text(content_html(judged)))):
        different = (given - text) + (text - given)
        for known in named_forms(page)[name].values():
            different -= known
        found[name] = different
    return found


@pytest.mark.parametrize("part", ["sites", "opened"])
def test_the_words_of_all_outputs_differ_in_named_forms_alone(part: str) -> None:
    for folder in sorted(require_benchmark(part).iterdir()):
        found = differences(StoredSite(folder).load_key_page().document())
        assert not any(found.values()), f"{folder.name}: {found}"
