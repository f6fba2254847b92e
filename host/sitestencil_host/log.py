"""The host's log: a few small files that rotate, without the addresses or texts of pages."""

import logging
import os
import sys
from contextlib import suppress
from pathlib import Path

FOLDER_VARIABLE = "SITESTENCIL_LOG_DIR"
FILE_NAME = "host.log"
_MOST_BYTES = 512 * 1024
_OLD_FILES = 3
_LINE = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


def log_folder(chosen: str | None = None) -> Path:
    """Return the log's folder: the chosen one, the environment's, or the user's log folder."""
    chosen = chosen or os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    import platformdirs

    return platformdirs.user_log_path("sitestencil", appauthor=False)


class _Kept(logging.Handler):
    """Keeps records for a log that is not open yet."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def keep_records() -> None:
    """Keep this program's records until the log is open, so that no browser waits for it."""
    hear()
    logging.getLogger().addHandler(_Kept())


def _rotate(source: str, target: str) -> None:
    """Rename the file. On Windows, the log grows on while another host holds it open."""
    with suppress(OSError):
        Path(source).rename(target)


def start_log(folder: Path) -> None:
    """Send kept and further records to the log, or to standard error if no file can be written."""
    from logging.handlers import RotatingFileHandler

    hear()
    handler: logging.Handler
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler = RotatingFileHandler(folder / FILE_NAME, "a", _MOST_BYTES, _OLD_FILES, "utf-8")
        handler.rotator = _rotate
    except OSError as error:
        sys.stderr.write(f"sitestencil-host: no log can be written: {error}\n")
        handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(_LINE))
    root = logging.getLogger()
    root.addHandler(handler)
    for kept in [each for each in root.handlers if isinstance(each, _Kept)]:
        root.removeHandler(kept)
        for record in kept.records:
            handler.handle(record)


def hear() -> None:
    """Log this program, and only warnings of libraries: their other records can name pages."""
    logging.raiseExceptions = False
    logging.getLogger("sitestencil_host").setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
