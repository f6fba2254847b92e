"""Clustering and its measures, on values worked out by hand."""

from math import log

import pytest
from research.tests.support.corpora import clean_corpus, corpus_pages

from sitestencil_research.uses.clustering import (
    classified,
    cluster_sites,
    cosine_distance,
    f_measure,
    furthest_point_first,
    normalized_complementary_entropy,
    vectors,
)

# Geraci's measures by hand: class A three times, B once; clusters 0 = {A, A}, 1 = {A, B}.
_CLASSES = ["A", "A", "A", "B"]
_CLUSTERS = [0, 0, 1, 1]


def test_f_measure_by_hand() -> None:
    # A: best cluster 0 with p 1, r 2/3: .8; B: cluster 1 with p 1/2, r 1: 2/3
    assert f_measure(_CLASSES, _CLUSTERS) == pytest.approx(3 / 4 * 0.8 + 1 / 4 * 2 / 3)


def test_nce_by_hand() -> None:
    # cluster 0 is pure, cluster 1 holds half and half: entropy log 2, weight 1/2
    assert normalized_complementary_entropy(_CLASSES, _CLUSTERS) == pytest.approx(1 - 0.5 * log(2) / log(2))


@pytest.mark.parametrize("measure", [f_measure, normalized_complementary_entropy])
def test_a_perfect_clustering_measures_one(measure: type) -> None:
    assert measure(["A", "B", "C", "A", "B", "C"], [2, 0, 1, 2, 0, 1]) == pytest.approx(1)


def test_words_of_every_page_weigh_nothing_unless_frequency_alone_counts() -> None:
    documents = [["menu", "x"], ["menu", "y"]]
    assert vectors(documents) == [{"x": 1.0}, {"y": 1.0}]
    plain, _ = vectors(documents, idf=False)
    assert plain["menu"] == pytest.approx(plain["x"]) == pytest.approx(2**-0.5)


def test_the_cosine_distance_of_vectors_of_length_one() -> None:
    assert cosine_distance({"x": 0.6, "y": 0.8}, {"x": 1.0}) == pytest.approx(0.4)
    assert cosine_distance({}, {"x": 1.0}) == 1.0


def test_furthest_points_become_centres() -> None:
    points = vectors([["x", "x", "a"], ["x", "b"], ["y", "y", "a"], ["y", "c"], ["z", "z", "b"], ["z", "c"]])
    for seed in range(6):
        clusters = furthest_point_first(points, 3, seed)
        assert clusters[0] == clusters[1]
        assert clusters[2] == clusters[3]
        assert clusters[4] == clusters[5]
        assert len(set(clusters)) == 3


def test_there_are_no_more_clusters_than_points() -> None:
    assert sorted(furthest_point_first(vectors([["x"], ["y"]]), 5)) == [0, 1]
    assert furthest_point_first([], 3) == []


def test_equal_points_are_still_given_to_one_cluster_each() -> None:
    assert len(furthest_point_first([{}, {}, {}], 2)) == 3


def test_sections_that_are_dates_or_too_small_are_no_classes() -> None:
    facts = [("a", "docs", "")] * 5 + [("a", "blog", "")] * 5 + [("a", "2013", "")] * 9 + [("a", "few", "")] * 4
    pages = corpus_pages(*facts, *[("b", "docs", "")] * 9)
    kept = classified(pages)
    assert {(page.site.name, page.label) for page in kept} == {("a", "docs"), ("a", "blog")}


def test_each_site_is_clustered_for_itself() -> None:
    pages = corpus_pages(*[("a", "x", "")] * 2, *[("a", "y", "")] * 2, *[("b", "u", "")] * 2, *[("b", "v", "")] * 2)
    texts = ["tree leaf", "tree leaf root", "car road", "car road wheel"]
    measures, _ = cluster_sites(clean_corpus(*texts, *texts), pages)
    assert measures == pytest.approx({"F-measure": 1, "NCE": 1})
