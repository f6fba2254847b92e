"""``make size`` counts each document that a person keeps up, once."""

from supply.size import documents_counted
from tests.test_documents import documents, name_of


def test_every_document_is_counted_once_but_for_figures_and_what_has_a_form_of_its_own() -> None:
    counted = [name for names in documents_counted() for name in names]
    elsewhere = ("CHANGELOG.md", "SECURITY.md", "research/docs/", "research/src/", "tests/")
    assert sorted(counted) == sorted(name for name in map(name_of, documents()) if not name.startswith(elsewhere))
