"""Saving: the extension captures the page, the library writes it, and the text goes back in parts."""

import asyncio

from sitestencil_host.jobs import Job
from sitestencil_host.messages import Save, SavedPart, decode

# A character takes six bytes of JSON at most (a control character).
CHARACTERS_PER_PART = 160_000


async def save(job: Job) -> list[SavedPart]:
    """Return the messages that answer the job's request.

    Raises:
        HostError, SitestencilError: the page was not written.
    """
    from sitestencil.outputs.captured_page import Capture, captured_html
    from sitestencil.urls import page_address

    assert isinstance(job.request, Save)
    raw = job.request.capture

    def write() -> str:
        capture = decode(raw, Capture)
        page_address(capture.url)
        return captured_html(capture)

    # In a thread of its own: other tabs' extractions go on.
    return saved_parts(job.id, await asyncio.to_thread(write))


def saved_parts(request_id: int, text: str) -> list[SavedPart]:
    """Return a saved page as messages, each within what a browser takes."""
    count = max(1, -(-len(text) // CHARACTERS_PER_PART))
    return [
        SavedPart(request_id, part + 1, count, text[part * CHARACTERS_PER_PART : (part + 1) * CHARACTERS_PER_PART])
        for part in range(count)
    ]
