"""Split a text into words, in all scripts."""

import re

# Scripts without spaces count by the character.
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case; an ideograph or kana is a word of its own."""
    return _WORD.findall(text.lower())
