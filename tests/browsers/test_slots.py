"""Content in slots shows in each view that keeps it, in the reading style, once corrected, and in saved files."""

from collections.abc import Iterator

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import all_of, show_content, show_page, show_template, visible, whole_state
from tests.browsers.options import forget_corrections
from tests.browsers.pages import PATH, page, site
from tests.browsers.test_corrections import correct, view
from tests.support.browsers import Browser, wait_until
from tests.support.server import Answer

STORIES = {
    PATH: ("The roof of the school", "A gale blew all night and took the roof of the school into the harbour."),
    "/news.html": ("Apples are dear", "The price of apples has not changed since the days of our fathers."),
    "/events.html": ("The bridge opens", "Whoever opens the bridge in the morning closes it in the evening."),
    "/contact.html": ("Herrings found", "A plate of herrings was found behind the stove of the town hall."),
}
OPEN = '<template shadowrootmode="open">'
ARTICLE = "<article{slot}><h1>{title}</h1><p>{text}</p><p>{text} {text}</p><p>{text} {title}</p></article>"
STORY, NAMED = ARTICLE.format(slot="", title="{title}", text="{text}"), ARTICLE.replace("{slot}", ' slot="story"')
BARE = "{title}: {text} {text} {text}"
BY_SCRIPT = """<script>
const shell = document.querySelector("x-shell");
const root = shell.attachShadow({{mode: "open", slotAssignment: "%s"}});
root.innerHTML = "<section><slot></slot></section>";
%s</script>"""
SHAPES = {
    "slot alone": f"<x-shell>{OPEN}<slot></slot></template>{STORY}</x-shell>",
    "slot in a wrapper": f"<x-shell>{OPEN}<b>Desk</b><section><slot></slot></section></template>{STORY}</x-shell>",
    "named": f"<x-shell>{OPEN}<section><slot name=story></slot></section><slot></slot></template>{NAMED}</x-shell>",
    "fallback": f"<x-shell>{OPEN}<p><slot name=story><i>Nothing</i></slot></p></template>{NAMED}</x-shell>",
    "slot in a slot": f"<x-shell>{OPEN}<x-inner>{OPEN}<section><slot></slot></section></template>"
    f"<div><slot></slot></div></x-inner></template>{STORY}</x-shell>",
    "slot of a slot": f"<x-shell>{OPEN}<x-inner>{OPEN}<section><slot></slot></section></template>"
    f"<slot></slot></x-inner></template>{STORY}</x-shell>",
    "bare text": f"<x-shell>{OPEN}<section><slot></slot></section></template>{BARE}</x-shell>",
    "hosts in hosts": f"<x-shell>{OPEN}<section><slot></slot></section></template>"
    f"<x-inner>{OPEN}<div><slot></slot></div></template>{STORY}</x-inner></x-shell>",
    "a plain host": f"<div>{OPEN}<section><slot></slot></section></template>{STORY}</div>",
    "made by a script": f"<x-shell>{STORY}</x-shell>{BY_SCRIPT % ('named', '')}",
    "slotted by a script": f"<x-shell>{STORY}</x-shell>"
    + BY_SCRIPT % ("manual", "root.querySelector('slot').assign(shell.firstChild);"),
}
# Each word of the page that has a place and is not hidden, by the tree as it is drawn.
SEEN = """() => {
    const words = [];
    const ranges = [...CSS.highlights.values()].flatMap(highlight => [...highlight]);
    const hidden = new Set(ranges.map(range => range.startContainer));
    const walk = node => {
        if (node.shadowRoot) walk(node.shadowRoot);
        if (node.nodeType === Node.TEXT_NODE && node.data.trim()) {
            const range = new Range();
            range.selectNodeContents(node);
            const holder = node.assignedSlot ?? node.parentElement;
            const {height} = range.getBoundingClientRect();
            const isSeen = holder && height && !hidden.has(node);
            if (isSeen && getComputedStyle(holder).visibility === "visible") words.push(node.data.trim());
        }
        for (const child of node.childNodes) walk(child);
    };
    walk(document.body);
    return words.join(" ");
}"""


