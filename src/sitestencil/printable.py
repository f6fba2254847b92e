"""Make untrusted text fit for a terminal, a message or a log."""

import re

# All control characters except tab and line end, bidirectional embeddings, overrides and isolates, and halves of
# surrogate pairs. The marks U+200E and U+200F stay: honest texts have them.
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return a text without characters that move a cursor, change colours or reorder a line.

    >>> printable("\x1b[31mred\x9b0m \u202etxt.exe")
    '[31mred0m txt.exe'
    """
    return text if text.isprintable() else _UNFIT.sub("", text)
