"""PROTOCOL.md tells of all messages, fields and errors that the host has, and of no others."""

import re
from collections.abc import Iterator
from json import JSONDecoder
from typing import Any

from supply.distributions import ROOT
from supply.host_messages import ANSWERS, REQUESTS, with_parts

from sitestencil.saving.captured_page import Capture
from sitestencil_host.errors import TABLE
from sitestencil_host.worker.applying import Change

PAGE = (ROOT / "host" / "PROTOCOL.md").read_text(encoding="utf-8")
STRUCTS = with_parts((*REQUESTS, *ANSWERS, Change, Capture))


def examples() -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of the page."""
    rest = "".join(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
    while rest := rest.strip():
        value, end = JSONDecoder().raw_decode(rest)
        yield value
        rest = rest[end:]


def test_it_lists_exactly_the_errors_of_the_table() -> None:
    listed = re.findall(r"^\| (\d+) \| `([^`]+)`", PAGE, re.MULTILINE)
    assert listed == [(str(kind.number), kind.name) for kind in TABLE]


def test_it_names_every_field_of_every_message() -> None:
    fields = {(struct.__name__, field) for struct in STRUCTS for field in struct.__struct_fields__}
    assert [field for field in fields if f"`{field[1]}`" not in PAGE and f'"{field[1]}"' not in PAGE] == []


def test_its_examples_have_no_other_fields() -> None:
    known: dict[str, set[str]] = {}
    for struct in STRUCTS:
        known.setdefault(str(struct.__struct_config__.tag), {"type"}).update(struct.__struct_fields__)
    shown = [example for example in examples() if "type" in example]
    assert [(one["type"], field) for one in shown for field in one.keys() - known[one["type"]]] == []
    assert {one["type"] for one in shown} == known.keys() - {"None"}
