"""Make untrusted text fit for a terminal, a message or a log."""

import re

# All control characters except tab and line end, bidirectional embeddings, overrides and isolates, and halves of
# surrogate pairs. The marks U+200E and U+200F stay: honest texts have them.
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

# Characters that show nothing and only say where a word may break. The joiners U+200C and U+200D belong to words.
_BREAKS = re.compile("[\u00ad\u200b\u2060\ufeff]")


def printable(text: str) -> str:
    r"""Return a text without characters that move a cursor, change colours or reorder a line.

    >>> printable("\x1b[31mred\x9b0m \u202etxt.exe")
    '[31mred0m txt.exe'
    """
    return text if text.isprintable() else _UNFIT.sub("", text)


def visible(text: str) -> str:
    r"""Return a text as `printable` does, also without soft hyphens and zero-width spaces.

    >>> visible("hand\u00adbook\u200b")
    'handbook'
    """
    return text if text.isprintable() else printable(_BREAKS.sub("", text))
