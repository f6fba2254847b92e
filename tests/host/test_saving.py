"""Saving: captures in, files out, by real frames through a process."""

from typing import TYPE_CHECKING, Any

import pytest

from sitestencil_host.frames import LONGEST_OUT
from sitestencil_host.messages import encode
from sitestencil_host.saving import saved_parts

if TYPE_CHECKING:
    from tests.host.conftest import Host, Message, Website


def capture(snapshot: "Message", **fields: Any) -> "Message":
    elements, texts = len(snapshot["tags"]), len(snapshot["texts"])
    return {**snapshot, "template": [[0, elements]], "template_texts": [[0, texts]], **fields}


def saved(answers: list["Message"]) -> str:
    assert [answer["type"] for answer in answers] == ["saved"] * len(answers)
    return "".join(answer["text"] for answer in answers)


def test_a_captured_page_is_saved_as_a_file(host: "Host", tiny: "Message") -> None:
    host.send({"type": "save", "id": 3, "capture": capture(tiny)})
    html = saved(host.end_of(3))
    assert '<a href="https://example.org/b">Next</a>' in html
    assert "<title>Template of example.org</title>" in html


def test_what_is_content_is_not_in_the_file(host: "Host", tiny: "Message") -> None:
    host.send({"type": "save", "id": 3, "capture": capture(tiny, template=[[0, 4]], template_texts=[])})
    assert '<body class="home wide"><span data-slot="main"></span></body>' in saved(host.end_of(3))


def test_a_long_file_comes_in_parts_that_the_browser_takes(host: "Host", tiny: "Message") -> None:
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
    host: "Host", tiny: "Message", fields: dict[str, Any], number: int
) -> None:
    host.send({"type": "save", "id": 3, "capture": capture(tiny, **fields)})
    assert host.end_of(3)[-1]["number"] == number


def test_a_page_nested_too_deeply_is_refused_with_the_number(host: "Host", tiny: "Message") -> None:
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


def test_saving_does_not_hold_up_another_tabs_extraction(host: "Host", website: "Website") -> None:
    large = website.snapshot("/", "<!doctype html><html><body>" + "<p class=a>x</p>" * 100_000 + "</body></html>")
    host.send({"type": "save", "id": 1, "capture": capture(large)})
    host.send({"type": "extract", "id": 2, "detector": "temex", "snapshot": website.snapshot("/")})
    first = [answer["id"] for answer in (host.receive() for _ in range(2))]
    assert first == [2, 2]
    while (answer := host.receive())["id"] != 1 or answer["part"] < answer["parts"]:
        pass
    assert answer["type"] == "saved"
