"""JSON from a browser, half surrogate pairs and all."""

import json
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitestencil_host.errors import HostError
from sitestencil_host.messaging.frames import decode, decode_head

PIECES = [rb"\\", rb"\ud83d", rb"\ude00", rb"\uD800", rb"\udfff", rb"\n", rb"\u0041", rb"\"", b"a", b"u", b"d83d"]


class Message(msgspec.Struct):
    id: int
    text: str = ""


def whole(text: str) -> str:
    """Return a text as JSON has it, its half pairs replaced: what `decode` has to give."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


@given(st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_half_surrogate_pairs_and_no_others_become_replacement_characters(text: bytes) -> None:
    sent = b'{"id":7,"text":"' + text + b'"}'
    assert decode(sent, Message).text == whole(json.loads(sent)["text"])


@given(st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_the_head_of_a_message_is_read_whatever_escapes_follow(text: bytes) -> None:
    assert decode_head(b'{"more":"' + text + b'","id":7}', Message).id == 7


@pytest.mark.parametrize("sent", [b"", b'{"id":7', b'{"id":7,"text":"\\ud83d\\q"}', b'{"id":7,"text":"\xff"}'])
def test_what_is_no_json_is_told_by_its_number(sent: bytes) -> None:
    for read in (decode, decode_head):
        with pytest.raises(HostError) as raised:
            read(sent, Message)
        assert raised.value.kind.number == 100
