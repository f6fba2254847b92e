"""Ways in which a page runs script: written for these tests, of the kinds that sanitisers are attacked with.

``payloads.json`` has them by kind. ``FIRE`` stands for JavaScript that tells the topmost window the payload's
number. Each payload is a page of its own, but the live ones: these are bodies of functions of `body`, `make` and
`html`, which build trees that no HTML gives.
"""

import json
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

_KINDS: dict[str, list[str]] = json.loads(Path(__file__).with_suffix(".json").read_bytes())
HANDLER_ELEMENTS, SCRIPT_ELEMENTS, LINKS = (
    _KINDS[name] for name in ("handler_elements", "script_elements", "links")
)
DEEP = ["<div>" * 600 + "<img src=x onerror=FIRE>", "<svg>" * 300 + "<script>FIRE</script>", "<b>" * 40 + LINKS[0]]


def static_payloads() -> Iterator[tuple[int, str]]:
    """Yield the pages by number."""
    groups = (HANDLER_ELEMENTS, SCRIPT_ELEMENTS, LINKS, _KINDS["frames"], _KINDS["misread"], DEEP)
    for number, text in enumerate(text for group in groups for text in group):
        yield number, f"<!DOCTYPE html><html><head></head>{_armed(text, number)}"


def live_payloads() -> list[str]:
    """Return the bodies of the functions, numbered from 1000 on."""
    return [_armed(text, 1000 + number) for number, text in enumerate(_KINDS["live"])]


def _armed(text: str, number: int) -> str:
    fire = f"top.postMessage({number},`*`)"
    page = f"<script>{fire}</script>"
    return (
        text.replace("FIRE", fire)
        .replace("NUMBER", str(number))
        .replace("PAGE64", _base64(page))
        .replace("B64", _base64(fire))
    )


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()
