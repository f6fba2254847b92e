"""The fixtures and hooks of the product's tests."""

from tests.conftest import (
    benchmark_sites,
    no_page_is_passed_over_by_mistake,
    opened_sites,
    pytest_collection_modifyitems,
)

__all__ = ["benchmark_sites", "no_page_is_passed_over_by_mistake", "opened_sites", "pytest_collection_modifyitems"]
