"""Tests that repeat: a few times in `make test`, many times in `make endurance`."""

import pytest

HOURS = 2


def repeats(name: str, few: int, many: int) -> pytest.MarkDecorator:
    """Give a test its number of repeats as the argument `name`."""
    long = [pytest.mark.endurance, pytest.mark.timeout(HOURS * 3600)]
    return pytest.mark.parametrize(name, [few, pytest.param(many, marks=long)])
