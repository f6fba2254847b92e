"""What ``sitestencil-host`` does, once its first worker is on its way: the connection with a browser."""

import argparse
import logging
import os
import signal
import sys
import threading
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from sitestencil.version import VERSION
from sitestencil_host.frames import OutputClosed, frames_on_stdout
from sitestencil_host.log import log_folder, start_log
from sitestencil_host.session import Session
from sitestencil_host.workers import Workers

if TYPE_CHECKING:
    from subprocess import Popen

SECONDS_TO_END = 0.8
_FOR_A_PERSON = """\
sitestencil-host is started by the browser and speaks to the extension; there is nothing to type here.
Run `sitestencil doctor` to see whether the browsers find it.
"""

log = logging.getLogger("sitestencil_host")


class Stopped(BaseException):
    """The program was asked to end."""


def serve(worker: "Popen[bytes] | None", *, at_terminal: bool) -> None:
    """Serve the browser that started this program, until it closes the connection.

    Args:
        worker: one that has been started already, if any.
        at_terminal: whether a person started this program, who is told what it is for.
    """
    outgoing = frames_on_stdout()
    options = _parser().parse_known_args()[0]
    if at_terminal:
        sys.stderr.write(_FOR_A_PERSON)
        raise SystemExit(2)
    start_log(log_folder(options.log_dir))
    log.info("host %s starts: %s %s", VERSION, sys.executable, sys.argv[1:])
    session = Session(sys.stdin.buffer, outgoing, VERSION, Workers(leave, worker))
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
        session.close()
    except (OutputClosed, Stopped):
        log.info("the browser was gone already")
    leave()


def leave() -> NoReturn:
    """End the program now: threads that wait for the network must not hold it."""
    logging.shutdown()
    os._exit(0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="sitestencil-host", description=_FOR_A_PERSON, allow_abbrev=False)
    parser.add_argument("--log-dir", metavar="DIR", help="write the log there")
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    return parser


def _end_on_signals() -> None:
    def stop(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise Stopped

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)


def _watch_the_end() -> None:
    """End within a second even where nobody reads what is still being written."""
    timer = threading.Timer(SECONDS_TO_END, leave)
    timer.daemon = True
    timer.start()
