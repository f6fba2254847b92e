"""Fixtures of the library's tests."""

from collections.abc import Iterator

import pytest
from tests.support.server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server
