"""Classification by naive Bayes, on values worked out by hand."""

import pytest
from research.tests.support.corpora import clean_corpus, corpus_pages

from sitestencil.errors import SitestencilError
from sitestencil_research.uses.bayes import accuracies, classified, problems
from sitestencil_research.uses.corpus import alphanumeric_words


def test_naive_bayes_by_hand() -> None:
    # The example of Manning et al., Introduction to Information Retrieval, 13.1
    documents = ["Chinese Beijing Chinese", "Chinese Chinese Shanghai", "Chinese Macao", "Tokyo Japan Chinese"]
    training = [alphanumeric_words(text) for text in documents]
    tested = [alphanumeric_words(text) for text in ("Chinese Chinese Chinese Tokyo Japan unseen", "Tokyo Japan")]
    assert classified(training, ["yes", "yes", "yes", "no"], tested) == ["yes", "no"]


def test_every_pair_of_classes_is_learned_from_every_two_sites() -> None:
    pages = corpus_pages(*[(site, label, "") for site in "abc" for label in ("x", "y")])
    all_problems = list(problems(pages))
    assert len(all_problems) == 3 * 2
    first = next(p for p in all_problems if [pages[k].site.name for k in p.training] == ["a", "b"])
    assert [pages[k].label for k in first.training] == ["x", "y"]
    assert {(pages[k].site.name, pages[k].label) for k in first.test} == {
        ("b", "x"),
        ("c", "x"),
        ("a", "y"),
        ("c", "y"),
    }


def test_a_template_that_goes_with_the_class_in_training_misleads() -> None:
    pages = corpus_pages(*[(site, label, "") for site in "ab" for label in ("x", "y")])
    content = {"x": "tree leaf", "y": "car road"}
    clean = clean_corpus(*(content[page.label] for page in pages))
    dirty = clean_corpus(*(f"{content[page.label]} {f'menu{page.site.name} ' * 9}" for page in pages))
    assert accuracies(clean, pages) == {("x", "y"): 1.0}
    assert accuracies(dirty, pages) == {("x", "y"): 0.0}


def test_classes_of_one_site_only_cannot_be_told_apart() -> None:
    pages = corpus_pages(("a", "x", ""), ("a", "y", ""))
    with pytest.raises(SitestencilError, match="two different sites"):
        accuracies(clean_corpus("tree", "car"), pages)
