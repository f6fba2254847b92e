"""``sitestencil doctor``: whether each browser finds the host, what is wrong if not, and what to run."""

from collections.abc import Iterable
from dataclasses import dataclass

from sitestencil.version import VERSION
from sitestencil_host.browsers import Browser, Family, Machine
from sitestencil_host.handshake import Handshake, shake_hands
from sitestencil_host.inspection import Fault, registered_executable
from sitestencil_host.install import Say
from sitestencil_host.launcher import Launcher
from sitestencil_host.registry import Registry
from sitestencil_host.targets import Target


@dataclass(slots=True)
class Doctor:
    """Looks at registrations and prints what it finds; counts what is wrong.

    Args:
        machine: the user's.
        registry: of Windows.
        launcher: what this installation would register.
        say: prints a line.
    """

    machine: Machine
    registry: Registry
    launcher: Launcher
    say: Say
    wrong: int = 0

    def check_sandboxes(self, browsers: Iterable[Browser]) -> None:
        """Tell of browsers that cannot, or may not yet, start programs."""
        for browser in browsers:
            for sandbox in self.machine.sandboxes(browser):
                if sandbox.in_the_way:
                    self._fault(sandbox.words)
                else:
                    self.say(f"  note   {sandbox.words}")

    def check(self, target: Target) -> bool:
        """Follow one registration to the host's answer; return whether it came."""
        self.say(target.title)
        again = f"sitestencil install {target.option}"
        try:
            executable = registered_executable(target, self.machine.system, self.registry)
        except Fault as fault:
            self._fault(f"{fault}.", again)
            return False
        self._good(f"host manifest: {target.file}")
        if executable != str(self.launcher.path):
            self.say(f"  note   it starts {executable}, this installation's is {self.launcher.path}")
        return self._hello(shake_hands(executable, target.family, target.file), executable, again)

    def check_own_host(self, family: Family = "chromium") -> None:
        """Start this installation's host though no browser does."""
        self.say("This installation")
        path = self.launcher.path
        if not path.is_file():
            self._fault(f"there is no program {path}.", "sitestencil install")
            return
        self._hello(shake_hands(str(path), family), str(path), "pip install --force-reinstall sitestencil")

    def _hello(self, handshake: Handshake, executable: str, remedy: str) -> bool:
        if handshake.fault is not None:
            self._fault(f"{executable}: {handshake.fault}.", remedy)
            return False
        if handshake.version != VERSION:
            self._fault(f"{executable} is version {handshake.version}, this program is {VERSION}.", remedy)
            return False
        self._good(f"the host answers: version {handshake.version}, {handshake.milliseconds:.0f} ms")
        return True

    def _good(self, words: str) -> None:
        self.say(f"  ok     {words}")

    def _fault(self, words: str, remedy: str | None = None) -> None:
        self.wrong += 1
        self.say(f"  wrong  {words[0].upper()}{words[1:]}")
        if remedy:
            self.say(f"         Run: {remedy}")
