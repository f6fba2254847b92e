"""The public sets' own scorers, on texts so small that their programs' figures can be reckoned by hand."""

import pytest

from sitestencil_research.gold_texts.public_scorers import (
    NO_SCORER,
    DanielScorer,
    PublicScorer,
    ScrapinghubScorer,
    WcxbScorer,
    public_figures,
    shares,
)


def test_items_count_as_often_as_they_occur() -> None:
    assert shares("aaab", "abbc") == (2 / 4, 2 / 4)
    assert shares("", "a") == shares("a", "") == (0.0, 0.0)


def test_shingles_are_runs_of_four_words_in_their_case() -> None:
    """Kept are abcd, bcde and cdex, wanted abcd, bcde, cdef and defg; two are common."""
    assert ScrapinghubScorer("a b c d e f g").score("a, b c-d e x") == (2 / 3, 2 / 4)
    assert ScrapinghubScorer("a b c d").score("A b c d") == (0.0, 0.0)


def test_repeated_shingles_count_as_often_as_they_occur() -> None:
    """Six words of one kind are three shingles, and five are two."""
    assert ScrapinghubScorer("a a a a a").score("a a a a a a") == (2 / 3, 1.0)


def test_fewer_than_four_words_are_one_shingle_and_no_word_is_none() -> None:
    assert ScrapinghubScorer("a b").score("a b") == (1.0, 1.0)
    assert ScrapinghubScorer("a b").score("a b c") == (0.0, 0.0)
    assert ScrapinghubScorer("a b").score("...") == (None, 0.0)
    assert ScrapinghubScorer("...").score("a") == (0.0, None)


def test_a_page_without_an_answer_lowers_the_recall_of_shingles_only() -> None:
    """Precision is the mean of 1 and 1/2, and recall of 1, 1/2 and 0. F1 is that of the means."""
    figures = public_figures(ScrapinghubScorer, [(1.0, 1.0), (0.5, 0.5), (None, 0.0)])
    assert figures == {
        "F1 of shingles": pytest.approx(0.6),
        "precision of shingles": 0.75,
        "recall of shingles": 0.5,
    }


def test_wcxb_counts_words_in_any_case_and_snippets_as_they_stand() -> None:
    """Two of three words are right, and two of four are found: F1 is 4/7."""
    scorer = WcxbScorer("Rope knot splice reef", ("A ROPE", "rope and knot"), ("Log in", "cookie", "knot"))
    assert scorer.score("A rope, knot") == pytest.approx((4 / 7, 1 / 2, 1 / 3))
    assert WcxbScorer("rope", (), ()).score("") == (0.0, 1.0, 1.0)


def test_an_ideograph_is_no_word_of_its_own_in_wcxb() -> None:
    assert WcxbScorer("海港 重建", (), ()).score("海港")[0] == pytest.approx(2 / 3)


def test_the_means_over_pages_are_wcxb_s_figures() -> None:
    figures = public_figures(WcxbScorer, [(1.0, 1.0, 0.0), (0.5, 0.0, 1.0)])
    assert list(figures.values()) == [0.75, 0.5, 0.5]


def test_marks_of_paragraphs_count_as_words_in_daniel() -> None:
    """Kept are `` <p> a b</p> <p> c</p>``, wanted `` <p> a b c</p>``, each with an empty word at its start.

    The alignment has the first three words and the last in common, of six and five; so have the multisets.
    """
    scorer = DanielScorer("<p>a b c</p>", by_character=False)
    assert scorer.score("a b\n\n c") == (4 / 6, 4 / 5, 4 / 6, 4 / 5)


def test_order_counts_for_cleaneval_but_not_for_occurrences() -> None:
    """Of six words each, the longest run in common is of the empty word and the mark, then one word is."""
    aligned = DanielScorer("<p>a b c .</p>", by_character=False).score("c b a .")
    assert aligned == (4 / 6, 4 / 6, 1.0, 1.0)


def test_cleaneval_compares_chinese_by_the_character() -> None:
    """Eleven characters, marks and spaces among them, are all among thirteen; two words of three are the same."""
    scorer = DanielScorer("<p>海港重建</p>", by_character=True)
    assert scorer.score("海港") == (1.0, 11 / 13, 2 / 3, 2 / 3)


def test_a_line_with_an_address_is_no_text_in_daniel() -> None:
    scorer = DanielScorer("URL: http://site.test/\n<p>a</p>", by_character=False)
    assert scorer.score("a") == (1.0, 1.0, 1.0, 1.0)


def test_daniel_s_figures_are_of_mean_precision_and_mean_recall() -> None:
    figures = public_figures(DanielScorer, [(1.0, 0.5, 0.0, 0.0), (0.5, 0.0, 0.0, 0.0)])
    assert figures == {"F1 by CleanEval": pytest.approx(0.375), "F1 of occurrences": 0.0}


@pytest.mark.parametrize(
    "scorer", [ScrapinghubScorer("a"), WcxbScorer("a", (), ()), DanielScorer("<p>a</p>", False)]
)
def test_the_gold_text_itself_is_right(scorer: PublicScorer) -> None:
    assert public_figures(type(scorer), [scorer.score("a")])[scorer.heads[0]] == 1.0


def test_pages_of_no_public_set_have_no_figures() -> None:
    assert public_figures(PublicScorer, [NO_SCORER.score("a"), NO_SCORER.score("b")]) == {}
