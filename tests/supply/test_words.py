"""The check of words finds long sentences, and those that begin with "What"."""

from supply.words import MOST_WORDS, READERS, faults
from tests.support.tables import table

LONG = "word " * MOST_WORDS + "end."


@table(
    ("suffix", "text", "found"),
    [
        (".md", f"Short. {LONG}\n\n* What is told.\n\n| cell | What stops it |", 3),
        (".md", f"Is it long?\nWhat is it?\n\n```\n{LONG}\n```\n\n# What it is\n\n`{LONG}`", 0),
        (".py", f'"""What it does.\n\nArgs:\n    one: a.\n    two: {LONG}\n"""', 2),
        (".py", f'"""Short.\n\nArgs:\n    one: {LONG[:80]}\n    two: {LONG[:80]}\n"""', 0),
        (".pyx", 'cdef int f():\n    """What it counts."""', 1),
        (".js", f"/** What it is. @type {{string}} */\n/**\n * {LONG[:80]}\n   * {LONG[80:]}\n */", 2),
        (".js", f"/**\n * @param {{string}} one {LONG[:80]}\n * @param {{number}} [two] {LONG[:80]}\n */", 0),
    ],
)
def test_long_sentences_and_what_are_found(suffix: str, text: str, found: int) -> None:
    assert len(faults(READERS[suffix](text))) == found
