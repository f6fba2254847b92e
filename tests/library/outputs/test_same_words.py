"""Text, Markdown and content HTML have the same words, but for named differences, which are counted.

A count that falls is recorded here in the commit that mends the difference; none may rise.
"""

import re
from collections import Counter
from collections.abc import Iterator

from markdown_it import MarkdownIt
from tests.conftest import require_benchmark
from tests.support.judged_pages import all_content

from sitestencil.outputs.content import content_html, content_markdown
from sitestencil.outputs.plain_text import document_text
from sitestencil.page.document import Document
from sitestencil.page.html_names import CODE, INLINE
from sitestencil.page.parsing import parse
from sitestencil.site.sources.stored import StoredSite

# Pages that differ from the text, and words of each form in which they do.
RECORDED = {
    "markdown": {
        "pages": 38,
        "names of pictures": 682,
        "words of controls": 32,
        "other words": 33,
        "words of the text alone": 22,
    },
    "html": {
        "pages": 68,
        "names of pictures": 688,
        "words of controls": 1456,
        "other words": 273,
        "words of the text alone": 59,
    },
}
_WORD = re.compile(r"\w+")
_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_APART = frozenset({"br", "img", "input", "sub", "sup"})
_CONTROLS = frozenset({"button", "datalist", "label", "option", "select", "textarea"})
_NO_TEXT = CODE | {"template", "title"}


def words(text: str) -> "Counter[str]":
    return Counter(_WORD.findall(text))


def runs(page: Document) -> Iterator[tuple[str, set[str]]]:
    """Each text with the tags around it, after a space where another block begins, by rules of the test's own."""
    block, end = -1, 0
    for run in page.texts:
        path = page.path(run.parent)
        tags = {page.tags[element] for element in path}
        if tags & _NO_TEXT:
            continue
        holder = next((one for one in reversed(path) if page.tags[one] not in INLINE - _APART), -1)
        begin = page.ends[run.after] if run.after >= 0 else run.parent + 1
        is_apart = holder != block or any(page.tags[one] in _APART for one in range(end, begin))
        yield f" {run.text}" if is_apart else run.text, tags
        block, end = holder, begin


def words_of(html: str) -> "Counter[str]":
    page = parse(html, "https://site.example/")
    return words("".join(text for text, _ in runs(page))) + words(pictures(page))


def pictures(page: Document) -> str:
    return " ".join(a.get("alt", "") for tag, a in zip(page.tags, page.attributes, strict=True) if tag == "img")


def differences(page: Document) -> dict[str, "Counter[str]"]:
    """The differences of Markdown and HTML from the text, in words by their form."""
    judged = all_content(page)
    markdown = content_markdown(judged)
    text = words(document_text(page, judged))
    controls = words(" ".join(text for text, tags in runs(page) if tags & _CONTROLS))
    found = {}
    for name, html in (("markdown", _MARKDOWN.render(markdown)), ("html", content_html(judged))):
        missing, more = text - words_of(html), words_of(html) - text
        forms: Counter[str] = Counter()
        for form, known in (("names of pictures", words(pictures(page))), ("words of controls", controls)):
            forms[form] = (more & known).total()
            more -= known
        forms |= {"other words": more.total(), "words of the text alone": missing.total()}
        found[name] = +forms
    return found


def test_the_words_of_all_outputs_differ_in_named_forms_alone() -> None:
    counted = {name: Counter[str]() for name in RECORDED}
    for part in ("sites", "opened"):
        for folder in sorted(require_benchmark(part).iterdir()):
            for name, forms in differences(StoredSite(folder).load_key_page().document()).items():
                counted[name] += forms
                counted[name]["pages"] += bool(forms)
    assert counted == RECORDED
