"""Requests with a page in parts: the host collects the frames, and the worker joins their texts."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from sitestencil_host.errors import FRAME_TOO_LONG, TOO_MUCH_WAITS, WRONG_SHAPE, HostError
from sitestencil_host.messaging.decoding import decode
from sitestencil_host.messaging.frames import LONGEST_IN
from sitestencil_host.messaging.messages import PageRequest, Work

MOST_PARTS = 1000
MOST_WAITING_BYTES = 4 * LONGEST_IN
_REQUEST_BYTES = 1 << 18  # counted for each request beside its texts: its frames are up to 1,000 objects
_Request = TypeVar("_Request", bound=PageRequest)


class RequestParts:
    """Incomplete requests; the parts of one have at most a frame's length in all.

    Args:
        waiting: returns the lengths of complete requests that wait for a worker.
    """

    def __init__(self, waiting: Callable[[], Iterable[int]]) -> None:
        self._begun: dict[int, list[bytes]] = {}
        self._lengths: dict[int, int] = {}
        self._waiting = waiting

    def add(self, work: Work) -> Work | None:
        """Return the request when it is whole.

        Raises:
            HostError: a part out of order (102), too many bytes (103), or too many together with the other
                requests that wait (108). The earlier parts are dropped.
        """
        frames, length = self._begun.pop(work.id, []), self._lengths.pop(work.id, 0)
        if not (_is_part(work) and len(frames) + 1 == work.part):
            problem = f"part {work.part!r:.20} of {work.parts!r:.20} came after {len(frames)} parts"
            raise HostError(WRONG_SHAPE, problem, work.id)
        frames += work.payloads
        length += sum(map(len, work.payloads))
        if length > LONGEST_IN:
            raise HostError(FRAME_TOO_LONG, f"parts of {length} bytes", work.id)
        held = sum(other + _REQUEST_BYTES for other in (length, *self._lengths.values(), *self._waiting()))
        if held > MOST_WAITING_BYTES:
            raise HostError(TOO_MUCH_WAITS, f"{held} bytes would wait, over {MOST_WAITING_BYTES}", work.id)
        if work.part < work.parts:
            self._begun[work.id], self._lengths[work.id] = frames, length
            return None
        return work._replace(payloads=tuple(frames))

    def forget(self, request_id: int) -> bool:
        """Drop the parts of a request; return whether there were any."""
        self._lengths.pop(request_id, None)
        return self._begun.pop(request_id, None) is not None


def _is_part(work: Work) -> bool:
    return type(work.part) is type(work.parts) is int and 1 <= work.part <= work.parts <= MOST_PARTS


def whole_request(payloads: list[bytes], shape: type[_Request]) -> _Request:
    """Return the request of these frames, with its page's whole text.

    Raises:
        HostError: the frames are no such request.
    """
    first, *others = [decode(payload, shape) for payload in payloads]
    return msgspec.structs.replace(first, text="".join([first.text, *(part.text for part in others)]))
