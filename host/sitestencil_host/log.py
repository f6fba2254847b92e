"""The host's log: a few small files that rotate, without the addresses or texts of pages."""

import logging
import logging.handlers
import os
import sys
from pathlib import Path

import platformdirs

FOLDER_VARIABLE = "SITESTENCIL_LOG_DIR"
FILE_NAME = "host.log"
_MOST_BYTES = 512 * 1024
_OLD_FILES = 3
_LINE = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


def log_folder(chosen: str | None = None) -> Path:
    """Return where the log goes: the folder chosen, else that of the environment, else the user's log folder."""
    chosen = chosen or os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    return platformdirs.user_log_path("sitestencil", appauthor=False)


def start_log(folder: Path) -> None:
    """Send this program's records to the log; to standard error where no file can be written.

    Other libraries are heard from warnings on: their lesser records may name the pages that a person visits.
    """
    logging.raiseExceptions = False
    logging.getLogger("sitestencil_host").setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler: logging.Handler = _file_handler(folder / FILE_NAME)
    except OSError as error:
        sys.stderr.write(f"sitestencil-host: no log can be written: {error}\n")
        handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(_LINE))
    logging.getLogger().addHandler(handler)


def _file_handler(file: Path) -> logging.handlers.RotatingFileHandler:
    handler = logging.handlers.RotatingFileHandler(
        file, maxBytes=_MOST_BYTES, backupCount=_OLD_FILES, encoding="utf-8"
    )
    handler.rotator = _rotate
    return handler


def _rotate(source: str, target: str) -> None:
    """Rename, unless the host of another browser holds the file open (Windows): then the log grows on."""
    try:
        Path(source).rename(target)
    except OSError:
        return
