"""A store that speaks Google's protocol, on this machine.

It is a process of its own: pyarrow does not let other threads run while it waits for some of Google's answers.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import HTTPServer

from gcp_storage_emulator.handlers.buckets import create_bucket
from gcp_storage_emulator.server import RequestHandler
from gcp_storage_emulator.storage import Storage

BUCKET = "harbour"


@contextmanager
def google_store() -> Iterator[dict[str, str]]:
    """Answer during the block; give the variables by which programs find the store."""
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            yield {"CLOUD_STORAGE_EMULATOR_ENDPOINT": server.stdout.readline().strip()}
        finally:
            server.terminate()


if __name__ == "__main__":
    storage = Storage(use_memory_fs=True)
    create_bucket(BUCKET, storage)
    server = HTTPServer(("127.0.0.1", 0), partial(RequestHandler, storage))
    sys.stdout.write(f"http://127.0.0.1:{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()
