"""Let a generator build a project in a scratch folder, if it is installed here."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from sitestencil.errors import CannotBeSaved
from sitestencil.kept_files import write_file
from sitestencil.printable import visible

_SECONDS = 600
_SHOWN = 500


def built_by(command: Sequence[str], files: Mapping[str, str]) -> dict[str, str] | None:
    """Return the HTML of a project's pages by path; None if the program is not installed.

    Args:
        command: the program with its arguments; it writes into ``public``.
        files: the project's files by path.

    Raises:
        CannotBeSaved: the program fails.
    """
    program = which(command[0])
    if program is None:
        return None
    with TemporaryDirectory() as scratch:
        folder, public = Path(scratch), Path(scratch) / "public"
        for path, text in files.items():
            write_file(folder / path, text.encode("utf-8", "replace"))
        try:
            done = subprocess.run(  # noqa: S603 - the person's own program
                [program, *command[1:]], cwd=folder, capture_output=True, timeout=_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CannotBeSaved(f"{command[0]} cannot build the project: {error}.") from None
        if done.returncode:
            said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
            raise CannotBeSaved(f"{command[0]} cannot build the project: {visible(said[-_SHOWN:])}")
        return {file.relative_to(public).as_posix(): file.read_text("utf-8") for file in public.rglob("*.html")}
