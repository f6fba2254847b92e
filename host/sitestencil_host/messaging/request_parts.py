"""Requests with a page in parts: the host collects the frames, and the worker joins their texts."""

from typing import TypeVar

import msgspec

from sitestencil_host.errors import FRAME_TOO_LONG, WRONG_SHAPE, HostError
from sitestencil_host.messaging.decoding import decode
from sitestencil_host.messaging.frames import LONGEST_IN
from sitestencil_host.messaging.messages import PageRequest, Work

MOST_PARTS = 1000
_Request = TypeVar("_Request", bound=PageRequest)


class RequestParts:
    """Incomplete requests; the parts of one have at most a frame's length in all."""

    def __init__(self) -> None:
        self._begun: dict[int, list[bytes]] = {}

    def add(self, work: Work) -> Work | None:
        """Return the request when it is whole.

        Raises:
            HostError: a part out of order (102), or too many bytes (103). The earlier parts are dropped.
        """
        frames = self._begun.pop(work.id, [])
        if not (_is_part(work) and len(frames) + 1 == work.part):
            problem = f"part {work.part!r:.20} of {work.parts!r:.20} came after {len(frames)} parts"
            raise HostError(WRONG_SHAPE, problem, work.id)
        frames += work.payloads
        if (length := sum(map(len, frames))) > LONGEST_IN:
            raise HostError(FRAME_TOO_LONG, f"parts of {length} bytes", work.id)
        if work.part < work.parts:
            self._begun[work.id] = frames
            return None
        return work._replace(payloads=tuple(frames))

    def forget(self, request_id: int) -> bool:
        """Drop the parts of a request; return whether there were any."""
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
