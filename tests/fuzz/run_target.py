"""One target fuzzed in this process, steered by the branches of our own code that its inputs reach.

python -m tests.fuzz.run_target MODULE:FUNCTION [libFuzzer's options, folders and files]
"""

import atexit
import signal
import sys
from importlib import import_module

import atheris

OUR_CODE = ["sitestencil", "sitestencil_host"]


def main() -> None:
    """Fuzz until libFuzzer ends the process."""
    _, name, *options = sys.argv
    module, _, function = name.partition(":")
    with atheris.instrument_imports(include=OUR_CODE):
        target = getattr(import_module(module), function)
    # Python gives up its signal handlers as it ends. An alarm would then kill it before the input is saved.
    atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)
    atheris.Setup([sys.argv[0], *options], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
