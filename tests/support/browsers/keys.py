"""Key combinations as people write them."""

from dataclasses import dataclass

MODIFIERS = ("Ctrl", "Shift", "Alt", "Meta")
# Keys with a name, and their Windows key codes.
ARROWS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
NAMED = {"Escape": 27, "Tab": 9, "Enter": 13, "Space": 32, "PageDown": 34, **ARROWS}
# What the named keys type that type something.
TYPED = {"Enter": "\r", "Space": " "}
SHIFTED_DIGITS = ")!@#$%^&*("


@dataclass(frozen=True, slots=True)
class Keys:
    """One key with its modifiers.

    Attributes:
        letter: the key as its cap names it: a letter, a digit or a name of `NAMED`.
        modifiers: the keys held, of `MODIFIERS`.
    """

    letter: str
    modifiers: frozenset[str]

    @property
    def virtual_code(self) -> int:
        """The Windows key code, which for letters and digits is the ASCII code of the capital."""
        return NAMED.get(self.letter) or ord(self.letter)

    @property
    def code(self) -> str:
        """The `code` of a keyboard event."""
        if self.letter in NAMED:
            return self.letter
        return f"Digit{self.letter}" if self.letter.isdigit() else f"Key{self.letter}"

    @property
    def key(self) -> str:
        """The `key` of a keyboard event, on an American keyboard."""
        if self.letter in NAMED:
            return " " if self.letter == "Space" else self.letter
        if "Shift" not in self.modifiers:
            return self.letter.lower()
        return SHIFTED_DIGITS[int(self.letter)] if self.letter.isdigit() else self.letter

    def bits(self, *, alt: int, ctrl: int, meta: int, shift: int) -> int:
        """The modifiers as the sum of the given bits."""
        values = {"Alt": alt, "Ctrl": ctrl, "Meta": meta, "Shift": shift}
        return sum(values[name] for name in self.modifiers)


def parse_shortcut(text: str) -> Keys:
    """Read `Ctrl+Shift+9` or a key of `NAMED`.

    Raises:
        ValueError: not modifiers and then one letter, digit or named key.
    """
    *modifiers, letter = text.split("+")
    is_cap = len(letter) == 1 and letter.isascii() and letter.isalnum()
    if not (is_cap or letter in NAMED) or not set(modifiers) <= set(MODIFIERS):
        raise ValueError(f"not a key combination: {text}")
    return Keys(letter.upper() if is_cap else letter, frozenset(modifiers))
