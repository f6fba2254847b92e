"""Shells complete the command: each one runs, and the Tab key is pressed in it."""

import os
import pty
import select
import shutil
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest
from tests.support.browsers.programs import NoBrowserError, browser_program

COMMAND = Path(sys.executable).parent / "sitestencil"
STARTS = {
    "bash": (["--norc", "--noprofile", "-i"], 'eval "$(sitestencil completion bash)"'),
    "zsh": (["-f", "-i"], 'autoload -U compinit; compinit -u -D; eval "$(sitestencil completion zsh)"'),
    "fish": (["--no-config", "-i"], "sitestencil completion fish | source"),
}
# Stands for the command: it prints its arguments, unless the shell asks for completions.
STAND_IN = """\
#!/bin/sh
if [ -n "$_ARGCOMPLETE" ] || [ "$2" = "$SHELL_NAME" ]; then exec "$COMMAND" "$@"; fi
echo "it got <$*>"
"""


class Terminal:
    def __init__(self, program: str, arguments: list[str], folder: Path, environment: dict[str, str]) -> None:
        self._program, self._screen = pty.fork()
        if not self._program:
            os.chdir(folder)
            os.execve(program, [program, *arguments], environment)
        self._shown = ""

    def type(self, keys: str) -> None:
        os.write(self._screen, keys.encode())

    def wait_for(self, words: str, seconds: float = 30) -> None:
        """Wait until words are shown after those that were waited for before."""
        end = monotonic() + seconds
        while words not in self._shown:
            left = end - monotonic()
            ready, _, _ = select.select([self._screen], [], [], max(0, left))
            assert ready, f"{words!r} is not shown, but {self._shown!r}"
            self._shown += os.read(self._screen, 4096).decode(errors="replace")
        self._shown = self._shown.partition(words)[2]

    def close(self) -> None:
        os.close(self._screen)
        os.waitpid(self._program, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="these shells are not there")
@pytest.mark.parametrize("shell", STARTS)
def test_the_tab_key_completes_commands_options_values_and_files(shell: str, tmp_path: Path) -> None:
    (tmp_path / "museum.html").write_text("<p>Ropes")
    stand_in = tmp_path / "bin" / "sitestencil"
    stand_in.parent.mkdir()
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    environment = {
        "PATH": f"{stand_in.parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "TERM": "vt100",
        "LC_ALL": "C.UTF-8",
        "COMMAND": str(COMMAND),
        "SHELL_NAME": shell,
    }
    arguments, start = STARTS[shell]
    terminal = Terminal(_program(shell), arguments, tmp_path, environment)
    try:
        terminal.type(f"{start}\n")
        for keys, completed in (
            ("extr", "extract"),
            ("extract --form", "extract --format"),
            ("extract --format mark", "extract --format markdown"),
            ("extract mus", "extract museum.html"),
        ):
            terminal.type(f"sitestencil {keys}\t\n")
            terminal.wait_for(f"it got <{completed}>")
    finally:
        terminal.close()


def _program(shell: str) -> str:
    if shell == "bash":
        found = shutil.which(shell)
        assert found is not None
        return found
    try:
        return str(browser_program(shell))
    except NoBrowserError as error:
        pytest.skip(str(error))


def test_a_shell_that_is_not_known_is_wrong_usage() -> None:
    done = subprocess.run([COMMAND, "completion", "tcsh"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "bash" in done.stderr


def test_no_other_start_imports_the_library_of_completion() -> None:
    code = "import sys; from sitestencil.cli import main; main([]); sys.exit('argcomplete' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
