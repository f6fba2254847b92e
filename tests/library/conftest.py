"""What the library's tests share."""

from collections.abc import Iterator

import pytest
from tests.support.server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.http.shutdown()
    found.http.server_close()
