"""Saving: captures in, files out, by real frames through a process."""

import io
import zipfile
from base64 import b64decode, b64encode
from typing import Any

import pytest
from tests.host.conftest import MENU, Host, Message, Website, extract, page
from tests.support.saved_pages import without_comment

from sitestencil_host.messaging.frames import LONGEST_OUT
from sitestencil_host.messaging.messages import encode
from sitestencil_host.worker.saving import saved_parts


def capture(snapshot: Message, **fields: Any) -> Message:
    elements, texts = len(snapshot["tags"]), len(snapshot["texts"])
    return {**snapshot, "template": [[0, elements]], "template_texts": [[0, texts]], **fields}


def saved(answers: list[Message]) -> str:
    assert [answer["type"] for answer in answers] == ["saved"] * len(answers)
    return "".join(answer["text"] for answer in answers)


def test_a_captured_page_is_saved_as_a_file(host: Host, tiny: Message) -> None:
    host.send({"type": "save", "id": 3, "capture": capture(tiny)})
    html = saved(host.end_of(3))
    assert '<a href="https://example.org/b">Next</a>' in html
    assert "<title>Template of example.org</title>" in html


def test_what_is_content_is_not_in_the_file(host: Host, tiny: Message) -> None:
    host.send({"type": "save", "id": 3, "capture": capture(tiny, template=[[0, 4]], template_texts=[])})
    assert '<body class="home wide"><span data-slot="main" data-slot-holds="text"></span></body>' in saved(
        host.end_of(3)
    )


@pytest.mark.parametrize(
    ("choices", "text"),
    [
        ({"format": "text"}, "Next\n"),
        ({"format": "markdown", "front_matter": False}, "[Next](https://example.org/b)\n"),
        (
            {"format": "markdown"},
            '---\ntitle: "Example"\nurl: "https://example.org/a"\nlanguage: "en"\n---\n\n[Next](https://example.org/b)\n',
        ),
    ],
)
def test_the_content_is_saved_in_the_form_that_is_asked_for(
    host: Host, tiny: Message, choices: dict[str, Any], text: str
) -> None:
    content = capture(tiny, template=[[0, 4]], template_texts=[[0, 1]])
    host.send({"type": "save", "id": 3, "choices": choices, "capture": content})
    assert saved(host.end_of(3)) == text


def test_files_that_scripts_made_are_in_the_file_and_missing_ones_are_told(host: Host, tiny: Message) -> None:
    made, gone = "blob:https://example.org/7f3e", "blob:https://example.org/0"
    page = {**tiny, "names": [*tiny["names"], "link", "style"], "tags": [0, 1, 5, 3, 6]}
    page["attributes"] = [[], [], ["rel", "stylesheet", "href", made], ["style", f"background: url({gone})"], []]
    page["texts"] = [[4, -1, f"body {{ background: url({made}s) }}"]]
    css, image = b64encode(b"body { color: red }").decode(), b64encode(b"GIF89a...").decode()
    message = capture(page, files=[[made, css], [f"{made}s", image]])
    for offline in (True, False):
        host.send({"type": "save", "id": 3, "capture": message, "choices": {"offline": offline}})
        html = saved(host.end_of(3))
        assert "<style>body { color: red; }</style>" in html
        assert f'<style>body {{ background: url("data:image/gif;base64,{image}"); }}</style>' in html
        assert "blob:" not in html
        assert "  https://example.org/0\n" in html


def drawn(tiny: Message) -> Message:
    """A capture whose last element is an image, with a style sheet and the image that the page has read itself."""
    page = {**tiny, "names": [*tiny["names"], "link", "img"], "tags": [0, 1, 5, 3, 6], "texts": []}
    page["attributes"] = [
        [],
        [],
        ["rel", "stylesheet", "href", "/a.css"],
        [],
        ["src", "/x.png", "srcset", "/y.png 2x"],
    ]
    image = b64encode(b"GIF89a...").decode()
    return capture(
        page,
        files=[
            ["https://example.org/a.css", b64encode(b"body { background: url(b.gif) }").decode()],
            ["https://example.org/b.gif", image],
        ],
        images=[[4, "https://example.org/b.gif"]],
        boxes=[[0, 0, 9, 9]] * 5,
        title="The site",
    )


def saved_as(host: Host, page: Message, **choices: object) -> str:
    host.send({"type": "save", "id": 3, "capture": page, "choices": choices})
    return saved([answer for answer in host.end_of(3) if answer["type"] != "progress"])


def test_a_file_for_offline_use_holds_what_the_page_has_read(host: Host, tiny: Message) -> None:
    html = saved_as(host, drawn(tiny), offline=True)
    assert "<title>The site</title>" in html
    assert '<style>body { background: url("data:image/gif;base64,' in html
    assert '<img src="data:image/gif;base64,' in html
    assert "https://example.org" not in without_comment(html)


def test_a_folder_comes_as_a_zip(host: Host, tiny: Message) -> None:
    with zipfile.ZipFile(io.BytesIO(b64decode(saved_as(host, drawn(tiny), format="folder")))) as archive:
        assert sorted(archive.namelist()) == ["css/a.css", "files/b.gif", "index.html"]
        assert archive.read("css/a.css").endswith(b'body { background: url("../files/b.gif"); }')


