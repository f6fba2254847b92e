"""Decodes JSON from a browser into typed values, or raises a numbered error."""

import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

from sitestencil_host.errors import NOT_JSON, WRONG_SHAPE, HostError

_T = TypeVar("_T")

_PAIR_END = rb"[0-9a-fA-F]{2}"
_HIGH, _LOW = rb"\\u[dD][89abAB]" + _PAIR_END, rb"\\u[dD][c-fC-F]" + _PAIR_END
_HALF_PAIRS = re.compile(rb"%b(?!%b)|(?<!%b)%b" % (_HIGH, _LOW, _HIGH.replace(b"{2}", b"") + b"[0-9a-fA-F]", _LOW))
# Stands for an escaped backslash while others are looked for: no JSON holds these bytes.
_BACKSLASH = b"\x01\x01"


def decode(payload: bytes | msgspec.Raw, shape: type[_T], request_id: int | None = None) -> _T:
    """Return JSON as a value of the given type.

    Half surrogate pairs, which live pages can hold, become U+FFFD.

    Raises:
        HostError: not JSON (100), or another type (102).
    """
    try:
        str(payload, "utf-8")
    except UnicodeDecodeError as error:
        raise HostError(NOT_JSON, str(error)) from None
    return _decode(payload, shape, request_id, _without_half_pairs)


def decode_head(payload: bytes, shape: type[_T], request_id: int | None = None) -> _T:
    """Return a few fields of a frame, and leave the rest, up to 64 MiB, to others.

    Raises:
        HostError: see `decode`. Nothing checks that the rest is UTF-8.
    """
    return _decode(payload, shape, request_id, _without_escapes)


def _decode(
    payload: bytes | msgspec.Raw, shape: type[_T], request_id: int | None, repair: Callable[[bytes], bytes]
) -> _T:
    try:
        try:
            return msgspec.json.decode(payload, type=shape)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:
            return msgspec.json.decode(repair(bytes(payload)), type=shape)
    except msgspec.ValidationError as error:
        raise HostError(WRONG_SHAPE, str(error), request_id) from None
    except RecursionError:
        raise HostError(WRONG_SHAPE, "the message is nested too deeply", request_id) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HostError(NOT_JSON, str(error)) from None


def _without_half_pairs(text: bytes) -> bytes:
    escapes = text.replace(rb"\\", _BACKSLASH)
    return _HALF_PAIRS.sub(rb"\\ufffd", escapes).replace(_BACKSLASH, rb"\\")


def _without_escapes(text: bytes) -> bytes:
    """Return JSON without numeric character escapes."""
    return text.replace(rb"\\", b"xx").replace(rb"\u", b"xx")
