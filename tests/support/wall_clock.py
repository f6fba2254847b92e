"""A wall clock that can be set back under running programs, and under no others (Linux, with a C compiler)."""

import shutil
import struct
import subprocess
from pathlib import Path

COMPILER = shutil.which("cc")
_SOURCE = Path(__file__).with_name("clock.c")


class WallClock:
    """The clock of all programs that are started with its variables.

    Args:
        folder: an empty folder for its files.
    """

    def __init__(self, folder: Path) -> None:
        self._library, self._file = folder / "clock.so", folder / "behind"
        assert COMPILER is not None
        subprocess.run([COMPILER, "-shared", "-fPIC", "-O2", "-o", self._library, _SOURCE], check=True)
        self._file.write_bytes(bytes(8))

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables for the programs."""
        return {"LD_PRELOAD": str(self._library), "SITESTENCIL_CLOCK": str(self._file)}

    def set_back(self, seconds: int) -> None:
        """Let the clock show so much less than the machine's."""
        with self._file.open("r+b") as file:
            file.write(struct.pack("=q", seconds * 1_000_000_000))
