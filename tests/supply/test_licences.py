"""Licences: all known, all fitting, and what would not fit is refused."""

import pytest
from supply.distributions import needed, purposes, requirements
from supply.licences import all_licensed, fits


def test_every_licence_is_known_and_fits_its_purpose() -> None:
    listed = list(all_licensed())
    assert len(listed) > 400
    assert [(purpose, package) for purpose, package in listed if not fits(package.licence, purpose)] == []


def test_what_is_needed_to_run_is_permissive() -> None:
    assert {"h11", "msgspec", "selectolax"} <= set(needed(requirements("run")))
    assert "run" in purposes()
    assert not fits("MPL-2.0", "run")


@pytest.mark.parametrize(
    ("licence", "purpose", "fitting"),
    [
        ("MIT", "run", True),
        ("MIT OR GPL-3.0-or-later", "run", True),
        ("MIT AND GPL-3.0-or-later", "run", False),
        ("LGPL-2.1-or-later", "run", False),
        ("LGPL-2.1-or-later", "peers", True),
        ("GPL-3.0-only", "dev", False),
        ("AGPL-3.0-or-later", "dev", False),
        ("Proprietary", "dev", False),
        ("(", "dev", False),
        ("", "dev", False),
    ],
)
def test_a_licence_fits_by_what_is_allowed(licence: str, purpose: str, fitting: bool) -> None:
    assert fits(licence, purpose) is fitting
