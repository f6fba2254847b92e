"""Fixtures of the library's tests."""

import asyncio
import inspect
from collections.abc import Iterator

import pytest
from tests.support.server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine in a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.function):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.function(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True
