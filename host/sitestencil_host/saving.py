"""Saving: the extension captures the page, the library writes it, and the text goes back in parts."""

from sitestencil_host.decoding import decode
from sitestencil_host.messages import Save, SavedPart

# A character takes six bytes of JSON at most (a control character).
CHARACTERS_PER_PART = 160_000


def save(request: Save) -> list[SavedPart]:
    """Return the messages that answer a request.

    Raises:
        HostError, SitestencilError: the page was not written.
    """
    from sitestencil.outputs.captured_page import Capture, captured_html

    return saved_parts(request.id, captured_html(decode(request.capture, Capture)))


def saved_parts(request_id: int, text: str) -> list[SavedPart]:
    """Return a saved page as messages, each within what a browser takes."""
    count = max(1, -(-len(text) // CHARACTERS_PER_PART))
    return [
        SavedPart(request_id, part + 1, count, text[part * CHARACTERS_PER_PART : (part + 1) * CHARACTERS_PER_PART])
        for part in range(count)
    ]
