"""Pausing the garbage collector."""

import gc

import pytest

from sitestencil.page.gc_pause import collector_paused


def test_the_collector_is_off_in_the_block_and_on_after_it_whatever_happens() -> None:
    with pytest.raises(RuntimeError), collector_paused():
        assert not gc.isenabled()
        raise RuntimeError
    assert gc.isenabled()


def test_a_collector_that_somebody_switched_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
