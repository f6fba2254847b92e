"""A document in the order of its HTML."""

from sitestencil.page.document import Document, TextRun
from sitestencil.page.parsing import parse
from sitestencil.page.serialization import Event, walk


def spelled(document: Document) -> str:
    written = {Event.START: "<{}>", Event.END: "</{}>", Event.TEXT: "{}"}
    return "".join(
        written[event].format(document.texts[number].text if event is Event.TEXT else document.tags[number])
        for event, number in walk(document)
    )


def test_tags_and_texts_come_as_in_the_html() -> None:
    html = "<html><head></head><body>a<p>b<i>c</i>d<b></b>e</p>f<ul><li>g</li><li>h</li></ul></body></html>"
    assert spelled(parse(f"<!doctype html>{html}", "http://site.test/")) == html


def test_shadow_roots_and_frames_are_passed_over_and_what_follows_them_is_not() -> None:
    # <html><body><div><template shadowrootmode><b>x</b></template>own<i></i></div>after</body></html>
    tags = ["html", "body", "div", "template", "b", "i"]
    document = Document(
        url="http://site.test/",
        base="http://site.test/",
        tags=tags,
        parents=[-1, 0, 1, 2, 3, 2],
        attributes=[{}, {}, {}, {"shadowrootmode": "open"}, {}, {}],
        texts=[TextRun(4, -1, "x"), TextRun(2, 3, "own"), TextRun(1, 2, "after")],
    )
    assert spelled(document) == "<html><body><div>own<i></i></div>after</body></html>"
