"""The connection of ``sitestencil-host`` with a browser, after its first worker has started."""

import logging
import os
import signal
import sys
import threading
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from sitestencil.version import VERSION
from sitestencil_host.log import keep_records, log_folder, start_log
from sitestencil_host.messaging.frames import OutputClosed, frames_on_stdout
from sitestencil_host.session import Session
from sitestencil_host.worker.pool import Workers

if TYPE_CHECKING:
    from sitestencil_host.worker.start import StartedWorker

SECONDS_TO_END = 0.8
_SECONDS_TO_BE_HEARD = 2
_FOR_A_PERSON = """\
sitestencil-host is started by the browser and speaks to the extension; there is nothing to type here.
Run `sitestencil doctor` to see whether the browsers find it.
"""

log = logging.getLogger("sitestencil_host")


class Stopped(BaseException):
    """A signal asked the program to end."""


def serve(worker: "StartedWorker | None", *, at_terminal: bool) -> None:
    """Serve the browser that started this program, until it closes the connection.

    Args:
        worker: already started, if any.
        at_terminal: whether a person started this program, and gets an explanation.
    """
    outgoing = frames_on_stdout()
    chosen_folder = _chosen_log_folder()
    if at_terminal:
        sys.stderr.write(_FOR_A_PERSON)
        raise SystemExit(2)
    keep_records()
    log.info("host %s starts: %s %s", VERSION, sys.executable, sys.argv[1:])
    session = Session(sys.stdin.buffer, outgoing, VERSION, Workers(leave, worker))
    session.after_first = lambda: start_log(log_folder(chosen_folder))
    try:
        _end_on_signals()
        session.serve()
        log.info("the browser closed the connection")
    except OutputClosed:
        log.info("the browser reads no more")
    except Stopped:
        log.info("asked to end")
    except BaseException:
        log.exception("the host ends")
    _watch_the_end()
    try:
        session.after_first()
        session.close()
    except (OutputClosed, Stopped):
        log.info("the browser was gone already")
    leave()


def leave() -> NoReturn:
    """End the program now, without waiting for threads on the network."""
    logging.shutdown()
    os._exit(0)


def _chosen_log_folder() -> str | None:
    """Return the folder that the command line names, if any; fast, as browsers name none."""
    if not any(argument.startswith("-") for argument in sys.argv[1:]):
        return None
    import argparse

    parser = argparse.ArgumentParser(prog="sitestencil-host", description=_FOR_A_PERSON, allow_abbrev=False)
    parser.add_argument("--log-dir", metavar="DIR", help="write the log there")
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    chosen: str | None = parser.parse_known_args()[0].log_dir
    return chosen


def _end_on_signals() -> None:
    def stop(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if sys.platform != "win32":  # a destructor loses the error; then this ends all
            signal.alarm(_SECONDS_TO_BE_HEARD)
        raise Stopped

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)


def _watch_the_end() -> None:
    """End within a second, even if nobody reads the output."""
    timer = threading.Timer(SECONDS_TO_END, leave)
    timer.daemon = True
    timer.start()
