"""A store that speaks S3's protocol, on this machine; its files are also there by plain HTTP."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import ThreadingHTTPServer
from pathlib import Path

from localbucket import S3Error, S3Handler

KEY = "a-sailors-key"


class Store:
    """A store whose buckets are folders.

    Attributes:
        folder: holds the buckets.
        base: its address.
        requests: method and path of each request.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.requests: list[tuple[str, str]] = []
        self.closed_from: int | None = None
        store = self

        class Handler(S3Handler):  # type: ignore[misc]
            data_root = folder
            wbufsize = -1  # else each answer waits 40 ms for the client's acknowledgement

            def handle_expect_100(self) -> bool:
                goes_on: bool = super().handle_expect_100()
                self.wfile.flush()
                return goes_on

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
                pass

            def _dispatch(self, action: Callable[[str, str], None]) -> None:
                store.requests.append((self.command, self.path))
                super()._dispatch(lambda bucket, key: self._allowed(action, bucket, key))

            def _allowed(self, action: Callable[[str, str], None], bucket: str, key: str) -> None:
                if store.closed_from is not None and len(store.requests) >= store.closed_from:
                    raise S3Error(HTTPStatus.FORBIDDEN, "AccessDenied", "The harbour is closed.")
                signed = self.headers.get("Authorization")
                if signed is not None and f"Credential={KEY}/" not in signed:
                    raise S3Error(HTTPStatus.FORBIDDEN, "InvalidAccessKeyId", "This key is not known.")
                action(bucket, key)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self._server.server_port}"

    def close_from(self, request: int) -> None:
        """Deny access from one of the next requests on."""
        self.closed_from = len(self.requests) + request

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which programs find the store."""
        return {
            "AWS_ENDPOINT_URL": self.base,
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": "a-sailors-secret",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_REGION": "us-east-1",
        }

    @contextmanager
    def serving(self) -> Iterator[None]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()
