"""What is remembered of a site, for an extension that keeps it to answer before this program has started."""

from typing import TYPE_CHECKING

from sitestencil.errors import MemoryUnavailable
from sitestencil_host.errors import MEMORY_UNAVAILABLE, HostError
from sitestencil_host.messages import Kept, KeptPart, KeptTemplate, encode
from sitestencil_host.remembering import memory
from sitestencil_host.results import score_bytes

if TYPE_CHECKING:
    from sitestencil.detectors.learned_columns import LearnedColumns
    from sitestencil.memory.store import Remembered

VERSION = 1
MOST_BYTES = 256 * 1024


def kept(request: Kept) -> list[KeptPart]:
    """Return the messages that answer a request: one for each template that it does not have yet, and a last one.

    Raises:
        HostError: the memory cannot be used now.
    """
    try:
        remembered = _remembered(request)
        gone = set(request.ids) - memory().digests() if request.ids else set()
    except MemoryUnavailable as error:
        raise HostError(MEMORY_UNAVAILABLE, str(error), request.id) from None
    templates = [template for one in remembered if len(encode(template := kept_template(one))) <= MOST_BYTES]
    new = [template for template in templates if template.id not in request.ids]
    parts = len(new) + 1
    return [
        *(KeptPart(request.id, part, parts, template=template) for part, template in enumerate(new, 1)),
        KeptPart(request.id, parts, parts, [template.id for template in templates], sorted(gone)),
    ]


def _remembered(request: Kept) -> "list[Remembered]":
    from sitestencil.detectors import detector_name
    from sitestencil.urls import page_address

    if request.url is None:
        return []
    return memory().of_page(page_address(request.url), detector_name(request.detector))


def kept_template(remembered: "Remembered") -> KeptTemplate:
    """Return what is remembered as the extension keeps it; no address is in it, and no text."""
    columns: LearnedColumns = remembered.learned.columns
    fields = {name: value for name, value in columns.fields().items() if name in KeptTemplate.__struct_fields__}
    return KeptTemplate(
        **{
            **fields,
            "version": VERSION,
            "id": remembered.digest,
            "learned_at": remembered.learned_at,
            "scores": score_bytes(columns.answer.scores),
        }
    )