@pytest.fixture
def reader(guessing: Browser) -> Iterator[Browser]:
    """The browser, whose choices about the reading style and gaps are forgotten afterwards."""
    yield guessing
    guessing.open(guessing.extension_address("pages/privacy.html"))
    guessing.run("() => chrome.storage.local.remove(['reading', 'closeGaps', 'keepsGaps'])")
    forget_corrections(guessing)


def pages_of(shape: str) -> dict[str, Answer]:
    """A site each page of which has another story in this shape."""
    stories = {path: shape.format(title=title, text=text) for path, (title, text) in STORIES.items()}
    return site("") | {path: page(body, title=path) for path, body in stories.items()}


def shown(browser: Browser) -> tuple[bool, bool]:
    """Whether the story's title and last words, and whether the template's words are seen."""
    seen = browser.run(SEEN)
    return all(words in seen for words in STORIES[PATH]), "Made by hand" in seen


def read(browser: Browser, style: str) -> None:
    """Press a reading style in the panel of the content view."""
    browser.click_panel(f"reading_{style}")
    wanted = None if style == "off" else style
    wait_until(lambda: browser.button_state().kept.get("reading") == wanted, f"{style} is not chosen")


def test_content_in_slots_shows_wherever_it_is_kept(reader: Browser, serve: Serve) -> None:
    wanted = {"template": (False, True), "restored": True, "content": (True, False), "style": (True, False)}
    failures = []
    for name, shape in SHAPES.items():
        reader.open(serve(pages_of(shape)).base + PATH)
        before = whole_state(reader)
        show_template(reader)
        found: dict[str, object] = {"template": shown(reader)}
        show_page(reader)
        found["restored"] = whole_state(reader) == before
        show_content(reader)
        found["content"] = shown(reader)
        read(reader, "sepia")
        found["style"] = shown(reader)
        read(reader, "off")
        if found != wanted:
            failures.append(f"{name}: {found}")
    assert failures == []


def test_corrected_slotted_content_shows_with_what_it_was_corrected_to(reader: Browser, serve: Serve) -> None:
    reader.open(serve(pages_of(SHAPES["slot in a wrapper"])).base + PATH)
    show_template(reader)
    view(reader, "inspect")
    correct(reader, "article h1")
    view(reader, "template")
    assert visible(reader, "article *") == ["h1"]
    view(reader, "content")
    assert visible(reader, "article *") == ["p", "p", "p"]


def test_content_that_a_page_moves_to_another_slot_in_the_content_view_shows(reader: Browser, serve: Serve) -> None:
    shape = SHAPES["slot in a wrapper"].replace("</section>", "</section><div><slot name=side></slot></div>")
    reader.open(serve(pages_of(shape)).base + PATH)
    show_template(reader)
    show_page(reader)
    show_content(reader)
    reader.run("() => { document.querySelector('article').slot = 'side' }")
    wait_until(lambda: shown(reader) == (True, False), "what came into the other slot does not show")


def test_a_copy_of_marked_elements_has_no_marks_when_it_comes(reader: Browser, serve: Serve) -> None:
    reader.open(serve(pages_of(SHAPES["slot in a wrapper"])).base + PATH)
    show_template(reader)
    store = "const store = document.head.appendChild(document.createElement('template')).content;"
    reader.run(f"() => {{ {store} store.append(document.querySelector('main').cloneNode(true)) }}")
    assert reader.run("() => /data-[a-z]{11}=/.test(document.head.lastChild.innerHTML)")
    show_page(reader)
    reader.run("() => document.body.append(document.head.lastChild.content)")
    marked = "() => /data-[a-z]{11}=/.test(document.documentElement.outerHTML)"
    wait_until(lambda: not reader.run(marked), "the copy keeps its marks")
    assert len(all_of(reader, "main")) == 2