def test_a_layout_has_its_files_in_itself_or_beside_it(host: Host, tiny: Message) -> None:
    assert '<img src="data:image/gif;base64,' in saved_as(host, drawn(tiny), format="jinja", offline=True)
    with zipfile.ZipFile(io.BytesIO(b64decode(saved_as(host, drawn(tiny), format="jinja-folder")))) as archive:
        assert sorted(archive.namelist()) == ["css/a.css", "files/b.gif", "layout.html"]
        assert b"files/b.gif" in archive.read("layout.html")


@pytest.mark.parametrize("choices", [{"format": "exe"}, {"offline": "yes"}, {"own_scripts": 1}, [1]])
def test_choices_that_are_none_are_refused(host: Host, tiny: Message, choices: object) -> None:
    host.send({"type": "save", "id": 3, "capture": capture(tiny), "choices": choices})
    assert host.end_of(3)[-1]["number"] == 102


def test_a_long_file_comes_in_parts_that_the_browser_takes(host: Host, tiny: Message) -> None:
    text = '\x01\N{GRINNING FACE}"' * 200_000
    host.send({"type": "save", "id": 3, "capture": capture({**tiny, "texts": [[4, -1, text]]})})
    answers = host.end_of(3)
    assert len(answers) > 2
    assert [answer["part"] for answer in answers] == list(range(1, len(answers) + 1))
    assert text in saved(answers)


def test_every_part_fits_into_a_message() -> None:
    parts = saved_parts(2**53 - 1, "\x01" * 1_000_000)
    assert max(len(encode(part)) for part in parts) <= LONGEST_OUT
    assert [part.text for part in saved_parts(1, "")] == [""]


@pytest.mark.parametrize(
    ("fields", "number"),
    [
        ({"template": [[0, 99]]}, 200),
        ({"template_texts": [[1, 9]]}, 200),
        ({"parents": [0, 0, 0, 0, 0]}, 200),
        ({"template": "all"}, 102),
        ({"url": "file:///etc/passwd"}, 201),
    ],
)
def test_a_capture_that_is_no_page_is_refused(
    host: Host, tiny: Message, fields: dict[str, Any], number: int
) -> None:
    host.send({"type": "save", "id": 3, "capture": capture(tiny, **fields)})
    assert host.end_of(3)[-1]["number"] == number


def test_a_page_nested_too_deeply_is_refused_with_the_number(host: Host, tiny: Message) -> None:
    count = 20_000
    deep = {
        **tiny,
        "names": ["html", "body", "div"],
        "tags": [0, 1, *[2] * count],
        "parents": [-1, *range(count + 1)],
        "attributes": [[]] * (count + 2),
        "texts": [],
    }
    host.send({"type": "save", "id": 3, "capture": capture(deep)})
    answer = host.end_of(3)[-1]
    assert answer["number"] == 305
    assert "16,000" in answer["detail"]


def test_saving_does_not_hold_up_another_tabs_extraction(host: Host, website: Website) -> None:
    large = website.snapshot(
        "/index.html", "<!doctype html><html><body>" + "<p class=a>x</p>" * 30_000 + "</body></html>"
    )
    host.send({"type": "save", "id": 1, "capture": capture(large)})
    host.send({"type": "extract", "id": 2, "detector": "temex", "snapshot": website.snapshot("/index.html")})
    first = [answer["id"] for answer in (host.receive() for _ in range(2))]
    assert first == [2, 2]
    answer = next(answer for answer in iter(host.receive, None) if answer["id"] == 1)
    assert answer["type"] == "saved", answer


def test_rules_of_a_site_are_proved_on_the_pages_that_were_compared(host: Host, website: Website) -> None:
    for number, path in enumerate(MENU):
        article = "".join(f"<p>{path} has word {number}{one} in line {one}.</p>" for one in range(4))
        website.pages[path] = page("").replace("<p>Nothing yet.</p>", article)
    snapshot = website.snapshot(MENU[0], website.pages[MENU[0]])
    host.send(extract(2, snapshot))
    result = host.end_of(2)[-1]
    judged = {"template": result["template"], "template_texts": [[0, len(snapshot["texts"])]]}
    addresses = [website.url + path for path in (*MENU[1:], "/gone/page.html")]
    asked = {"type": "save", "id": 3, "capture": capture(snapshot, **judged)}
    website.requests.clear()
    host.send({**asked, "choices": {"format": "rules", "pages": addresses}})
    *progress, answer = host.end_of(3)
    assert {one["type"] for one in progress} == {"progress"}
    assert sorted(website.asked) == sorted([*MENU[1:], "/gone/page.html"])
    sentence, style, feeds = answer["text"].partition("\n")[0], "#bottom", "body: //"
    assert sentence.startswith("Rules of 127.0.0.1")
    assert f"on {answer['proved']} others" in sentence
    assert style in answer["text"]
    assert feeds in answer["text"]
    host.send({**asked, "id": 4, "choices": {"format": "rules", "pages": addresses[-1:]}})
    assert host.end_of(4)[-1]["name"] == "no-rules"
